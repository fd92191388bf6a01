package weft.backend;

import java.util.Map;
import java.util.TreeMap;
import weft.ir.Op;
import weft.lir.Launch;

/** What its peers have sent to a member of a mesh that computes in this process's memory. */
public final class HostMailbox {
  private final Map<Integer, float[]> sent = new TreeMap<>();

  /** The rows that a member has for a collective. */
  public static float[] read(Launch collective, HostMemory memory, Step step) {
    return memory.read(collective.operands().getFirst(), step);
  }

  /** Takes the rows of a member. */
  public void put(int member, float[] rows) {
    sent.put(member, rows);
  }

  /** Makes a collective's result of all that was sent and the member's own, in their order. */
  public void join(Launch collective, HostMemory memory, Step step, int member) {
    put(member, read(collective, memory, step));
    var result =
        switch ((Op.Collective) collective.op()) {
          case Op.AllReduce _ -> sum();
          case Op.AllGather(var x, _) -> beside(x.type().width());
        };
    sent.clear();
    memory.write(collective.result(), result, step);
  }

  private float[] sum() {
    var all = sent.values().iterator();
    var sum = all.next().clone();
    while (all.hasNext()) {
      var more = all.next();
      for (int i = 0; i < sum.length; i++) sum[i] += more[i];
    }
    return sum;
  }

  private float[] beside(int width) {
    int rows = sent.get(0).length / width;
    int all = sent.size() * width;
    var out = new float[rows * all];
    sent.forEach(
        (member, own) -> {
          for (int row = 0; row < rows; row++) {
            System.arraycopy(own, row * width, out, row * all + member * width, width);
          }
        });
    return out;
  }
}
