package weft.compile;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import weft.ir.Type;
import weft.lir.Bounds;
import weft.lir.Launch;
import weft.lir.Operand;
import weft.lir.Region;
import weft.lir.Region.Lifetime;

/**
 * Gives buffers that are never alive together the same place: first fit, in the order of launches.
 */
final class BufferPlan {
  private record Live(int buffer, long bytes, int from, int to) {
    boolean meets(Live other) {
      return from <= other.to && other.from <= to;
    }
  }

  private final List<Type> buffers;
  private final Bounds bounds;
  private final int alignment;

  BufferPlan(List<Type> buffers, Bounds bounds, int alignment) {
    this.buffers = buffers;
    this.bounds = bounds;
    this.alignment = alignment;
  }

  private long bytes(int buffer) {
    return Region.bytes(buffers.get(buffer), bounds, alignment);
  }

  List<Region> regions(
      Collection<Operand.View> inputs,
      List<Launch> setup,
      List<Launch> steps,
      Collection<Operand.View> outputs) {
    var regions = new ArrayList<Region>();
    long fixedEnd = 0;
    for (var launch : setup) {
      int buffer = launch.result().buffer();
      long bytes = bytes(buffer);
      regions.add(new Region(buffer, fixedEnd, bytes, Lifetime.PROGRAM));
      fixedEnd += bytes;
    }
    regions.addAll(packed(ranges(inputs, steps, outputs)));
    regions.sort(Comparator.comparingInt(Region::id));
    return regions;
  }

  private List<Live> ranges(
      Collection<Operand.View> inputs, List<Launch> steps, Collection<Operand.View> outputs) {
    var from = new int[buffers.size()];
    var to = new int[buffers.size()];
    java.util.Arrays.fill(from, -1);
    inputs.forEach(view -> from[view.buffer()] = 0);
    for (int i = 0; i < steps.size(); i++) {
      from[steps.get(i).result().buffer()] = i;
      to[steps.get(i).result().buffer()] = i;
      for (var operand : steps.get(i).operands()) {
        if (operand instanceof Operand.View view) to[view.buffer()] = i;
      }
    }
    outputs.forEach(view -> to[view.buffer()] = steps.size());
    var live = new ArrayList<Live>();
    for (int b = 0; b < buffers.size(); b++) {
      if (from[b] >= 0) live.add(new Live(b, bytes(b), from[b], to[b]));
    }
    return live;
  }

  private static List<Region> packed(List<Live> ranges) {
    var inOrder = ranges.stream().sorted(Comparator.comparingInt(Live::from)).toList();
    var regions = new ArrayList<Region>();
    for (var range : inOrder) {
      var beside = new ArrayList<Region>();
      for (int i = 0; i < regions.size(); i++) {
        if (inOrder.get(i).meets(range)) beside.add(regions.get(i));
      }
      beside.sort(Comparator.comparingLong(Region::offset));
      long offset = 0;
      for (var taken : beside) {
        if (offset + range.bytes <= taken.offset()) break;
        offset = Math.max(offset, taken.offset() + taken.bytes());
      }
      regions.add(new Region(range.buffer, offset, range.bytes, Lifetime.STEP));
    }
    return regions;
  }
}
