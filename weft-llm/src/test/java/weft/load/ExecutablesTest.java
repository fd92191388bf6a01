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
  private static final Bounds LIMITS = new Bounds(64, 16, 4096);

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
        Map.of(Phase.PREFILL, LIMITS, Phase.DECODE, LIMITS),
        (phase, bounds) -> {
          var name = phase + " " + bounds.tokens() + "/" + bounds.context();
          made.add(name);
          var program = new Program(bounds, List.of(), List.of(), List.of(), List.of(), Map.of());
          return new Sized(name, program, closed);
        });
  }

  private int compilationsOf(Specialization decode, int steps) {
    made.clear();
    try (var executables = executables(new Symbolic(), decode)) {
      for (int i = 1; i <= steps; i++) executables.forStep(Phase.DECODE, new Bounds(1, 1, i));
    }
    return made.size();
  }

  @Test
  void aReplyOfNStepsCompilesNTimesALogarithmOrOnce() {
    assertThat(compilationsOf(new Exact(8), 1000)).isEqualTo(1000);
    assertThat(compilationsOf(Buckets.powerOfTwo(1, 1 << 20), 1000)).isEqualTo(11);
    assertThat(compilationsOf(Buckets.powerOfTwo(64, 1 << 20), 1000)).isEqualTo(5);
    assertThat(compilationsOf(new Symbolic(), 1000)).isEqualTo(1);
  }

  @Test
  void theLeastRecentlyUsedGoesFirst() {
    try (var executables = executables(new Symbolic(), new Exact(2))) {
      executables.forStep(Phase.DECODE, new Bounds(1, 1, 1));
      executables.forStep(Phase.DECODE, new Bounds(2, 1, 2));
      executables.forStep(Phase.DECODE, new Bounds(1, 1, 1));
      executables.forStep(Phase.DECODE, new Bounds(3, 1, 3));
      assertThat(closed).containsExactly("DECODE 2/2");
      executables.forStep(Phase.DECODE, new Bounds(1, 1, 1));
      assertThat(made).hasSize(3);
      assertThat(executables.size()).isEqualTo(2);
    }
    assertThat(closed).containsExactlyInAnyOrderElementsOf(made);
  }

  @Test
  void aPhaseDoesNotEvictTheOther() {
    try (var executables = executables(new Exact(1), new Exact(1))) {
      executables.forStep(Phase.PREFILL, new Bounds(5, 1, 5));
      executables.forStep(Phase.DECODE, new Bounds(1, 1, 6));
      assertThat(closed).isEmpty();
      executables.forStep(Phase.DECODE, new Bounds(1, 1, 7));
      assertThat(closed).containsExactly("DECODE 1/6");
    }
  }

  @Test
  void theSameSizeIsCompiledForEachPhase() {
    try (var executables = executables(new Exact(4), new Exact(4))) {
      executables.forStep(Phase.PREFILL, new Bounds(1, 1, 1));
      executables.forStep(Phase.DECODE, new Bounds(1, 1, 1));
      executables.forStep(Phase.DECODE, new Bounds(1, 1, 1));
    }
    assertThat(made).containsExactly("PREFILL 1/1", "DECODE 1/1");
  }
}
