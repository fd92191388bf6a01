package weft.compile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import weft.backend.Backend;
import weft.backend.ReferenceBackend;
import weft.ir.Bin;
import weft.ir.DType;
import weft.ir.Dim;
import weft.ir.Fn;
import weft.ir.Graph;
import weft.ir.Op;
import weft.ir.Type;
import weft.ir.Value;
import weft.lir.Bounds;
import weft.lir.Launch;
import weft.lir.Operand;
import weft.lir.Program;
import weft.lir.Region;
import weft.lir.Region.Lifetime;
import weft.lir.Stored;

class BufferPlanTest {
  private static final int WIDTH = 16;

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theDepthOfALlamaDoesNotRaiseThePeak(boolean isFused) {
    var target = new ReferenceBackend().open(Backend.Options.standard()).target();
    var without = isFused ? Set.<String>of() : Set.copyOf(Pipeline.fusions());
    var pipeline = Pipeline.of(target, Stored.PLAIN, without);
    var bounds = new Bounds(64, 1);
    var two = pipeline.compile(LlamaGraph.of(2), bounds);
    var sixteen = pipeline.compile(LlamaGraph.of(16), bounds);
    assertThat(sixteen.bytes(Lifetime.STEP)).isEqualTo(two.bytes(Lifetime.STEP));
    long separate = sixteen.regions().stream().mapToLong(Region::bytes).sum();
    assertThat(sixteen.bytes(Lifetime.STEP)).isLessThan(separate / 8);
  }

  @Test
  void buffersThatLiveTogetherNeverOverlap() {
    for (int seed = 0; seed < 300; seed++) {
      var program = Schedule.of(randomGraph(seed), new Bounds(7, 3), 64);
      for (int at = 0; at < program.steps().size(); at++) {
        var live = liveAt(program, at);
        for (var a : live) {
          for (var b : live) {
            assertThat(a.id() == b.id() || !overlaps(a, b))
                .as("seed %d, launch %d: %s and %s in\n%s", seed, at, a, b, program)
                .isTrue();
          }
        }
      }
    }
  }

  @Test
  void everyPlaceBeginsAndEndsWhereTheTargetSays() {
    for (int alignment : List.of(8, 64, 256)) {
      for (int seed = 0; seed < 50; seed++) {
        var program = Schedule.of(randomGraph(seed), new Bounds(7, 3), alignment);
        assertThat(program.alignment()).isEqualTo(alignment);
        for (var region : program.regions()) {
          assertThat(region.offset() % alignment).isZero();
          assertThat(region.bytes() % alignment).isZero();
        }
      }
    }
  }

  @Test
  void aBufferTakesWhatItsElementsTake() {
    var x = Type.f32(Bounds.TOKENS, Dim.of(100));
    var half = new Type(DType.F16, x.dims());
    assertThat(Region.bytes(x, new Bounds(16, 1), 64)).isEqualTo(6400);
    assertThat(Region.bytes(half, new Bounds(16, 1), 64)).isEqualTo(3200);
    assertThat(Region.bytes(half, new Bounds(1, 1), 64)).isEqualTo(256);
  }

  /** The buffers that launch {@code at} writes, or that were written before and are still read. */
  private static List<Region> liveAt(Program program, int at) {
    var live = new ArrayList<Region>();
    for (var region : program.regions()) {
      if (region.lifetime() != Lifetime.STEP) continue;
      boolean isMade =
          program.inputs().values().stream().anyMatch(v -> v.buffer() == region.id())
              || program.steps().subList(0, at + 1).stream()
                  .anyMatch(l -> l.result().buffer() == region.id());
      boolean isRead =
          program.steps().subList(at, program.steps().size()).stream()
                  .anyMatch(l -> reads(l, region.id()))
              || program.steps().get(at).result().buffer() == region.id()
              || program.outputs().values().stream().anyMatch(o -> o.buffer() == region.id());
      if (isMade && isRead) live.add(region);
    }
    return live;
  }

  private static boolean reads(Launch launch, int buffer) {
    return launch.operands().stream()
        .anyMatch(o -> o instanceof Operand.View view && view.buffer() == buffer);
  }

  private static boolean overlaps(Region a, Region b) {
    return a.offset() < b.offset() + b.bytes() && b.offset() < a.offset() + a.bytes();
  }

  /** A tangle of elementwise ops, views and setups over rows of a few widths. */
  private static Graph randomGraph(int seed) {
    var random = new SplittableRandom(seed);
    var graph = new Graph.Builder();
    var values = new ArrayList<Value>();
    values.add(graph.add(new Op.Input("x", Type.f32(Bounds.TOKENS, Dim.of(WIDTH)))));
    values.add(graph.add(new Op.Input("y", Type.f32(Bounds.WANTED, Dim.of(2 * WIDTH)))));
    values.add(graph.add(new Op.Weight("w", Type.f32(WIDTH))));
    for (int i = 0; i < 5 + random.nextInt(25); i++) {
      var x = values.get(random.nextInt(values.size()));
      int width = x.type().width();
      values.add(
          graph.add(
              switch (random.nextInt(5)) {
                case 0 -> new Op.Map(Fn.SILU, x);
                case 1 -> new Op.Slice(x, 0, 1 + random.nextInt(width));
                case 2 -> new Op.Concat(List.of(x, x));
                case 3 -> new Op.Zip(Bin.ADD, x, sameTypeAs(x, values, random));
                default -> new Op.Scale(x, 2);
              }));
    }
    var computed =
        IntStream.range(3, values.size())
            .mapToObj(values::get)
            .filter(v -> !(v.op() instanceof Op.Slice))
            .toList();
    for (int i = 0; i < Math.min(3, computed.size()); i++) {
      graph.output("o" + i, computed.get(random.nextInt(computed.size())));
    }
    return graph.build();
  }

  private static Value sameTypeAs(Value x, List<Value> values, SplittableRandom random) {
    var fitting = values.stream().filter(v -> v.type().equals(x.type())).toList();
    return fitting.get(random.nextInt(fitting.size()));
  }
}
