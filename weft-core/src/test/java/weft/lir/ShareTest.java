package weft.lir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import weft.ir.Type;

class ShareTest {
  private static final Share SHARE =
      new Share(
          "blk.0.attn_qkv.weight",
          Share.Axis.ROWS,
          List.of(new Share.Run(0, 64, 4), new Share.Run(64, 32, 2)));

  @Test
  void isKnownByItsName() {
    assertThat(SHARE.name()).isEqualTo("share.rows.0:64/4+64:32/2.blk.0.attn_qkv.weight");
    assertThat(Share.of(SHARE.name())).contains(SHARE);
    assertThat(Share.of("blk.0.attn_qkv.weight")).isEmpty();
    assertThat(Share.tensor(SHARE.name())).isEqualTo("blk.0.attn_qkv.weight");
  }

  @Test
  void hasAPieceOfEachRun() {
    assertThat(SHARE.type(Type.f32(96, 8))).isEqualTo(Type.f32(32, 8));
    assertThat(SHARE.runs().get(0).start(3, 4)).isEqualTo(48);
  }

  @Test
  void neighboursShareAPieceWhereThereAreTooFew() {
    var two = SHARE.runs().get(1);
    assertThat(List.of(two.start(0, 4), two.start(1, 4), two.start(2, 4), two.start(3, 4)))
        .containsExactly(64, 64, 80, 80);
  }

  @ParameterizedTest
  @ValueSource(strings = {"share.rows.w", "share.rows.0:5/2.w", "share.depths.0:4/2.w"})
  void anyOtherNameIsRefused(String name) {
    assertThatThrownBy(() -> Share.of(name)).isInstanceOf(ProgramException.class);
  }
}
