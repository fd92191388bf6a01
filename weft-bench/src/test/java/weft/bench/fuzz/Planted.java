package weft.bench.fuzz;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A reader with every fault that a fuzzer must find, each behind a word of its own. */
public final class Planted implements Target {
  private static final TextMutation WORDS =
      new TextMutation(List.of("throw", "deep", "many", "fine"));

  @Override
  public String name() {
    return "planted";
  }

  @Override
  public List<byte[]> seeds() {
    return Stream.of("fine words", "fine throw", "fine deep", "fine many", "fine fill")
        .map(text -> text.getBytes(StandardCharsets.UTF_8))
        .toList();
  }

  @Override
  public byte[] mutate(byte[] input, byte[] other, Draw draw) {
    return WORDS.mutate(input, other, draw);
  }

  @Override
  public void run(byte[] input) {
    var text = new String(input, StandardCharsets.UTF_8);
    if (!text.contains("fine")) throw new IllegalArgumentException("declared");
    if (text.contains("throw")) throw new IllegalStateException("planted");
    if (text.contains("deep")) deeper(1);
    if (text.contains("spin")) spin();
    if (text.contains("halt")) Runtime.getRuntime().halt(99);
    if (text.contains("fill")) fill();
    if (text.contains("many")) many();
  }

  private static int deeper(int depth) {
    return deeper(depth + 1) + 1;
  }

  private static void spin() {
    while (true) Thread.onSpinWait();
  }

  private static void fill() {
    var kept = new ArrayList<byte[]>();
    while (true) kept.add(new byte[1 << 20]);
  }

  /** Garbage that fits any heap, and is far too much for a few words. */
  private static void many() {
    for (int i = 0; i < 1000; i++) if (new byte[1 << 20].length == i) return;
  }

  @Override
  public boolean declares(RuntimeException failure) {
    return failure instanceof IllegalArgumentException;
  }
}
