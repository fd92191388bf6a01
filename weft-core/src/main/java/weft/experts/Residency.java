package weft.experts;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Decides which experts have the slots that there are: those that routers chose most, what is long
 * ago counting less. Knows neither bytes nor devices: whoever owns the slots asks for one, says
 * what is in use, and reads what it is told to. An expert has a slot from {@link #admit} on, and so
 * long as nobody else gets it. For one thread at a time.
 *
 * <p>An expert's heat is the count of rows that used it, halved every {@link #HALF_LIFE} steps. By
 * recency alone hits are 12 points fewer where an eighth of the experts fit, and 3 where half of
 * them do ({@code weft-bench/experts}).
 */
public final class Residency {
  /** In the place of a slot or an expert that there is not. */
  public static final int NONE = -1;

  static final int HALF_LIFE = 32;

  /**
   * Every so many steps, heats are brought back to small numbers, and promotions are looked for.
   */
  static final int REFRESH = 16;

  /** How much hotter than what lies in a slot an expert must be to be worth reading. */
  private static final double MARGIN = 2;

  /** A promotion takes the disk from what steps want: few of them at once. */
  private static final int PROMOTIONS_AT_ONCE = 4;

  private static final double GROWTH = Math.pow(2, 1.0 / HALF_LIFE);

  /** Who may be put out of a slot. */
  public enum Claim {
    /** A row waits for the expert: whatever is not in use. */
    WANTED,
    /** It may be of use soon: not what is expected to be, too. */
    AHEAD
  }

  private final int experts;
  private final int[] slots;
  private final int[] holders;
  private final int[] uses;
  private final boolean[] isExpected;
  private final double[] heat;
  private double weight = 1;
  private int steps;

  /**
   * @param slots for experts of all layers
   * @param experts of a layer
   */
  public Residency(int slots, int layers, int experts) {
    if (slots < 1) throw new IllegalArgumentException("experts need a slot, got " + slots);
    this.experts = experts;
    this.slots = new int[layers * experts];
    this.holders = new int[slots];
    this.uses = new int[slots];
    this.isExpected = new boolean[slots];
    this.heat = new double[layers * experts];
    Arrays.fill(this.slots, NONE);
    Arrays.fill(this.holders, NONE);
  }

  /** The number by which an expert of a layer is known here. */
  public int expert(int layer, int index) {
    return layer * experts + index;
  }

  /** Whether there is a slot for every expert, so that nothing need be guessed. */
  public boolean hasRoomForAll() {
    return holders.length >= slots.length;
  }

  /** Where an expert lies, or {@link #NONE}. */
  public int slot(int expert) {
    return slots[expert];
  }

  /** Whose a slot is, or {@link #NONE}. */
  public int holder(int slot) {
    return holders[slot];
  }

  /** Some rows of a step use an expert. */
  public void used(int expert, int rows) {
    heat[expert] += rows * weight;
  }

  /**
   * Gives an expert that has none a slot: an empty one, or that of the coldest expert which the
   * claim may put out; {@link #NONE} where there is none.
   */
  public int admit(int expert, Claim claim) {
    int slot = coldest(false);
    if (slot == NONE && claim == Claim.WANTED) slot = coldest(true);
    if (slot == NONE) return NONE;
    release(slot);
    holders[slot] = expert;
    slots[expert] = slot;
    isExpected[slot] = claim == Claim.AHEAD;
    return slot;
  }

  private int coldest(boolean withExpected) {
    int found = NONE;
    for (int slot = 0; slot < holders.length; slot++) {
      if (uses[slot] > 0 || (isExpected[slot] && !withExpected)) continue;
      if (found == NONE || heat(slot) < heat(found)) found = slot;
    }
    return found;
  }

  /** An empty slot is colder than any. */
  private double heat(int slot) {
    return holders[slot] == NONE ? -1 : heat[holders[slot]];
  }

  /** Empties a slot, for another or since its expert could not be read. */
  public void release(int slot) {
    if (holders[slot] == NONE) return;
    slots[holders[slot]] = NONE;
    holders[slot] = NONE;
    isExpected[slot] = false;
  }

  /** Keeps a slot's expert there until {@link #leave} was called as often. */
  public void enter(int slot) {
    uses[slot]++;
  }

  public void leave(int slot) {
    uses[slot]--;
  }

  /** A slot's expert may be of use soon: what is as uncertain does not put it out. */
  public void expect(int slot) {
    isExpected[slot] = true;
  }

  /** The layer that a slot's expert was expected in has been there, or somebody took it. */
  public void met(int slot) {
    isExpected[slot] = false;
  }

  /**
   * A step is over. Now and then these experts, which have no slot, are hotter than others that
   * have one, the hottest first: read them when there is nothing else to read.
   */
  public List<Integer> stepped() {
    weight *= GROWTH;
    if (++steps % REFRESH != 0) return List.of();
    for (int e = 0; e < heat.length; e++) heat[e] /= weight;
    weight = 1;
    return promotions();
  }

  private List<Integer> promotions() {
    var promoted = new ArrayList<Integer>();
    var free = new ArrayList<Integer>();
    for (int slot = 0; slot < holders.length; slot++) if (uses[slot] == 0) free.add(slot);
    free.sort((a, b) -> Double.compare(heat(a), heat(b)));
    for (int slot : free) {
      if (promoted.size() == PROMOTIONS_AT_ONCE) break;
      int hottest = hottestWithout(promoted);
      if (hottest == NONE || heat[hottest] <= MARGIN * Math.max(0, heat(slot))) break;
      promoted.add(hottest);
    }
    return promoted;
  }

  private int hottestWithout(List<Integer> taken) {
    int found = NONE;
    for (int e = 0; e < slots.length; e++) {
      if (slots[e] != NONE || taken.contains(e)) continue;
      if (found == NONE || heat[e] > heat[found]) found = e;
    }
    return found == NONE || heat[found] == 0 ? NONE : found;
  }
}
