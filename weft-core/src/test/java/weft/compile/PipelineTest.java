package weft.compile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import weft.backend.Backend;
import weft.backend.ReferenceBackend;
import weft.ir.Fn;
import weft.ir.Graph;
import weft.ir.GraphText;
import weft.ir.Op;
import weft.ir.Value;
import weft.lir.Bounds;
import weft.lir.Stored;
import weft.lir.Target;

class PipelineTest {
  private static final Target TARGET =
      new ReferenceBackend().open(Backend.Options.standard()).target();

  private record Named(String name, UnaryOperator<Graph> rewrite) implements Pass {
    @Override
    public Graph run(Graph graph) {
      return rewrite.apply(graph);
    }
  }

  private static List<String> kinds(Graph graph) {
    return graph.values().stream().map(v -> v.op().mnemonic()).toList();
  }

  @Test
  void anUnknownFusionIsAnErrorThatListsTheKnownOnes() {
    assertThatThrownBy(() -> Pipeline.of(TARGET, Stored.PLAIN, Set.of("fuse-everything")))
        .isInstanceOf(CompileException.class)
        .hasMessageContaining("no fusion is called fuse-everything")
        .hasMessageContaining(Pipeline.fusions().toString());
    assertThat(Pipeline.fusions())
        .containsExactly(
            "narrow-to-wanted",
            "fuse-glu",
            "fold-bias",
            "merge-gate-up",
            "merge-projections",
            "fold-norm",
            "fold-residual",
            "fold-map",
            "fuse-add-norm",
            "fuse-rope");
  }

  @Test
  void cleanUpCannotBeSwitchedOff() {
    for (var name : List.of("fold-constants", "share-common", "eliminate-dead", "legalize")) {
      assertThatThrownBy(() -> Pipeline.of(TARGET, Stored.PLAIN, Set.of(name)))
          .isInstanceOf(CompileException.class)
          .hasMessageContaining(name);
    }
  }

  @Test
  void leavesOutJustTheFusionsNamed() {
    var passes =
        Pipeline.of(TARGET, Stored.PLAIN, Set.of("fuse-rope", "fold-norm")).passes().stream()
            .map(Pass::name)
            .toList();
    assertThat(passes)
        .doesNotContain("fuse-rope", "fold-norm")
        .containsAll(
            Pipeline.fusions().stream()
                .filter(f -> !f.equals("fuse-rope") && !f.equals("fold-norm"))
                .toList());
  }

  @Test
  void aLlamaLayerBecomesFiveLaunches() {
    var program =
        Pipeline.of(TARGET, Stored.PLAIN, Set.of()).compile(LlamaGraph.of(1), new Bounds(4, 1));
    assertThat(program.steps().stream().map(l -> l.op().mnemonic()))
        .containsExactly(
            "embed", // then the layer: qkv, attention, ...
            "project",
            "ropeattend",
            // The last layer's tail is computed for the wanted rows alone.
            "rows",
            "rows",
            "project",
            "project",
            "project",
            "project");
    assertThat(program.slots()).hasSize(1);
  }

  @Test
  void withoutFusionsEveryOpIsWhatTheModelSaid() {
    var all = Set.copyOf(Pipeline.fusions());
    var graph =
        Pipeline.of(TARGET, Stored.PLAIN, all).optimize(LlamaGraph.of(2), (pass, after) -> {});
    assertThat(kinds(graph).stream().collect(Collectors.groupingBy(Function.identity())))
        .doesNotContainKeys("project", "glu", "ropeattend", "addnorm");
  }

  @Test
  void theObserverSeesTheGraphAfterEachPass() {
    var seen = new LinkedHashMap<String, Graph>();
    var order = new ArrayList<String>();
    var result =
        Pipeline.of(TARGET, Stored.PLAIN, Set.of())
            .optimize(
                LlamaGraph.of(1),
                (pass, after) -> {
                  order.add(pass.name());
                  seen.put(pass.name(), after);
                });
    assertThat(order).hasSize(Pipeline.fusions().size() + 5).endsWith("legalize", "share-common");
    assertThat(seen.get("share-common")).isEqualTo(result);
    assertThat(kinds(seen.get("fuse-glu"))).contains("glu");
    assertThat(kinds(seen.get("merge-gate-up"))).doesNotContain("glu");
    assertThat(kinds(seen.get("fold-residual"))).doesNotContain("zip");
  }

  @Test
  void aPassThatBreaksTheGraphIsCaughtAndNamed() {
    var graph = GraphText.parse("%0 = input x f32[T,8]\n%1 = map SILU %0\noutput y %1");
    var x = graph.values().getFirst();
    var stranger = new Value(1, new Op.Map(Fn.EXP, x), x.type());
    var breaking = new Named("mix-graphs", g -> new Graph(g.values(), Map.of("y", stranger)));
    assertThatThrownBy(
            () -> new Pipeline(TARGET, List.of(breaking)).optimize(graph, (pass, after) -> {}))
        .isInstanceOf(CompileException.class)
        .hasMessageContaining("pass mix-graphs broke the graph")
        .hasMessageContaining("output y");
  }

  @Test
  void aPassThatBuildsAnIllTypedOpIsCaughtAndNamed() {
    var graph = GraphText.parse("%0 = input x f32[T,8]\noutput y %0");
    var illTyped =
        new Named(
            "three-heads",
            g -> {
              var into = new Graph.Builder();
              var x = into.add(g.values().getFirst().op());
              into.output("y", into.add(new Op.Heads(x, 3)));
              return into.build();
            });
    assertThatThrownBy(
            () -> new Pipeline(TARGET, List.of(illTyped)).optimize(graph, (pass, after) -> {}))
        .isInstanceOf(CompileException.class)
        .hasMessage("pass three-heads broke the graph: 8 columns do not split into 3 heads");
  }
}
