package weft.ir;

import java.util.HashMap;
import java.util.Map;

/**
 * A graph as text: one value a line, {@code %2 = map SILU %0 : f32[T,8]}, then {@code output name
 * %2}. The text parses back to the same graph.
 */
public final class GraphText {
  private GraphText() {}

  public static String print(Graph graph) {
    var out = new StringBuilder();
    for (var value : graph.values()) out.append(line(value)).append('\n');
    graph
        .outputs()
        .forEach(
            (name, value) ->
                out.append("output " + RecordText.text(name) + " " + value).append('\n'));
    return out.toString();
  }

  public static String line(Value value) {
    return value
        + " = "
        + value.op().mnemonic()
        + " "
        + RecordText.parts(value.op())
        + " : "
        + value.type();
  }

  /** Ids may have gaps; a type after the colon is checked when it is given. */
  public static Graph parse(String text) {
    var builder = new Graph.Builder();
    Map<Integer, Value> byId = new HashMap<>();
    for (var line : text.lines().map(String::strip).filter(l -> !l.isEmpty()).toList()) {
      var in =
          new RecordParser(
              line,
              id -> {
                var value = byId.get(id);
                if (value == null)
                  throw new IrException("%" + id + " is not defined before: " + line);
                return value;
              });
      if (in.accept("output ")) {
        builder.output(in.string(), in.value());
      } else {
        in.expect("%");
        int id = in.integer();
        in.expect("=");
        var value = builder.add(in.op());
        if (in.accept(":") && !in.type().equals(value.type())) {
          throw in.error("the op infers " + value.type());
        }
        if (byId.put(id, value) != null) throw in.error("%" + id + " is defined twice");
      }
      in.end();
    }
    return Verifier.verify(builder.build());
  }
}
