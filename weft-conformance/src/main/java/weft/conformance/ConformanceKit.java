package weft.conformance;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import weft.backend.Backend;
import weft.backend.Device;
import weft.backend.KvType;
import weft.backend.ReferenceBackend;
import weft.ir.Op;
import weft.lir.Stored;
import weft.lir.Target;

/**
 * Compares a backend with the reference, row by row. What the reference gives is computed once and
 * kept for the next configuration of the backend; owns its reference devices.
 */
public final class ConformanceKit implements AutoCloseable {
  /**
   * A target that takes no composite op: what reaches the oracle is the expansion of everything.
   */
  private record Expanded() implements Target {
    @Override
    public String name() {
      return "expanded";
    }

    @Override
    public boolean takes(Op op, Stored weights) {
      return !(op instanceof Op.Composite);
    }
  }

  private final List<Row> rows = Rows.all();
  private final Map<KvType, Device> references = new EnumMap<>(KvType.class);
  private final Map<String, List<Map<String, float[][]>>> expected = new HashMap<>();

  public ConformanceKit() {
    for (var type : KvType.values()) {
      references.put(
          type, new ReferenceBackend().open(Backend.Options.standard().withKvType(type)));
    }
  }

  /** The backend of this name among the providers on the class or module path. */
  public static Backend backend(String name) {
    return ServiceLoader.load(Backend.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(backend -> backend.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no provider of a backend called " + name));
  }

  /** Runs every row; a sentence for each output that differs, and so nothing when all is well. */
  public List<String> failures(Backend backend, Backend.Options options, Precision precision) {
    var failures = new ArrayList<String>();
    var devices = new EnumMap<KvType, Device>(KvType.class);
    try {
      for (var row : rows) {
        var device =
            devices.computeIfAbsent(row.kvType(), type -> backend.open(options.withKvType(type)));
        failures.addAll(failures(row, device, precision));
      }
      for (var type : KvType.values()) {
        failures.addAll(StateContract.failures(devices.get(type), type));
      }
      failures.addAll(refusals(backend, options));
    } finally {
      devices.values().forEach(Device::close);
    }
    return failures;
  }

  /** The names of all rows. */
  public List<String> names() {
    return rows.stream().map(Row::name).toList();
  }

  /** Runs some rows alone: for a device that takes long. */
  public List<String> failures(
      Backend backend, Backend.Options options, Precision precision, Set<String> names) {
    var failures = new ArrayList<String>();
    for (var row : rows) {
      if (!names.contains(row.name())) continue;
      try (var device = backend.open(options.withKvType(row.kvType()))) {
        failures.addAll(failures(row, device, precision));
      }
    }
    return failures;
  }

  /** What states, refusals, prepared weights and rows to choose from promise, and no row. */
  public List<String> contracts(Backend backend, Backend.Options options) {
    var failures = new ArrayList<String>();
    for (var type : KvType.values()) {
      try (var device = backend.open(options.withKvType(type))) {
        failures.addAll(StateContract.failures(device, type));
      }
    }
    failures.addAll(refusals(backend, options));
    return failures;
  }

  /** The same for what a device refuses, prepares and leaves in rows, alone: it takes no time. */
  public List<String> refusals(Backend backend, Backend.Options options) {
    try (var device = backend.open(options.withKvType(KvType.F32));
        var alike = backend.open(options.withKvType(KvType.F32));
        var other = backend.open(options.withKvType(KvType.F16))) {
      var failures = new ArrayList<String>();
      failures.addAll(
          RefusalContract.failures(device, List.of(alike, other, references.get(KvType.F32))));
      failures.addAll(PreparationContract.failures(device));
      failures.addAll(CandidateContract.failures(device));
      failures.addAll(OptionsContract.failures(backend, options));
      failures.addAll(BudgetContract.failures(backend, options));
      return failures;
    }
  }

  private List<String> failures(Row row, Device device, Precision precision) {
    var exactness =
        switch (precision) {
          case BYTES ->
              row.hasShortFloats() && row.exactness().isWithin(Exactness.NUMBERS_AS_WORDS)
                  ? Exactness.NUMBERS_AS_WORDS
                  : row.exactness();
          case HALVES ->
              row.hasPacked() && row.exactness().isWithin(Exactness.WEIGHTS_AS_HALVES)
                  ? Exactness.WEIGHTS_AS_HALVES
                  : row.exactness();
          case FLOATS ->
              row.exactness() == Exactness.ACTIVATIONS_AS_BYTES ? Exactness.SUMS : row.exactness();
        };
    List<Map<String, float[][]>> got;
    try {
      got = Execution.of(row, device, device.target());
    } catch (RuntimeException | AssertionError e) {
      return List.of(row + " fails: " + e);
    }
    var wanted = expected(row);
    var failures = new ArrayList<String>();
    for (int step = 0; step < got.size(); step++) {
      for (var output : wanted.get(step).keySet()) {
        var where =
            row + ", " + output + ", step " + step + " (" + row.script().steps().get(step) + ")";
        Difference.between(wanted.get(step).get(output), got.get(step).get(output), exactness)
            .ifPresent(difference -> failures.add(where + ": " + difference));
      }
    }
    return failures;
  }

  private List<Map<String, float[][]>> expected(Row row) {
    return expected.computeIfAbsent(
        row.name(), name -> Execution.of(row, references.get(row.kvType()), new Expanded()));
  }

  List<Row> rows() {
    return rows;
  }

  @Override
  public void close() {
    references.values().forEach(Device::close);
  }
}
