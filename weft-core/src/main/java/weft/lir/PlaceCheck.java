package weft.lir;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import weft.lir.Region.Lifetime;

/**
 * Says whether buffers lie where they may: in order and aligned, no farther apart than they must,
 * and no two that live at one time in one place. A step's buffer lives from the launch that writes
 * it, or from the beginning if the step does, to the last that reads it, both included; what is
 * computed at load lives on.
 */
final class PlaceCheck {
  private final List<Region> regions;
  private final TreeMap<Long, Region> taken = new TreeMap<>();

  private PlaceCheck(List<Region> regions) {
    this.regions = regions;
  }

  /** Every view is known to be of a region. */
  static void check(
      List<Region> regions,
      int alignment,
      Collection<Operand.View> inputs,
      List<Launch> steps,
      Collection<Operand.View> outputs) {
    for (var lifetime : Lifetime.values()) extents(regions, alignment, lifetime);
    new PlaceCheck(regions).together();
    new PlaceCheck(regions).inTurn(inputs, steps, outputs);
  }

  private static void extents(List<Region> regions, int alignment, Lifetime lifetime) {
    long room = 0;
    for (var region : regions) {
      if (region.bytes() < 1 || room > Long.MAX_VALUE - region.bytes()) {
        throw new ProgramException("region " + region + " is no place");
      }
      if (region.lifetime() == lifetime) room += region.bytes();
    }
    for (int i = 0; i < regions.size(); i++) {
      var region = regions.get(i);
      boolean isNear = region.lifetime() != lifetime || region.offset() <= room - region.bytes();
      if (region.id() != i || !region.isAligned(alignment) || !isNear) {
        throw new ProgramException(
            "region " + region + " at place " + i + " of " + room + " bytes");
      }
    }
  }

  private void together() {
    for (var region : regions) {
      if (region.lifetime() == Lifetime.PROGRAM) take(region);
    }
  }

  private void inTurn(
      Collection<Operand.View> inputs, List<Launch> steps, Collection<Operand.View> outputs) {
    var last = new int[regions.size()];
    for (int i = 0; i < steps.size(); i++) {
      last[steps.get(i).result().buffer()] = i;
      for (var operand : steps.get(i).operands()) {
        if (operand instanceof Operand.View view) last[view.buffer()] = i;
      }
    }
    for (var view : outputs) last[view.buffer()] = steps.size();
    var ending = new ArrayList<List<Region>>();
    for (int i = 0; i <= steps.size(); i++) ending.add(new ArrayList<>());
    for (var view : inputs) {
      var region = regions.get(view.buffer());
      take(region);
      ending.get(last[region.id()]).add(region);
    }
    for (int i = 0; i < steps.size(); i++) {
      var region = regions.get(steps.get(i).result().buffer());
      take(region);
      ending.get(last[region.id()]).add(region);
      for (var ended : ending.get(i)) taken.remove(ended.offset());
    }
  }

  private void take(Region region) {
    var before = taken.floorEntry(region.offset());
    var after = taken.ceilingEntry(region.offset());
    if (before != null && before.getValue().end() > region.offset()) {
      throw overlap(before.getValue(), region);
    }
    if (after != null && after.getKey() < region.end()) throw overlap(after.getValue(), region);
    taken.put(region.offset(), region);
  }

  private static ProgramException overlap(Region one, Region other) {
    return new ProgramException(one + " and " + other + " live together and overlap");
  }
}
