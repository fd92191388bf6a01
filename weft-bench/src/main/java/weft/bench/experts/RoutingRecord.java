package weft.bench.experts;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import weft.experts.Residency;

/**
 * What routers chose in a run, step by step, and how often the expert of a use would have lain in
 * memory by several policies. A use counts from step {@code from} on; what came before fills the
 * slots.
 *
 * @param steps the experts of each step in the order of their use, numbered over all layers
 * @param experts how many there are in all
 */
record RoutingRecord(List<List<Integer>> steps, int experts) {
  /** The expert whose next use is farthest away gives way (Belady): no policy has more hits. */
  double oracle(int slots, int from) {
    var uses = new HashMap<Integer, ArrayDeque<Integer>>();
    int time = 0;
    for (var step : steps) {
      for (int e : step) uses.computeIfAbsent(e, _ -> new ArrayDeque<>()).add(time++);
    }
    var resident = new HashMap<Integer, Integer>();
    var farthest = new PriorityQueue<int[]>((a, b) -> Integer.compare(b[1], a[1]));
    var counted = new Share();
    for (int i = 0; i < steps.size(); i++) {
      for (int e : steps.get(i)) {
        var ahead = uses.get(e);
        ahead.remove();
        int next = ahead.isEmpty() ? Integer.MAX_VALUE : ahead.peek();
        boolean isHit = resident.containsKey(e);
        if (i >= from) counted.count(isHit);
        if (!isHit && resident.size() == slots) evict(resident, farthest);
        resident.put(e, next);
        farthest.add(new int[] {e, next});
      }
    }
    return counted.rate();
  }

  private static void evict(Map<Integer, Integer> resident, PriorityQueue<int[]> farthest) {
    while (true) {
      // What was used since is there with a later use.
      int[] out = farthest.remove();
      if (resident.remove(out[0], out[1])) return;
    }
  }

  /** The expert whose last use is longest ago gives way. */
  double recency(int slots, int from) {
    var resident = new LinkedHashMap<Integer, Boolean>(16, .75f, true);
    var counted = new Share();
    for (int i = 0; i < steps.size(); i++) {
      for (int e : steps.get(i)) {
        boolean isHit = resident.get(e) != null;
        if (i >= from) counted.count(isHit);
        resident.put(e, true);
        if (resident.size() > slots) resident.pollFirstEntry();
      }
    }
    return counted.rate();
  }

  /** Weft's own policy, without any guess. */
  double residency(int slots, int from) {
    var residency = new Residency(slots, 1, experts);
    var counted = new Share();
    for (int i = 0; i < steps.size(); i++) {
      for (int e : steps.get(i)) {
        residency.used(e, 1);
        boolean isHit = residency.slot(e) != Residency.NONE;
        if (i >= from) counted.count(isHit);
        if (!isHit) residency.admit(e, Residency.Claim.WANTED);
      }
      for (int e : residency.stepped()) residency.admit(e, Residency.Claim.WANTED);
    }
    return counted.rate();
  }

  /** The experts that recency would have let go of behind each step. */
  List<List<Integer>> leaving(int slots) {
    var resident = new LinkedHashMap<Integer, Boolean>(16, .75f, true);
    var out = new ArrayList<List<Integer>>();
    for (var step : steps) {
      for (int e : step) resident.put(e, true);
      var left = new ArrayList<Integer>();
      while (resident.size() > slots) left.add(resident.pollFirstEntry().getKey());
      out.add(left);
    }
    return out;
  }

  private static final class Share {
    private long hits;
    private long all;

    void count(boolean isHit) {
      all++;
      if (isHit) hits++;
    }

    double rate() {
      return all == 0 ? 0 : (double) hits / all;
    }
  }
}
