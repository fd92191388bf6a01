package weft.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.Function;
import weft.generate.GenerateException;
import weft.generate.Model;
import weft.generate.Session;
import weft.load.Work;

/** Runs a model over random tokens and measures it. */
final class Bench {
  /** Each opens a session of its own, for every run. */
  static final int MOST_SEQUENCES = 256;

  static final int MOST_REPETITIONS = 10_000;

  private static final long SEED = 42;

  /** What is measured. */
  enum Kind {
    /** Reading a prompt in as few passes as possible. */
    PROMPT,
    /** A pass for each token. */
    REPLY
  }

  /** What a reply goes on with. */
  enum Going {
    /** Any token: experts are chosen as by a text. */
    RANDOM,
    /** The token that came, as a greedy reply does: a device may begin with it by itself. */
    GREATEST
  }

  /** So many tokens of each sequence of a batch, behind so many others. */
  record Test(Kind kind, int tokens, int depth, int batch) {
    String name() {
      return (kind == Kind.PROMPT ? "pp" : "tg") + tokens;
    }
  }

  /**
   * Tokens per second over all sequences: the mean and the standard deviation.
   *
   * @param bytes what each token had to be read for, per second; 0 where it is not known
   * @param limit the bytes per second that memory gave before each turn
   */
  record Result(Test test, double mean, double deviation, double bytes, double limit) {
    static Result of(Test test, double[] rates, double bytesPerToken, double limit) {
      double mean = Arrays.stream(rates).average().orElseThrow();
      double squares = Arrays.stream(rates).map(r -> (r - mean) * (r - mean)).sum();
      double variance = rates.length > 1 ? squares / (rates.length - 1) : 0;
      return new Result(
          test, rounded(mean), rounded(Math.sqrt(variance)), mean * bytesPerToken, limit);
    }

    /** Whether reading memory is what bounds the test, and by how much is known. */
    boolean hasLimit() {
      return bytes > 0 && limit > 0;
    }

    double share() {
      return bytes / limit;
    }

    private static double rounded(double rate) {
      return Double.parseDouble(String.format(Locale.ROOT, "%.4f", rate));
    }
  }

  private final Model model;
  private final Function<List<Session>, Work> work;
  private final int threads;
  private final Going going;
  private final SplittableRandom random = new SplittableRandom(SEED);

  /**
   * @param work what a token for each of some sessions has to do
   * @param threads that read memory together, for the limit: all that the machine has
   */
  Bench(Model model, Function<List<Session>, Work> work, int threads, Going going) {
    this.model = model;
    this.going = going;
    this.work = work;
    this.threads = threads;
  }

  /** Before the first test runs, for it may take long to come to the one that does not fit. */
  void requireFits(Test test) {
    long positions = (long) test.depth() + test.tokens();
    if (positions > model.contextLength()) {
      throw new GenerateException(
          test.name()
              + " at depth "
              + test.depth()
              + " needs "
              + positions
              + " positions, but the context holds "
              + model.contextLength()
              + "; raise --context");
    }
  }

  /**
   * Runs each test once to warm up and then all of them in turns, so that what else the machine
   * does meanwhile meets them alike.
   */
  List<Result> measure(List<Test> tests, int repetitions, Progress progress) {
    var bytesPerToken = new double[tests.size()];
    for (int i = 0; i < bytesPerToken.length; i++) {
      progress.accept("warming up " + tests.get(i).name());
      bytesPerToken[i] = run(tests.get(i)).bytesPerToken;
    }
    boolean hasLimit = Arrays.stream(bytesPerToken).anyMatch(bytes -> bytes > 0);
    var rates = new double[tests.size()][repetitions];
    double limits = 0;
    for (int turn = 0; turn < repetitions; turn++) {
      limits += hasLimit ? ReadBandwidth.measure(threads) : 0;
      for (int i = 0; i < rates.length; i++) {
        var test = tests.get(i);
        progress.accept("measuring %s, %d of %d".formatted(test.name(), turn + 1, repetitions));
        rates[i][turn] = (double) test.tokens() * test.batch() / run(test).nanos * 1e9;
      }
    }
    var results = new ArrayList<Result>();
    for (int i = 0; i < rates.length; i++) {
      results.add(Result.of(tests.get(i), rates[i], bytesPerToken[i], limits / repetitions));
    }
    return results;
  }

  /**
   * A test's own tokens.
   *
   * @param bytesPerToken 0 where it is not known
   */
  private record Run(long nanos, double bytesPerToken) {}

  private Run run(Test test) {
    var sessions = new ArrayList<Session>();
    try {
      for (int i = 0; i < test.batch(); i++) sessions.add(model.open());
      feed(sessions, texts(test.batch(), test.depth()), test.depth());
      boolean isReply = test.kind() == Kind.REPLY;
      double bytes = isReply ? work.apply(sessions).bytes() / test.batch() : 0;
      // To make tokens up is no part of what is measured; for 64 sequences it took 14 to 39 us.
      var texts = texts(test.batch(), test.tokens());
      long start = System.nanoTime();
      // The model cuts a prompt into passes as large as its device takes.
      feed(sessions, texts, isReply ? 1 : test.tokens());
      return new Run(System.nanoTime() - start, bytes);
    } finally {
      sessions.forEach(Session::close);
    }
  }

  /** Only the last pass of a prompt gives logits; every pass of a reply does. */
  private void feed(List<Session> sessions, int[][] texts, int chunk) {
    int tokens = texts[0].length;
    boolean isFollowed = chunk == 1 && going == Going.GREATEST;
    for (int fed = 0; fed < tokens; fed += chunk) {
      int count = Math.min(chunk, tokens - fed);
      int wanted = chunk == 1 || fed + count == tokens ? 1 : 0;
      var steps = new ArrayList<Model.Step>();
      for (int i = 0; i < texts.length; i++) {
        var part = Arrays.copyOfRange(texts[i], fed, fed + count);
        var session = sessions.get(i);
        var step =
            chunk == 1
                ? Model.Step.written(session, part, wanted, 0)
                : new Model.Step(session, part, wanted);
        // What would be told behind the last is nobody's.
        boolean isNextKnown = isFollowed && fed + count < tokens;
        steps.add(step.before(isNextKnown ? Model.Next.GREATEST : Model.Next.OPEN));
      }
      // Choosing a token belongs to the time of a reply, though the next one may be random.
      int at = 0;
      for (var rows : model.forward(steps)) {
        for (var row : rows) {
          int token = row.likeliest();
          if (isFollowed && fed + count < tokens) texts[at][fed + count] = token;
        }
        at++;
      }
    }
  }

  /** Random tokens, so many for each sequence. */
  private int[][] texts(int batch, int count) {
    var texts = new int[batch][];
    for (int i = 0; i < batch; i++) {
      texts[i] = random.ints(count, 0, model.vocabularySize()).toArray();
    }
    return texts;
  }
}
