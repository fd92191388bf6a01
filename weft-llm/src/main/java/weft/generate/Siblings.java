package weft.generate;

import java.util.Optional;

/**
 * Several replies to one prompt: the first of them reads it, and what came of it is where all the
 * others begin, so that none depends on the company in which it would have read the last token.
 * Owns the sequence that it keeps for them. Belongs to the engine's thread.
 */
final class Siblings {
  private Optional<Place> reader = Optional.empty();
  private Optional<Sequence> read = Optional.empty();
  private float[] row = {};

  /** How many have yet to begin. */
  private int waiting;

  Siblings(int count) {
    this.waiting = count;
  }

  /** Who reads the prompt, where somebody does. */
  Optional<Place> reader() {
    return reader;
  }

  /** One begins that has nobody to begin from. */
  void reads(Place place) {
    reader = Optional.of(place);
    waiting--;
  }

  /** Whether somebody is still to begin. */
  boolean areWaiting() {
    return waiting > 0;
  }

  /** The prompt was read: {@code end} has seen all of it, and is this one's. */
  void read(Sequence end, float[] logits) {
    read = Optional.of(end);
    row = logits;
  }

  /** Where the others begin; empty where the prompt was not read, or was given up. */
  Optional<Sequence> end() {
    return read;
  }

  /** The logits after the prompt. */
  Logits row() {
    return Logits.of(row);
  }

  /** Another begins there. */
  void joined() {
    waiting--;
    if (waiting <= 0) giveUp();
  }

  /** One leaves without having begun. */
  void left() {
    waiting--;
    if (waiting <= 0) giveUp();
  }

  /** Gives the memory back; those who wait read for themselves. False where there was none. */
  boolean giveUp() {
    read.ifPresent(Sequence::close);
    boolean was = read.isPresent();
    read = Optional.empty();
    row = new float[0];
    return was;
  }
}
