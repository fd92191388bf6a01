package weft.bench.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import weft.backend.KvType;
import weft.cpu.asm.Host;
import weft.cpu.asm.Isa;
import weft.generate.Album;
import weft.generate.Logits;
import weft.generate.Model;
import weft.generate.Session;
import weft.generate.Tap;
import weft.load.LanguageModel;

/**
 * A text has the same logits to the bit however its prompt is cut and whoever else is served, at
 * the widths of real models, on every level of this machine.
 */
class CompanyTest {
  /** More than a page, a block of rows and every kernel of a few rows take, and no multiple. */
  private static final int PROMPT = 149;

  private static final int REPLY = 5;
  private static final long SEED = 11;

  @TempDir Path folder;

  /** What is loaded. */
  private record Setup(String shape, String type, KvType kv, Isa isa) {
    @Override
    public String toString() {
      return "%s %s, keys and values %s, %s".formatted(shape, type, kv, isa.spelling());
    }
  }

  /**
   * How a text is fed.
   *
   * @param cut tokens of the prompt in each pass
   * @param writers others who write a token in each of its passes
   * @param readers others whose prompts are read in its first passes
   */
  private record Feeding(int cut, int writers, int readers) {}

  private static final List<Feeding> FEEDINGS =
      List.of(
          new Feeding(PROMPT, 1, 0),
          new Feeding(PROMPT, 0, 2),
          new Feeding(5, 0, 0),
          new Feeding(7, 3, 1),
          new Feeding(16, 8, 0),
          new Feeding(33, 20, 1),
          new Feeding(64, 0, 1));

  /** What keeps its bits: below VNNI, some of what packed rows need is added up as floats. */
  static List<Setup> setups() {
    if (!(Host.probe() instanceof Host.Emits(var features, _))) return List.of();
    var setups = new ArrayList<Setup>();
    for (var isa : features.levels()) {
      // Tiles of AMX, for five rows and more, add up in another order.
      if (isa == Isa.AMX) continue;
      setups.add(new Setup("qwen3-0.6b-slice", "F16", KvType.F16, isa));
      if (isa != Isa.AVX512) {
        setups.add(new Setup("llama-3.2-1b-slice", "Q4_K_M", KvType.F16, isa));
        setups.add(new Setup("qwen3.5-0.8b-slice", "Q4_K_M", KvType.F16, isa));
        setups.add(new Setup("qwen3-30b-a3b-slice", "Q4_K_M", KvType.F16, isa));
      }
      if (isa != Isa.AVX2) {
        setups.add(new Setup("qwen3-0.6b-slice", "Q8_0", KvType.F16, isa));
        setups.add(new Setup("llama-3.2-1b-slice", "Q4_0", KvType.F32, isa));
        setups.add(new Setup("gemma-3-1b-slice", "Q8_0", KvType.Q8_0, isa));
      }
    }
    if (features.levels().contains(Isa.VNNI)) {
      setups.add(new Setup("gemma-3-1b-slice", "Q4_K_M", KvType.Q8_0, Isa.VNNI));
      setups.add(new Setup("llama-3.2-1b-slice", "Q6_K", KvType.F16, Isa.VNNI));
    }
    return setups;
  }

  @ParameterizedTest
  @MethodSource("setups")
  void logitsDoNotDependOnCutsAndCompany(Setup setup) throws IOException {
    var slice = Slice.named(setup.shape, setup.type).orElseThrow().withFewTokens();
    slice = slice.with(slice.shape().withExperts(12));
    var file = slice.write(folder, SEED);
    try {
      for (int threads : setup.isa == Isa.VNNI ? new int[] {1, 3} : new int[] {1}) {
        var options = new Setting(setup.isa.spelling(), setup.kv, SEED).team(threads);
        try (var loaded = LanguageModel.load(file, options)) {
          check(loaded.model(), setup + ", " + threads + " threads");
        }
      }
    } finally {
      Files.delete(file);
    }
  }

  private static void check(Model model, String what) {
    var text = text(model, 0, PROMPT + REPLY);
    var alone = feed(model, text, new Feeding(PROMPT, 0, 0));
    for (var feeding : FEEDINGS) {
      same(alone, feed(model, text, feeding), what + ", " + feeding);
    }
    same(alone, drafted(model, text), what + ", with drafts");
    same(alone.subList(REPLY, REPLY + 1), resumed(model, text), what + ", fed again");
    same(alone.subList(0, 1), forked(model, text), what + ", forked");
  }

  private static void same(List<float[]> expected, List<float[]> got, String what) {
    assertThat(got).hasSameSizeAs(expected);
    for (int i = 0; i < expected.size(); i++) {
      assertThat(Arrays.mismatch(expected.get(i), got.get(i)))
          .as("%s: where row %d of %d differs", what, i, expected.size())
          .isEqualTo(-1);
    }
  }

  private static int[] text(Model model, int sequence, int length) {
    return new Random(SEED * 1000 + sequence).ints(length, 0, model.vocabularySize()).toArray();
  }

  /** The logits after the prompt and after each token of the reply. */
  private static List<float[]> feed(Model model, int[] text, Feeding feeding) {
    var rows = new ArrayList<float[]>();
    var others = new ArrayList<Other>();
    try (var session = model.open()) {
      for (int i = 0; i < feeding.writers; i++) others.add(Other.writing(model, 1 + i));
      for (int i = 0; i < feeding.readers; i++) others.add(new Other(model, 100 + i));
      for (int from = 0; from < text.length; ) {
        boolean isRead = from < PROMPT;
        int to = isRead ? Math.min(PROMPT, from + feeding.cut) : from + 1;
        var tokens = Arrays.copyOfRange(text, from, to);
        int wanted = to >= PROMPT ? 1 : 0;
        var steps = new ArrayList<Model.Step>();
        // Somebody before and somebody behind.
        for (int i = 0; i < others.size(); i += 2) steps.add(others.get(i).next());
        int own = steps.size();
        steps.add(
            isRead
                ? new Model.Step(session, tokens, wanted)
                : Model.Step.written(session, tokens, wanted, 0));
        for (int i = 1; i < others.size(); i += 2) steps.add(others.get(i).next());
        for (var row : model.forward(steps).get(own)) rows.add(row.toArray());
        from = to;
      }
    } finally {
      others.forEach(other -> other.session.close());
    }
    return rows;
  }

  /** Somebody else, who reads in cuts that change and writes then. */
  private static final class Other {
    private final Session session;
    private final int[] text;
    private final int prompt;

    Other(Model model, int number) {
      session = model.open();
      prompt = 40;
      text = text(model, number, 400);
    }

    /** One whose prompt is read. */
    static Other writing(Model model, int number) {
      var other = new Other(model, number);
      while (other.session.position() < other.prompt) model.forward(List.of(other.next()));
      return other;
    }

    Model.Step next() {
      int from = session.position();
      if (from >= prompt) {
        return Model.Step.written(session, Arrays.copyOfRange(text, from, from + 1), 1, 0);
      }
      int to = Math.min(prompt, from + 1 + from % 23);
      return new Model.Step(session, Arrays.copyOfRange(text, from, to), to == prompt ? 1 : 0);
    }
  }

  /** The reply as a token and a draft of the rest, which holds. */
  private static List<float[]> drafted(Model model, int[] text) {
    try (var session = model.open()) {
      var read = new Model.Step(session, Arrays.copyOf(text, PROMPT), 1);
      var rows = new ArrayList<>(rows(model.forward(List.of(read)).getFirst()));
      var reply = Arrays.copyOfRange(text, PROMPT, text.length);
      var written = Model.Step.written(session, reply, REPLY, REPLY - 1);
      rows.addAll(rows(model.forward(List.of(written)).getFirst()));
      return rows;
    }
  }

  /** All of it at once, as a reply that gave its memory up is fed again. */
  private static List<float[]> resumed(Model model, int[] text) {
    try (var session = model.open()) {
      var step = new Model.Step(session, text, 1, 0, REPLY, Tap.NONE, List.of(), Album.NONE);
      return rows(model.forward(List.of(step)).getFirst());
    }
  }

  /** Another text that begins with the same tokens goes on where they part. */
  private static List<float[]> forked(Model model, int[] text) {
    try (var first = model.open()) {
      var other = Arrays.copyOf(text, PROMPT);
      Arrays.fill(other, 97, PROMPT, 1);
      model.forward(List.of(new Model.Step(first, other, 1)));
      try (var session = first.fork(97)) {
        var rest = Arrays.copyOfRange(text, session.position(), PROMPT);
        return rows(model.forward(List.of(new Model.Step(session, rest, 1))).getFirst());
      }
    }
  }

  private static List<float[]> rows(Logits[] rows) {
    return IntStream.range(0, rows.length).mapToObj(i -> rows[i].toArray()).toList();
  }
}
