package weft.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import weft.backend.Backend;
import weft.backend.BackendException;
import weft.backend.Device;
import weft.backend.Executable;
import weft.backend.State;
import weft.backend.Step;
import weft.backend.Weights;
import weft.compile.Pipeline;
import weft.ir.Fn;
import weft.ir.Graph;
import weft.ir.Op;
import weft.ir.Type;
import weft.lir.Bounds;
import weft.lir.Stored;
import weft.quant.Encodings;

/** Whatever observers, threads, interrupts and closes do to a running step, it ends in order. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OneStepAtATimeTest {
  private static final int WIDTH = 64;
  private static final int LAYERS = 3;
  private static final int TOKENS = 3;

  private final Device device = open();
  private final Executable executable = load(device);
  private final State state = device.state(List.of());

  @AfterEach
  void close() {
    state.close();
    executable.close();
    device.close();
  }

  /** Four workers, and launches by Java between those by emitted code. */
  private static Device open() {
    return new CpuBackend()
        .open(Backend.Options.standard().withThreads(4).withForcedToReference(Set.of("map")));
  }

  private static Executable load(Device device) {
    var graph = new Graph.Builder();
    var tokens = graph.add(new Op.Input("tokens", Type.i32(Bounds.TOKENS)));
    var type = Type.f32(WIDTH, WIDTH);
    var weight = graph.add(new Op.Weight("w", type));
    var x = graph.add(new Op.Embed(weight, tokens));
    for (int i = 0; i < LAYERS; i++) {
      x = graph.add(new Op.Map(Fn.SIGMOID, graph.add(new Op.Linear(x, weight))));
    }
    graph.output("out", x);
    var memory = Arena.ofAuto().allocate((long) WIDTH * WIDTH * Float.BYTES, 64);
    for (int i = 0; i < WIDTH * WIDTH; i++) {
      memory.setAtIndex(ValueLayout.JAVA_FLOAT, i, (i * 31 % 101 - 50) / 100f);
    }
    var tensor = new Weights.Tensor("w", type, Encodings.F32, List.of(memory));
    var pipeline = Pipeline.of(device.target(), Stored.PLAIN, Set.copyOf(Pipeline.fusions()));
    var program = pipeline.compile(graph.build(), new Bounds(TOKENS, TOKENS));
    return device.load(program, device.prepare(name -> tensor));
  }

  private void run(Executable.Observer observer) {
    var part = new Step.Part(state, TOKENS);
    executable.run(
        new Step(new int[] {5, 6, 7}, new int[TOKENS], new int[] {0}, List.of(part)), observer);
  }

  private float[] output() {
    run(Executable.Observer.NONE);
    var row = new float[WIDTH];
    executable.read("out", TOKENS - 1, row);
    return row;
  }

  @Test
  void thereAreStagesOfBothKinds() {
    assertThat(executable.services()).extracting(s -> s.kind().toString()).contains("REFERENCE");
    assertThat(executable.services().size()).isGreaterThan(LAYERS);
  }

  @Test
  void anObserverThatThrowsEndsTheStepAndNotTheDevice() {
    var expected = output();
    int launches = executable.services().size();
    for (int unlucky = 0; unlucky < launches; unlucky++) {
      for (int i = 0; i < 20; i++) {
        var seen = new AtomicInteger(-unlucky);
        assertThatThrownBy(
                () ->
                    run(
                        (launch, service, nanos) -> {
                          if (seen.getAndIncrement() == 0) throw new ArithmeticException("mine");
                        }))
            .isInstanceOf(ArithmeticException.class)
            .hasMessage("mine");
        assertThat(output()).isEqualTo(expected);
      }
    }
  }

  @Test
  void anObserverThatRunsAStepIsTold() {
    assertThatThrownBy(() -> run((launch, service, nanos) -> run(Executable.Observer.NONE)))
        .isInstanceOf(BackendException.class)
        .hasMessageContaining("in use by this same thread");
    assertThat(output()).isNotEmpty();
  }

  @Test
  void anInterruptChangesNothingAndIsKept() {
    var expected = output();
    Thread.currentThread().interrupt();
    assertThat(output()).isEqualTo(expected);
    assertThat(Thread.interrupted()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 8})
  void aSecondThreadIsToldWhoIsThere(int count) throws InterruptedException {
    var expected = output();
    var strange = new ConcurrentLinkedQueue<Throwable>();
    var threads = new ArrayList<Thread>();
    for (int t = 0; t < count; t++) {
      threads.add(
          Thread.ofPlatform()
              .name("rival-" + t)
              .start(
                  () -> {
                    for (int i = 0; i < 200; i++) {
                      try {
                        run(Executable.Observer.NONE);
                      } catch (BackendException e) {
                        if (!e.getMessage().contains("in use by thread rival-")) strange.add(e);
                      } catch (Throwable e) {
                        strange.add(e);
                      }
                    }
                  }));
    }
    for (var thread : threads) thread.join();
    assertThat(strange).isEmpty();
    assertThat(output()).isEqualTo(expected);
  }

  @Test
  void aCloseWaitsForTheStepThatRuns() throws InterruptedException {
    for (int i = 0; i < 20; i++) {
      var device = open();
      var executable = load(device);
      var state = device.state(List.of());
      var begun = new AtomicBoolean();
      var end = new ConcurrentLinkedQueue<Throwable>();
      var part = new Step.Part(state, 1);
      var step = new Step(new int[] {1}, new int[1], new int[] {0}, List.of(part));
      var runner =
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      while (true) executable.run(step, (l, s, n) -> begun.set(true));
                    } catch (Throwable e) {
                      end.add(e);
                    }
                  });
      while (!begun.get()) Thread.onSpinWait();
      if (i % 2 == 0) executable.close();
      device.close();
      runner.join();
      executable.close();
      executable.close();
      device.close();
      state.close();
      assertThat(end).singleElement().isInstanceOf(BackendException.class);
      assertThat(end.peek()).hasMessageContaining("closed");
    }
  }
}
