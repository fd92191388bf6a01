package weft.ir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class VerifierTest {
  private static final Type ROWS = Type.f32(new Dim.Sym("T"), Dim.of(8));
  private static final Value X = new Value(0, new Op.Input("x", ROWS), ROWS);
  private static final Value Y = new Value(1, new Op.Map(Fn.SILU, X), ROWS);

  private static void assertRefused(Graph graph, String complaint) {
    assertThatThrownBy(() -> Verifier.verify(graph))
        .isInstanceOf(IrException.class)
        .hasMessageContaining(complaint);
  }

  @Test
  void givesALegalGraphBack() {
    var graph = new Graph(List.of(X, Y), Map.of("y", Y));
    assertThat(Verifier.verify(graph)).isSameAs(graph);
  }

  @Test
  void aValueStandsAtThePlaceOfItsId() {
    assertRefused(new Graph(List.of(Y, X), Map.of()), "%1 = map stands at place 0");
  }

  @Test
  void aValueComesAfterWhatItUses() {
    var early = new Value(0, new Op.Map(Fn.SILU, Y), ROWS);
    assertRefused(
        new Graph(List.of(early, Y), Map.of()), "%0 = map uses %1, which does not come before it");
  }

  @Test
  void aValueUsesValuesOfItsOwnGraph() {
    var twin = new Value(0, new Op.Input("z", ROWS), ROWS);
    assertRefused(new Graph(List.of(twin, Y), Map.of()), "%1 = map uses a %0 of another graph");
  }

  @Test
  void aTypeIsTheOneInferred() {
    var wrong = new Value(1, new Op.Map(Fn.SILU, X), Type.f32(8));
    assertRefused(
        new Graph(List.of(X, wrong), Map.of()), "%1 = map is typed f32[8] but infers f32[T,8]");
  }

  @Test
  void anOutputIsAValueOfTheGraph() {
    assertRefused(
        new Graph(List.of(X), Map.of("y", Y)), "%1 = map is output y but not of this graph");
  }

  @Test
  void graphsAreEqualWhenTheySayTheSame() {
    var silu = new Graph(List.of(X, Y), Map.of("y", Y));
    var exp = new Value(1, new Op.Map(Fn.EXP, X), ROWS);
    assertThat(silu).isNotEqualTo(new Graph(List.of(X, exp), Map.of("y", exp)));
    assertThat(silu).isNotEqualTo(new Graph(List.of(X, Y), Map.of("z", Y)));
    assertThat(silu)
        .isEqualTo(GraphText.parse("%4 = input x f32[T,8]\n%7 = map SILU %4\noutput y %7"))
        .hasSameHashCodeAs(GraphText.parse(silu.toString()));
  }
}
