package weft.text.jinja;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import weft.text.jinja.Value.Tuple;

/** What a value can be assigned to. */
sealed interface Target extends Node {

  void assign(Frame frame, Value value);

  /** The variables it assigns. */
  List<String> names();

  /** What was assigned last, with tuples made new. */
  Value read(Frame frame);

  /** A variable, or a parameter of a macro. */
  record Variable(int position, String name) implements Target {
    @Override
    public void assign(Frame frame, Value value) {
      frame.define(name, value);
    }

    @Override
    public List<String> names() {
      return List.of(name);
    }

    @Override
    public Value read(Frame frame) {
      return frame.lookup(name);
    }
  }

  /** An attribute of a namespace. */
  record Attribute(int position, String namespace, String name) implements Target {
    @Override
    public void assign(Frame frame, Value value) {
      namespace(frame).attributes().put(name, value);
    }

    @Override
    public List<String> names() {
      return List.of();
    }

    @Override
    public Value read(Frame frame) {
      return Access.attribute(frame.run(), namespace(frame), name);
    }

    Namespace namespace(Frame frame) {
      frame.run().at(position);
      if (frame.lookup(namespace) instanceof Namespace found) {
        return found;
      }
      throw Failure.runtime("cannot assign attribute on non-namespace object");
    }
  }

  /** Several targets that take the items of one value. */
  record Unpacking(int position, List<Target> targets) implements Target {
    @Override
    public void assign(Frame frame, Value value) {
      frame.run().at(position);
      Iterator<Value> items =
          Iteration.tryIterate(value)
              .orElseThrow(
                  () ->
                      Failure.runtime(
                          "cannot unpack non-iterable " + value.typeName() + " object"));
      List<Value> unpacked = new ArrayList<>(targets.size());
      while (items.hasNext()) {
        if (unpacked.size() == targets.size()) {
          throw Failure.runtime("too many values to unpack (expected " + targets.size() + ")");
        }
        unpacked.add(items.next());
      }
      if (unpacked.size() < targets.size()) {
        throw Failure.runtime(
            "not enough values to unpack (expected %d, got %d)"
                .formatted(targets.size(), unpacked.size()));
      }
      for (int i = 0; i < unpacked.size(); i++) {
        targets.get(i).assign(frame, unpacked.get(i));
      }
    }

    @Override
    public List<String> names() {
      return targets.stream().flatMap(target -> target.names().stream()).toList();
    }

    @Override
    public Value read(Frame frame) {
      return new Tuple(targets.stream().map(target -> target.read(frame)).toList());
    }

    @Override
    public List<Target> children() {
      return targets;
    }
  }
}
