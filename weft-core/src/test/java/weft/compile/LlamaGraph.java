package weft.compile;

import java.util.List;
import weft.ir.Bin;
import weft.ir.Fn;
import weft.ir.Graph;
import weft.ir.Op;
import weft.ir.Slot;
import weft.ir.Type;
import weft.ir.Value;
import weft.lir.Bounds;

/** A Llama of any depth, as a model would say it: width 64, 4 heads over 2, 128 hidden. */
public final class LlamaGraph {
  private static final int WIDTH = 64;
  private static final int HIDDEN = 128;
  private static final int HEADS = 4;
  private static final int KV_HEADS = 2;
  private static final int HEAD = 16;
  private static final int VOCABULARY = 96;
  private static final float EPS = 1e-5f;

  private final Graph.Builder graph = new Graph.Builder();
  private final Value tokens = graph.add(new Op.Input("tokens", Type.i32(Bounds.TOKENS)));
  private final Value positions = graph.add(new Op.Input("positions", Type.i32(Bounds.TOKENS)));
  private final Value frequencies =
      graph.add(new Op.Constant(List.of(1f, 0.5f, 0.2f, 0.1f, 0.05f, 0.02f, 0.01f, 0.005f)));

  private LlamaGraph() {}

  public static Graph of(int layers) {
    return new LlamaGraph().build(layers);
  }

  private Graph build(int layers) {
    var table = weight("token_embd", VOCABULARY, WIDTH);
    var x = graph.add(new Op.Embed(table, tokens));
    for (int i = 0; i < layers; i++) x = block("blk." + i + ".", x);
    var logits = graph.add(new Op.Linear(norm("output_norm", x), table));
    var wanted = graph.add(new Op.Input("wanted", Type.i32(Bounds.WANTED)));
    graph.output("logits", graph.add(new Op.Rows(logits, wanted)));
    return graph.build();
  }

  private Value block(String scope, Value x) {
    var h = plus(x, attention(scope, norm(scope + "attn_norm", x)));
    return plus(h, feedForward(scope, norm(scope + "ffn_norm", h)));
  }

  private Value attention(String scope, Value x) {
    var q = rope(heads(linear(scope + "q", x, HEADS * HEAD), HEADS));
    var k = rope(heads(linear(scope + "k", x, KV_HEADS * HEAD), KV_HEADS));
    var v = heads(linear(scope + "v", x, KV_HEADS * HEAD), KV_HEADS);
    var slot = new Slot.KeyValue(scope + "kv", KV_HEADS, HEAD, HEAD, Slot.UNBOUNDED);
    var attended = graph.add(new Op.Attend(slot, q, k, v, new Op.Scores(0.25f, 0)));
    return linear(scope + "o", graph.add(new Op.Merge(attended)), WIDTH);
  }

  private Value feedForward(String scope, Value x) {
    var gate = graph.add(new Op.Map(Fn.SILU, linear(scope + "gate", x, HIDDEN)));
    var up = linear(scope + "up", x, HIDDEN);
    return linear(scope + "down", graph.add(new Op.Zip(Bin.MUL, gate, up)), WIDTH);
  }

  private Value weight(String name, int... shape) {
    return graph.add(new Op.Weight(name, Type.f32(shape)));
  }

  private Value linear(String name, Value x, int width) {
    return graph.add(new Op.Linear(x, weight(name, width, x.type().width())));
  }

  private Value norm(String name, Value x) {
    return graph.add(new Op.RmsNorm(x, weight(name, WIDTH), EPS, 0));
  }

  private Value heads(Value x, int count) {
    return graph.add(new Op.Heads(x, count));
  }

  private Value rope(Value x) {
    return graph.add(new Op.Rope(x, positions, frequencies, Op.Pairing.HALVES, 1));
  }

  private Value plus(Value a, Value b) {
    return graph.add(new Op.Zip(Bin.ADD, a, b));
  }
}
