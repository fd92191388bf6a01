package weft.text.jinja;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The names that a block reads and assigns, and with what each starts when the block is entered.
 * The rules are Jinja2's: a name that is assigned belongs to the block and starts with the outer
 * value; a name that is assigned before anything can read it starts undefined, even where the
 * render variables have it.
 */
record Scope(List<Name> names) {

  /** A name of the block, unless it is a parameter; {@code fresh} ones start undefined. */
  record Name(String name, boolean assigned, boolean fresh) {}

  /** The scope of a block with these parameters, whose names {@code parts} use. */
  static Scope of(List<String> parameters, List<? extends Node> parts) {
    Builder builder = new Builder();
    parts.forEach(builder::visit);
    parameters.forEach(builder.names::remove);
    return new Scope(List.copyOf(builder.names.values()));
  }

  /** Gives every name of the block its first value in {@code frame}. */
  void start(Frame frame) {
    frame.run().budget().steps(names.size() / Frame.NAMES_A_STEP);
    for (Name name : names) {
      Optional<Value> outer = frame.outer(name.name());
      if (outer.isEmpty()) {
        frame.define(
            name.name(),
            name.fresh() ? Undefined.named(name.name()) : frame.run().variable(name.name()));
      } else if (name.assigned()) {
        frame.define(name.name(), outer.get());
      }
    }
  }

  private static final class Builder {
    private final Map<String, Name> names = new LinkedHashMap<>();
    private int branches;

    private void load(String name) {
      names.putIfAbsent(name, new Name(name, false, false));
    }

    private void store(String name) {
      Name known = names.get(name);
      // A branch may not be taken, so a name first assigned in one starts with the render variable.
      boolean fresh = known == null ? branches == 0 : known.fresh();
      names.put(name, new Name(name, true, fresh));
    }

    private void visit(Node node) {
      switch (node) {
        case Expression.Name variable -> load(variable.name());
        case Expression other -> other.children().forEach(this::visit);
        case Target.Variable variable -> store(variable.name());
        case Target.Attribute attribute -> load(attribute.namespace());
        case Target.Unpacking unpacking -> unpacking.targets().forEach(this::visit);
        case Statement.If branch -> {
          visit(branch.branches().getFirst().test());
          branches++;
          branch.branches().getFirst().body().forEach(this::visit);
          branch.branches().stream().skip(1).forEach(this::visitBranch);
          branch.otherwise().forEach(this::visit);
          branches--;
        }
        // These blocks have scopes of their own: only what they evaluate outside belongs here.
        case Statement.For loop -> visit(loop.iterable());
        case Statement.MacroDefinition macro -> store(macro.macro().name());
        case Statement.CallBlock call -> visit(call.call());
        case Statement.FilterBlock filter -> visit(filter.filter());
        case Statement.With with -> with.values().forEach(this::visit);
        case Statement.SetBlock set -> visit(set.target());
        case Statement.Generation generation -> {}
        case Statement.Set set -> {
          visit(set.value());
          visit(set.target());
        }
        case Statement.Text text -> {}
        case Statement.Print print -> visit(print.value());
        case Statement.Jump jump -> {}
      }
    }

    private void visitBranch(Statement.Branch branch) {
      visit(branch.test());
      branch.body().forEach(this::visit);
    }
  }

  /**
   * Names of {@code wanted} that {@code parts} read before they assign them, in whatever inner
   * block.
   */
  static List<String> undeclared(List<? extends Node> parts, List<String> wanted) {
    List<String> open = new ArrayList<>(wanted);
    List<String> found = new ArrayList<>();
    parts.forEach(part -> undeclared(part, open, found));
    return found;
  }

  private static void undeclared(Node node, List<String> open, List<String> found) {
    switch (node) {
      case Expression.Name(int position, String name)
          when open.contains(name) && !found.contains(name) ->
          found.add(name);
      case Target.Variable(int position, String name) -> open.remove(name);
      default -> node.children().forEach(child -> undeclared(child, open, found));
    }
  }
}
