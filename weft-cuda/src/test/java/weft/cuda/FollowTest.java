package weft.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import weft.backend.Backend;
import weft.backend.Executable;
import weft.backend.Step;
import weft.cuda.driver.Driver.Grid;
import weft.cuda.interpret.InterpretedDriver;
import weft.cuda.kernel.LeadTokens;
import weft.cuda.kernel.Leaders;
import weft.cuda.ptx.PtxModule;
import weft.generate.Engine;
import weft.generate.Request;
import weft.load.LanguageModel;
import weft.load.LoadOptions;

/** A step whose tokens are what the step before leads with, told before anybody knows them. */
class FollowTest {
  private static Step step(CudaDevice device, int... tokens) {
    var parts = new ArrayList<Step.Part>();
    for (int i = 0; i < tokens.length; i++) parts.add(new Step.Part(device.state(List.of()), 1));
    int[] wanted = tokens.length == 1 ? new int[1] : new int[] {0, 1};
    return new Step(tokens, new int[tokens.length], wanted, parts);
  }

  private static List<Integer> greatest(Executable executable, int rows) {
    var found = new ArrayList<Integer>();
    var index = new int[1];
    for (int row = 0; row < rows; row++) {
      executable.row(TinyProgram.OUTPUT, row).greatest(1, index, new float[1]);
      found.add(index[0]);
    }
    return found;
  }

  /** Two programs in turn, each told while the other still has to run: seven steps. */
  @ParameterizedTest
  @EnumSource(value = LateDriver.Manner.class, names = "DEAF", mode = EnumSource.Mode.EXCLUDE)
  void tokensAreThoseThatRowsLeadWith(LateDriver.Manner manner) {
    try (var device = new CudaDevice(new LateDriver(manner), Backend.Options.standard())) {
      var program = TinyProgram.of(device);
      try (var prepared = device.prepare(TinyProgram.weights());
          var one = device.load(program, prepared);
          var two = device.load(program, prepared);
          var plain = device.load(program, prepared)) {
        assertThat(one.leads(TinyProgram.OUTPUT)).isTrue();
        int[] tokens = {5, 70};
        one.run(step(device, tokens), Executable.Observer.NONE);
        var last = one;
        var next = two;
        for (int i = 0; i < 7; i++) {
          next.follow(step(device, 0, 0), last, TinyProgram.OUTPUT);
          plain.run(step(device, tokens), Executable.Observer.NONE);
          assertThat(greatest(last, 2)).as("step %d", i).isEqualTo(greatest(plain, 2));
          // Whole rows of the step before hold, too, while the next is told already.
          var whole = new float[TinyProgram.VOCABULARY];
          var expected = new float[TinyProgram.VOCABULARY];
          last.read(TinyProgram.OUTPUT, 1, whole);
          plain.read(TinyProgram.OUTPUT, 1, expected);
          assertThat(whole).containsExactly(expected);
          tokens = greatest(plain, 2).stream().mapToInt(token -> token).toArray();
          var passed = last;
          last = next;
          next = passed;
        }
      }
    }
  }

  /** What is no token, as of rows that are not finite, becomes one. */
  @Test
  void noTokenLiesBeyondTheVocabulary() {
    var driver = new InterpretedDriver();
    var kernel = new LeadTokens().kernel();
    var module = driver.module(PtxModule.text(List.of(kernel)));
    int rows = 131;
    var leaders = driver.pinned((long) rows * Leaders.BYTES);
    var expected = new int[rows];
    for (int i = 0; i < rows; i++) {
      int leader = i % 7 == 0 ? -1 - i : 3 * i;
      leaders.set(ValueLayout.JAVA_INT, (long) i * Leaders.BYTES, leader);
      expected[i] = leader < 0 || leader > 200 ? 200 : leader;
    }
    long there = driver.allocate(leaders.byteSize());
    long tokens = driver.allocate((long) rows * Integer.BYTES);
    driver.upload(leaders, there);
    var grid = Grid.of(Math.ceilDiv(rows, LeadTokens.THREADS), LeadTokens.THREADS);
    driver.launch(module.function(kernel.name()), grid, tokens, there, rows, 200);
    var got = driver.pinned((long) rows * Integer.BYTES);
    driver.download(tokens, got);
    assertThat(got.toArray(ValueLayout.JAVA_INT)).containsExactly(expected);
  }

  private static List<int[]> replies(String backend) {
    var options = LoadOptions.standard().withBackend(backend).withDevice(0);
    var path = CudaGoldenTest.GOLDEN.resolve("hf/llama-untied");
    try (var model = LanguageModel.load(path, options);
        var engine = Engine.start(model.model())) {
      var together =
          List.of(
              engine.submit(Request.of(4, 9, 2).withMaxTokens(5).ignoringEnds()),
              engine.submit(Request.of(7).withMaxTokens(3).ignoringEnds()));
      var replies = new ArrayList<int[]>();
      for (var ticket : together) replies.add(ticket.await().tokens());
      // Goes on behind a reply whose next step was told and taken back.
      var text = new ArrayList<>(List.of(4, 9, 2));
      Arrays.stream(replies.getFirst()).limit(4).forEach(text::add);
      var more = text.stream().mapToInt(token -> token).toArray();
      replies.add(engine.generate(Request.of(more).withMaxTokens(3)).tokens());
      return replies;
    }
  }

  @Test
  void repliesAreThoseOfTheReference() {
    assertThat(replies(KitSettings.late())).containsExactlyElementsOf(replies("reference"));
  }
}
