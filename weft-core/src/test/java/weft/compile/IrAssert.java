package weft.compile;

import static org.assertj.core.api.Assertions.assertThat;

import weft.ir.GraphText;
import weft.ir.Verifier;

/**
 * Passes as text in, text out. Ids in an expected text may have gaps: both sides are renumbered.
 */
final class IrAssert {
  private IrAssert() {}

  static void assertRewrites(Pass pass, String before, String after) {
    var rewritten = Verifier.verify(pass.run(GraphText.parse(before)));
    assertThat(GraphText.print(rewritten)).isEqualTo(GraphText.print(GraphText.parse(after)));
  }

  static void assertLeaves(Pass pass, String graph) {
    assertRewrites(pass, graph, graph);
  }
}
