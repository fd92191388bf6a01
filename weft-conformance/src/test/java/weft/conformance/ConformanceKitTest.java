package weft.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import weft.backend.Backend;
import weft.backend.Device;
import weft.backend.Executable;
import weft.backend.OutputRow;
import weft.backend.PreparedWeights;
import weft.backend.ReferenceBackend;
import weft.backend.Service;
import weft.backend.State;
import weft.backend.StatePool;
import weft.backend.Step;
import weft.backend.Weights;
import weft.ir.Bin;
import weft.ir.Fn;
import weft.ir.Op;
import weft.ir.Routing;
import weft.ir.Slot;
import weft.lir.Program;
import weft.lir.Target;
import weft.quant.Encodings;

class ConformanceKitTest {
  private static ConformanceKit kit;

  @BeforeAll
  static void open() {
    kit = new ConformanceKit();
  }

  @AfterAll
  static void close() {
    kit.close();
  }

  @Test
  void everyOpHasARow() {
    var covered =
        kit.rows().stream()
            .flatMap(row -> row.graph().values().stream())
            .map(value -> value.op().mnemonic())
            .collect(Collectors.toSet());
    var ofOneDevice = new TreeSet<>(Op.mnemonics());
    ofOneDevice.removeAll(List.of("allgather", "allreduce")); // a mesh's
    assertThat(covered).containsExactlyInAnyOrderElementsOf(ofOneDevice);
  }

  @Test
  void everyChoiceWithinAnOpHasARow() {
    var text = kit.rows().stream().map(r -> r.graph().toString()).collect(Collectors.joining());
    var choices =
        Stream.of(
                Fn.values(),
                Bin.values(),
                Op.Pairing.values(),
                Op.Grouping.values(),
                Routing.Scoring.values(),
                Routing.Weights.values())
            .flatMap(Arrays::stream)
            .map(Enum::name);
    assertThat(choices).allSatisfy(choice -> assertThat(text).contains(choice));
    var kinds =
        Stream.of(Op.Prologue.class, Op.Epilogue.class, Slot.class)
            .flatMap(kind -> Arrays.stream(kind.getPermittedSubclasses()))
            .map(kind -> kind.getSimpleName() + "(");
    assertThat(kinds).allSatisfy(kind -> assertThat(text).contains(kind));
  }

  @Test
  void everyEncodingMeetsEveryOpThatReadsWeights() {
    for (var encoding : Encodings.all()) {
      var met =
          kit.rows().stream()
              .filter(r -> r.tensors().values().stream().anyMatch(t -> t.encoding() == encoding))
              .flatMap(r -> r.graph().values().stream().map(v -> v.op().mnemonic()))
              .collect(Collectors.toSet());
      assertThat(met)
          .as(encoding.name())
          .contains("embed", "linear", "project", "experts", "rmsnorm");
    }
  }

  @Test
  void rowsHaveNamesOfTheirOwn() {
    assertThat(kit.rows()).extracting(Row::name).doesNotHaveDuplicates();
  }

  @Test
  void theReferenceComputesFusedOpsAsTheirExpansions() {
    assertThat(
            kit.failures(
                ConformanceKit.backend("reference"), Backend.Options.standard(), Precision.FLOATS))
        .isEmpty();
  }

  @Test
  void aDeviceThatIsNotTheHostPasses() {
    assertThat(
            kit.failures(
                ConformanceKit.backend("foreign"), Backend.Options.standard(), Precision.FLOATS))
        .isEmpty();
  }

  @Test
  void theReferenceRefusesWhatIsNotItsOwn() {
    assertThat(kit.refusals(ConformanceKit.backend("reference"), Backend.Options.standard()))
        .isEmpty();
  }

  @Test
  void aBackendThatIsSlightlyWrongFailsEveryRow() {
    var failures = kit.failures(new Wrong(), Backend.Options.standard(), Precision.FLOATS);
    for (var row : kit.rows()) {
      assertThat(failures).as(row.name()).anyMatch(f -> f.startsWith(row.name() + ","));
    }
  }

  /** The reference, off by a twentieth in one place of each row it gives out. */
  private record Wrong() implements Backend {
    @Override
    public String name() {
      return "wrong";
    }

    @Override
    public Device open(Options options) {
      return new WrongDevice(new ReferenceBackend().open(options));
    }
  }

  private record WrongDevice(Device right) implements Device {
    @Override
    public Target target() {
      return right.target();
    }

    @Override
    public State state(List<Slot> slots) {
      return right.state(slots);
    }

    @Override
    public StatePool pool() {
      return right.pool();
    }

    @Override
    public PreparedWeights prepare(Weights weights) {
      return right.prepare(weights);
    }

    @Override
    public Executable load(Program program, PreparedWeights weights) {
      return new WrongExecutable(right.load(program, weights));
    }

    @Override
    public void close() {
      right.close();
    }
  }

  private record WrongExecutable(Executable right) implements Executable {
    @Override
    public Program program() {
      return right.program();
    }

    @Override
    public List<Service> services() {
      return right.services();
    }

    @Override
    public void run(Step step, Observer observer) {
      right.run(step, observer);
    }

    @Override
    public OutputRow row(String output, int row) {
      return right.row(output, row);
    }

    @Override
    public void read(String output, int row, float[] to) {
      right.read(output, row, to);
      int worst = 0;
      for (int i = 0; i < to.length; i++) if (Math.abs(to[i]) > Math.abs(to[worst])) worst = i;
      to[worst] += 0.05f * Math.max(1, Math.abs(to[worst]));
    }

    @Override
    public void close() {
      right.close();
    }
  }
}
