package weft.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import weft.backend.Executable;
import weft.backend.OutputRow;
import weft.backend.Service;
import weft.backend.Step;
import weft.lir.Bounds;
import weft.lir.Program;
import weft.load.Specialization.Buckets;
import weft.load.Specialization.Exact;
import weft.load.Specialization.Symbolic;

class ExecutablesTest {
  private static final Bounds LIMITS = new Bounds(64, 16);

  private final List<String> made = new ArrayList<>();
  private final List<String> closed = new ArrayList<>();

  /** An executable that is only its size. */
  private record Sized(String name, Program program, List<String> closed) implements Executable {
    @Override
    public void run(Step step, Observer observer) {}

    @Override
    public List<Service> services() {
      return List.of();
    }

    @Override
    public OutputRow row(String output, int row) {
      throw new AssertionError("nothing runs here");
    }

    @Override
    public void close() {
      closed.add(name);
    }
  }

  private Executables executables(Specialization prefill, Specialization decode) {
    var specializations = new EnumMap<Phase, Specialization>(Phase.class);
    specializations.put(Phase.PREFILL, prefill);
    specializations.put(Phase.DECODE, decode);
    return new Executables(
        specializations,
        Map.of(Phase.PREFILL, LIMITS, Phase.DECODE, new Bounds(16, 16)),
        (phase, bounds, outputs) -> {
          var name = phase + " " + bounds.tokens() + "/" + bounds.wanted();
          made.add(name);
          var program =
              new Program(
                  bounds, 64, List.of(), Map.of(), List.of(), List.of(), List.of(), Map.of());
          return new Sized(name, program, closed);
        });
  }

  private int compilationsOf(Specialization decode, int steps) {
    made.clear();
    try (var executables = executables(new Symbolic(), decode)) {
      for (int i = 0; i < steps; i++) {
        int tokens = 1 + i % 16;
        executables.forStep(Phase.DECODE, new Bounds(tokens, 1 + i % tokens), Plan.LOGITS);
      }
    }
    return made.size();
  }

  @Test
  void stepsOfAnySizeCompileEachTimeALogarithmOrOnce() {
    assertThat(compilationsOf(new Exact(8), 1000)).isEqualTo(1000);
    assertThat(compilationsOf(Buckets.powerOfTwo(1, 1 << 20), 1000)).isEqualTo(5);
    assertThat(compilationsOf(Buckets.powerOfTwo(8, 1 << 20), 1000)).isEqualTo(2);
    assertThat(compilationsOf(new Symbolic(), 1000)).isEqualTo(1);
  }

  @Test
  void theLeastRecentlyUsedGoesFirst() {
    for (Specialization two : List.of(new Exact(2), new Buckets(1, 64, 2))) {
      made.clear();
      closed.clear();
      try (var executables = executables(two, new Symbolic())) {
        executables.forStep(Phase.PREFILL, new Bounds(16, 16), Plan.LOGITS);
        executables.forStep(Phase.PREFILL, new Bounds(32, 16), Plan.LOGITS);
        executables.forStep(Phase.PREFILL, new Bounds(16, 16), Plan.LOGITS);
        executables.forStep(Phase.PREFILL, new Bounds(64, 16), Plan.LOGITS);
        assertThat(closed).as("%s", two).containsExactly("PREFILL 32/16");
        executables.forStep(Phase.PREFILL, new Bounds(16, 16), Plan.LOGITS);
        assertThat(made).hasSize(3);
        assertThat(executables.size()).isEqualTo(2);
      }
      assertThat(closed).containsExactlyInAnyOrderElementsOf(made);
    }
  }

  @Test
  void noPolicyKeepsMoreThanItSays() {
    for (var policy : List.of(new Exact(3), new Buckets(1, 64, 3), new Symbolic())) {
      try (var executables = executables(policy, policy)) {
        for (int i = 0; i < 200; i++) {
          int tokens = 1 + i * 7 % 64;
          var step = new Bounds(tokens, 1 + i % Math.min(tokens, 16));
          executables.forStep(executables.phaseOf(step), step, Plan.LOGITS);
          assertThat(executables.size()).isLessThanOrEqualTo(2 * policy.capacity());
        }
      }
    }
  }

  @Test
  void aPhaseDoesNotEvictTheOther() {
    try (var executables = executables(new Exact(1), new Exact(1))) {
      executables.forStep(Phase.PREFILL, new Bounds(5, 1), Plan.LOGITS);
      executables.forStep(Phase.DECODE, new Bounds(1, 1), Plan.LOGITS);
      assertThat(closed).isEmpty();
      executables.forStep(Phase.DECODE, new Bounds(2, 1), Plan.LOGITS);
      assertThat(closed).containsExactly("DECODE 1/1");
    }
  }

  @Test
  void theSameSizeIsCompiledForEachPhase() {
    try (var executables = executables(new Exact(4), new Exact(4))) {
      executables.forStep(Phase.PREFILL, new Bounds(1, 1), Plan.LOGITS);
      executables.forStep(Phase.DECODE, new Bounds(1, 1), Plan.LOGITS);
      executables.forStep(Phase.DECODE, new Bounds(1, 1), Plan.LOGITS);
    }
    assertThat(made).containsExactly("PREFILL 1/1", "DECODE 1/1");
  }

  @Test
  void whatFitsTheDecodeProgramRunsOnIt() {
    try (var executables = executables(new Symbolic(), new Symbolic())) {
      for (int tokens = 1; tokens <= 64; tokens++) {
        for (int wanted = 1; wanted <= tokens; wanted++) {
          assertThat(executables.phaseOf(new Bounds(tokens, wanted)))
              .isEqualTo(tokens <= 16 ? Phase.DECODE : Phase.PREFILL);
        }
      }
    }
  }

  @Test
  void oneThatIsLeftAloneHasNoTwinAsLongAsItLives() {
    try (var executables = executables(new Symbolic(), new Exact(1))) {
      var one = executables.forStep(Phase.DECODE, new Bounds(1, 1), Plan.LOGITS);
      var twin = executables.twin(one).orElseThrow();
      assertThat(executables.twin(twin)).containsSame(one);
      executables.leaveAlone(twin);
      assertThat(executables.twin(one)).isEmpty();
      assertThat(executables.twin(twin)).isEmpty();
      executables.forStep(Phase.DECODE, new Bounds(2, 1), Plan.LOGITS);
      assertThat(closed).containsExactly("DECODE 1/1", "DECODE 1/1");
      var again = executables.forStep(Phase.DECODE, new Bounds(1, 1), Plan.LOGITS);
      assertThat(executables.twin(again)).isPresent();
    }
    assertThat(closed).containsExactlyInAnyOrderElementsOf(made);
  }
}
