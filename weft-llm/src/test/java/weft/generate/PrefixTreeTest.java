package weft.generate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PrefixTreeTest {
  private final PrefixTree<String> tree = new PrefixTree<>();

  private static int[] text(String text) {
    return text.chars().toArray();
  }

  private void put(String text) {
    tree.put(text(text), text);
  }

  @Test
  void aTextMeetsThoseItBeginsWithAndThoseThatGoOn() {
    List.of("a", "abc", "abcde", "abcxy", "b").forEach(this::put);
    var match = tree.match(text("abcd!"));
    assertThat(match.shared()).isEqualTo(4);
    assertThat(match.along()).containsExactly("a", "abc");
    assertThat(match.beyond()).containsExactly("abcde");
    assertThat(tree.match(text("ab")).beyond()).containsExactlyInAnyOrder("abc", "abcde", "abcxy");
    assertThat(tree.match(text("abc")).along()).containsExactly("a", "abc");
    assertThat(tree.match(text("abc")).beyond()).containsExactlyInAnyOrder("abcde", "abcxy");
  }

  @Test
  void whatHasNothingInCommonMeetsNothing() {
    put("abc");
    var match = tree.match(text("xyz"));
    assertThat(match.shared()).isZero();
    assertThat(match.along()).isEmpty();
    assertThat(match.beyond()).isEmpty();
  }

  @Test
  void anotherValueOfATextGivesTheOldOneBack() {
    assertThat(tree.put(text("ab"), "first")).isEmpty();
    assertThat(tree.put(text("ab"), "second")).contains("first");
    assertThat(tree.match(text("abc")).along()).containsExactly("second");
  }

  @Test
  void whatIsLeftAfterRandomUseIsWhatAMapHas() {
    var random = new Random(5);
    Map<String, String> map = new HashMap<>();
    for (int i = 0; i < 5_000; i++) {
      var text = random.ints(1 + random.nextInt(8), 'a', 'd').toArray();
      var name = Arrays.toString(text);
      if (map.containsKey(name)) {
        tree.remove(text);
        map.remove(name);
      } else {
        tree.put(text, name);
        map.put(name, name);
      }
      var probe = random.ints(1 + random.nextInt(8), 'a', 'd').toArray();
      var match = tree.match(probe);
      int shared = 0;
      for (int n = 1; n <= probe.length; n++) {
        var prefix = Arrays.toString(Arrays.copyOf(probe, n));
        var open = prefix.substring(0, prefix.length() - 1);
        if (map.keySet().stream().anyMatch(k -> k.equals(prefix) || k.startsWith(open + ","))) {
          shared = n;
        }
      }
      assertThat(match.shared()).isEqualTo(shared);
      for (int n = 1; n <= probe.length; n++) {
        var prefix = Arrays.toString(Arrays.copyOf(probe, n));
        assertThat(match.along().contains(prefix)).isEqualTo(map.containsKey(prefix));
      }
    }
    assertThat(tree.isEmpty()).isFalse();
    map.keySet()
        .forEach(
            name ->
                tree.remove(
                    Arrays.stream(name.substring(1, name.length() - 1).split(", "))
                        .mapToInt(Integer::parseInt)
                        .toArray()));
    assertThat(tree.isEmpty()).isTrue();
  }
}
