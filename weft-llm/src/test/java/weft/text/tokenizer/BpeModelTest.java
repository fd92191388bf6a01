package weft.text.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BpeModelTest {
  @Test
  void mergesAsTheDefinitionSays() {
    var random = new Random(4);
    for (int round = 0; round < 60; round++) {
      var merges = randomMerges(random, "ab▁");
      var tokens = tokens("ab▁", merges);
      var model = model(tokens, merges);
      for (int i = 0; i < 100; i++) {
        String text = randomText(random, "ab▁", 60);
        assertThat(encode(model, text))
            .as(merges + " in " + text)
            .isEqualTo(byDefinition(tokens, merges, text));
      }
    }
  }

  @Test
  void wordsBreakOnlyWhereNoMergeReachesAcross() {
    var merges = List.of(new String[] {"a", "▁"}, new String[] {"▁", "b"});
    var breaks = breaks(tokens("abc▁", merges), merges);
    assertThat(words(breaks, "ab▁ca▁c▁▁b")).containsExactly("ab", "▁ca▁c", "▁", "▁b");
    assertThat(breaks(tokens("ab", List.of()), List.of()).isKnown()).isFalse();
  }

  @Test
  void byteTokensInMergesLeaveNoBreaks() {
    var tokens = new ArrayList<>(tokens("a▁", List.of()));
    tokens.addAll(List.of("<0x41>", "<0x41>a"));
    assertThat(breaks(tokens, List.<String[]>of(new String[] {"<0x41>", "a"})).isKnown()).isFalse();
  }

  private static List<String[]> randomMerges(Random random, String alphabet) {
    var known = new ArrayList<>(alphabet.codePoints().mapToObj(Character::toString).toList());
    var merges = new ArrayList<String[]>();
    for (int i = 0; i < 12; i++) {
      String left = known.get(random.nextInt(known.size()));
      String right = known.get(random.nextInt(known.size()));
      // Of several ways to one token the reference has its own idea; here each has one.
      if (!known.contains(left + right)) {
        known.add(left + right);
        merges.add(new String[] {left, right});
      }
    }
    return merges;
  }

  private static List<String> tokens(String alphabet, List<String[]> merges) {
    var tokens = new ArrayList<>(alphabet.codePoints().mapToObj(Character::toString).toList());
    merges.forEach(merge -> tokens.add(merge[0] + merge[1]));
    return tokens;
  }

  private static Vocabulary vocabulary(List<String> tokens) {
    var vocabulary = new Vocabulary(tokens.size());
    for (int id = 0; id < tokens.size(); id++) {
      vocabulary.put(tokens.get(id), id);
    }
    return vocabulary;
  }

  private static IntList triples(Vocabulary vocabulary, List<String[]> merges) {
    var list = new MergeList();
    merges.forEach(merge -> list.add(merge[0].toCharArray(), merge[1].toCharArray()));
    var resolver =
        new MergeResolver(vocabulary.index(), "", MergeResolver.Missing.REFUSED, merges.size());
    list.resolve(resolver);
    return resolver.triples();
  }

  private static WordBreaks breaks(List<String> tokens, List<String[]> merges) {
    var vocabulary = vocabulary(tokens);
    return WordBreaks.of(triples(vocabulary, merges), vocabulary);
  }

  private static BpeModel model(List<String> tokens, List<String[]> merges) {
    var vocabulary = vocabulary(tokens);
    return new BpeModel(
        vocabulary,
        triples(vocabulary, merges),
        new BpeModel.Options(
            "",
            BpeModel.Unknowns.SEPARATE,
            BpeModel.Fallback.UNKNOWN,
            BpeModel.WholeWords.MERGED,
            "",
            ""));
  }

  private static List<Integer> encode(BpeModel model, String text) {
    var out = new IntList();
    model.encode(text.toCharArray(), 0, text.length(), out);
    return Arrays.stream(out.toArray()).boxed().toList();
  }

  /**
   * Byte-pair encoding in its plainest form: apply the best ranked merge at its leftmost place, and
   * start over.
   */
  private static List<Integer> byDefinition(
      List<String> tokens, List<String[]> merges, String text) {
    var symbols = new ArrayList<>(text.codePoints().mapToObj(Character::toString).toList());
    boolean merged = true;
    while (merged) {
      merged = false;
      for (String[] merge : merges) {
        for (int i = 0; i + 1 < symbols.size() && !merged; i++) {
          if (symbols.get(i).equals(merge[0]) && symbols.get(i + 1).equals(merge[1])) {
            symbols.set(i, merge[0] + merge[1]);
            symbols.remove(i + 1);
            merged = true;
          }
        }
        if (merged) {
          break;
        }
      }
    }
    return symbols.stream().map(tokens::indexOf).toList();
  }

  private static String randomText(Random random, String alphabet, int length) {
    var text = new StringBuilder();
    for (int i = random.nextInt(length); i >= 0; i--) {
      text.append(alphabet.charAt(random.nextInt(alphabet.length())));
    }
    return text.toString();
  }

  private static List<String> words(WordBreaks breaks, String text) {
    var words = new ArrayList<String>();
    for (int start = 0; start < text.length(); ) {
      int end = breaks.wordEnd(text.toCharArray(), start, text.length());
      words.add(text.substring(start, end));
      start = end;
    }
    return words;
  }
}
