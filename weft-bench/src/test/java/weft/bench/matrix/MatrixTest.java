package weft.bench.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import weft.backend.KvType;
import weft.bench.matrix.Visit.Trial;
import weft.cpu.asm.Host;
import weft.cpu.kernel.KernelLibrary;
import weft.quant.Encodings;

/**
 * A sample of the matrix, another one each day: {@code weft-bench/matrix} plays all of it. The seed
 * is printed, and {@code -Dweft.matrix.seed=N} repeats its sample.
 */
class MatrixTest {
  private static final long SEED = Long.getLong("weft.matrix.seed", LocalDate.now().toEpochDay());

  /** What a checkpoint of the sample takes at most. */
  private static final long MOST_BYTES = 160 << 20;

  /** Enough for rows of several experts and of none. */
  private static final int FEW_EXPERTS = 12;

  @TempDir Path folder;

  @BeforeAll
  static void saySeed() {
    System.out.println("matrix: -Dweft.matrix.seed=" + SEED + " repeats this sample");
  }

  /** Findings, and how many trials there were. */
  private static final class Notes implements Visit.Listener {
    private final List<String> findings = new ArrayList<>();
    private int trials;

    @Override
    public void begins(Trial trial) {}

    @Override
    public void ended(Trial trial, Optional<String> wrong) {
      trials++;
      wrong.ifPresent(text -> findings.add(trial + " " + trial.setting() + ": " + text));
    }
  }

  private void play(Slice slice, KvType kv, Collection<Case> cases) throws IOException {
    var notes = new Notes();
    var file = slice.write(folder, SEED);
    try {
      new Visit(slice, new Setting("auto", kv, SEED), file, notes, () -> false).play(cases);
    } finally {
      Files.delete(file);
    }
    assertThat(notes.findings).as("seed " + SEED).isEmpty();
    int teams = cases.stream().mapToInt(c -> c.teams().size()).sum();
    assertThat(notes.trials).isGreaterThanOrEqualTo(teams);
  }

  private static Random random(String of) {
    return new Random(SEED * 31 + of.hashCode());
  }

  private static <T> T any(Collection<T> of, Random random) {
    return List.copyOf(of).get(random.nextInt(of.size()));
  }

  private static Slice small(String shape, String type) {
    var slice = Slice.named(shape, type).orElseThrow().withFewTokens();
    return slice.with(slice.shape().withExperts(FEW_EXPERTS));
  }

  private static Slice any(String shape, Random random) {
    return any(
        Slice.types().stream()
            .map(type -> small(shape, type))
            .filter(slice -> slice.bytes() <= MOST_BYTES)
            .toList(),
        random);
  }

  /** Four threads and 512 tokens once were an exception, and two cores never saw it. */
  @Test
  void aLongPromptIsTheSameForTeamsAroundEveryCut() throws IOException {
    var random = random("long");
    var type = any(List.of("Q4_K_M", "Q8_0", "Q4_0", "Q6_K", "Q4_K+Q8_0"), random);
    var cases =
        Stream.of(511, 512, 513)
            .map(length -> new Case(Script.prompt(length), Set.of(3, 4, 5, 8, 16)))
            .toList();
    play(small("llama-3.2-1b-slice", type), KvType.F16, cases);
  }

  static List<String> shapes() {
    return Slice.SHAPES;
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void everyKindOfLayerIsTheSameForEveryTeam(String shape) throws IOException {
    var random = random(shape);
    var slice = any(shape, random);
    var teams = new TreeSet<Integer>();
    while (teams.size() < 2) teams.add(2 + random.nextInt(15));
    var cases = new ArrayList<Case>();
    int length = any(Case.LENGTHS.subSet(100, 200), random);
    cases.add(new Case(Script.batch(length, any(Case.BATCHES.headSet(5), random)), teams));
    cases.add(
        new Case(
            Script.batch(any(Case.LENGTHS.headSet(20), random), any(Case.BATCHES, random)), teams));
    cases.addAll(onThresholds(slice, teams, random));
    play(slice, any(List.of(KvType.values()), random), cases);
  }

  /** Some of what the code itself names as thresholds. */
  private static List<Case> onThresholds(Slice slice, Set<Integer> teams, Random random) {
    if (!(Host.probe() instanceof Host.Emits(_, var isa))) return List.of();
    var all = Case.thresholds(slice, isa, teams, 200);
    return Stream.generate(() -> any(all, random)).limit(2).toList();
  }

  @Test
  void theWholeVocabularyIsTheSameForEveryTeam() throws IOException {
    var random = random("vocabulary");
    var shape = any(Slice.SHAPES.subList(0, 4), random);
    var type = any(List.of("Q4_0", "Q4_K", "IQ4_NL", "Q3_K", "MXFP4"), random);
    var slice = Slice.named(shape, type).orElseThrow();
    var script = Script.batch(2, any(Case.BATCHES.subSet(2, 10), random));
    play(slice, KvType.F16, List.of(new Case(script, Set.of(2 + random.nextInt(15)))));
  }

  /** Rows so narrow that many teams can be asked about what the code names as thresholds. */
  @Test
  void teamsAreTheSameOnBothSidesOfThresholds() throws IOException {
    assumeThat(Host.probe()).isInstanceOf(Host.Emits.class);
    if (!(Host.probe() instanceof Host.Emits(_, var isa))) return;
    var random = random("thresholds");
    var slice = small(any(Slice.NARROW, random), any(Slice.types(), random));
    var teams = new ArrayList<>(IntStream.rangeClosed(2, 16).boxed().toList());
    Collections.shuffle(teams, random);
    var cases = new ArrayList<>(Case.thresholds(slice, isa, teams.subList(0, 6), 513));
    Collections.shuffle(cases, random);
    play(slice, KvType.F16, cases.subList(0, Math.min(16, cases.size())));
  }

  @ParameterizedTest
  @ValueSource(strings = {"ANY", "Q4_K+Q8_0", "Q8_0+F16", "F16+Q4_0"})
  void whatIsMultipliedTogetherMayBeStoredApart(String type) throws IOException {
    var teams = Set.of(2 + random(type).nextInt(15));
    var cases = List.of(new Case(Script.batch(17, 3), teams), new Case(Script.prompt(130), teams));
    play(small("qwen3-0.6b-slice", type), KvType.F16, cases);
  }

  /** All teams may be wrong alike. */
  @ParameterizedTest
  @MethodSource("shapes")
  void oneThreadIsAsDefined(String shape) throws IOException {
    var slice = any(shape, random("reference " + shape));
    var notes = new Notes();
    var file = slice.write(folder, SEED);
    var setting = new Setting("auto", KvType.F32, SEED);
    new Visit(slice, setting, file, notes, () -> false).compareWithReference(Script.prompt(2));
    Files.delete(file);
    assertThat(notes.findings).as("seed " + SEED).isEmpty();
  }

  @Test
  void everyEncodingWithEmittedKernelsIsPlayed() {
    assumeThat(Host.probe()).isInstanceOf(Host.Emits.class);
    if (!(Host.probe() instanceof Host.Emits(_, var isa))) return;
    try (var library = KernelLibrary.open(isa)) {
      assertThat(Slice.types())
          .containsAll(
              Encodings.all().stream()
                  .filter(library::multiplies)
                  .map(encoding -> encoding.name())
                  .toList());
    }
  }
}
