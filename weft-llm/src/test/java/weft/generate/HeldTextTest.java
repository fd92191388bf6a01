package weft.generate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class HeldTextTest {
  @Test
  void cutsAtTheStopHoweverTheTextIsSplit() {
    String text = "one two STOP three";
    for (int a = 0; a <= text.length(); a++) {
      for (int b = a; b <= text.length(); b++) {
        var held = new HeldText(List.of("STOP", "never"));
        String out =
            held.add(text.substring(0, a))
                + held.add(text.substring(a, b))
                + held.add(text.substring(b));
        assertThat(out + held.release()).isEqualTo("one two ");
        assertThat(held.stop()).contains("STOP");
      }
    }
  }

  @Test
  void holdsBackOnlyWhatMayBecomeAStop() {
    var held = new HeldText(List.of("</end>"));
    assertThat(held.add("a <")).isEqualTo("a ");
    assertThat(held.add("/e")).isEmpty();
    assertThat(held.add("x")).isEqualTo("</ex");
    assertThat(held.add("<<")).isEqualTo("<");
    assertThat(held.isStopped()).isFalse();
    assertThat(held.release()).isEqualTo("<");
  }

  @Test
  void theStopThatIsCompleteFirstCountsAndTheLongestOfThoseThatEndTogether() {
    assertThat(new HeldText(List.of("abc", "b")).add("xabc")).isEqualTo("xa");
    assertThat(new HeldText(List.of("c", "abc")).add("xabc")).isEqualTo("x");
  }

  @Test
  void withoutStopsTextPassesAsItComes() {
    assertThat(new HeldText(List.of()).add("anything")).isEqualTo("anything");
  }

  @Test
  void agreesWithAScanOfTheWholeTextForRandomTextsStopsAndSplits() {
    var random = new Random(11);
    for (int trial = 0; trial < 5_000; trial++) {
      String text = letters(random, random.nextInt(20));
      List<String> stops =
          List.of(letters(random, 1 + random.nextInt(4)), letters(random, 1 + random.nextInt(4)));
      var held = new HeldText(stops);
      var out = new StringBuilder();
      for (int from = 0; from < text.length(); ) {
        int to = Math.min(text.length(), from + 1 + random.nextInt(5));
        out.append(held.add(text.substring(from, to)));
        from = to;
      }
      out.append(held.release());
      assertThat(out.toString())
          .describedAs("%s cut at %s", text, stops)
          .isEqualTo(cut(text, stops));
    }
  }

  private static String cut(String text, List<String> stops) {
    for (int end = 1; end <= text.length(); end++) {
      String head = text.substring(0, end);
      int longest = stops.stream().filter(head::endsWith).mapToInt(String::length).max().orElse(0);
      if (longest > 0) {
        return head.substring(0, end - longest);
      }
    }
    return text;
  }

  private static String letters(Random random, int count) {
    var letters = new StringBuilder();
    for (int i = 0; i < count; i++) {
      letters.append((char) ('a' + random.nextInt(2)));
    }
    return letters.toString();
  }
}
