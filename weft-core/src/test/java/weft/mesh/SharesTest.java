package weft.mesh;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import weft.backend.Weights.Tensor;
import weft.ir.Type;
import weft.quant.Encoding;
import weft.quant.Encodings;

/** Shares hold the elements that their names say, of every encoding. */
class SharesTest {
  private static final int EXPERTS = 3;
  private static final int ROWS = 8;
  private static final int COLUMNS = 1024;

  static List<Encoding> encodings() {
    return List.copyOf(Encodings.all());
  }

  /** Bytes that are no two blocks' alike. */
  private static Tensor tensor(Encoding encoding, Type type, int parts) {
    long bytes = encoding.bytes((long) type.dim(0).fixed() * type.rowElements());
    var memory = Arena.ofAuto().allocate(bytes, 64);
    for (long i = 0; i < bytes; i++) {
      memory.set(ValueLayout.JAVA_BYTE, i, (byte) (i * 31 % 97));
    }
    long each = bytes / parts;
    var pieces = IntStream.range(0, parts).mapToObj(i -> memory.asSlice(i * each, each)).toList();
    return new Tensor("w", type, encoding, pieces);
  }

  private static float[] row(Tensor tensor, long row) {
    var out = new float[tensor.columns()];
    tensor.decodeRow(row, out, 0);
    return out;
  }

  @ParameterizedTest
  @MethodSource("encodings")
  void rowsAreWhereTheCheckpointHasThem(Encoding encoding) {
    var whole = tensor(encoding, Type.f32(ROWS, COLUMNS), 1);
    var share = new Shares(name -> whole, 1, 2).tensor("share.rows.0:8/2.w");
    assertThat(share.type()).isEqualTo(Type.f32(4, COLUMNS));
    assertThat(share.parts().getFirst().address())
        .isEqualTo(whole.parts().getFirst().address() + 4 * whole.rowBytes());
    for (int i = 0; i < 4; i++) assertThat(row(share, i)).isEqualTo(row(whole, 4 + i));
  }

  @ParameterizedTest
  @MethodSource("encodings")
  void rowsOfSeveralPlacesLieBehindEachOther(Encoding encoding) {
    var whole = tensor(encoding, Type.f32(ROWS, COLUMNS), 1);
    var share = new Shares(name -> whole, 1, 2).tensor("share.rows.0:4/2+4:4/2.w");
    int[] from = {2, 3, 6, 7};
    for (int i = 0; i < 4; i++) assertThat(row(share, i)).isEqualTo(row(whole, from[i]));
  }

  @ParameterizedTest
  @MethodSource("encodings")
  void columnsAreThoseOfEveryRow(Encoding encoding) {
    var whole = tensor(encoding, Type.f32(ROWS, COLUMNS), 1);
    var share = new Shares(name -> whole, 1, 2).tensor("share.columns.0:512/2+512:512/2.w");
    assertThat(share.type()).isEqualTo(Type.f32(ROWS, COLUMNS / 2));
    for (int i = 0; i < ROWS; i++) {
      var all = row(whole, i);
      var expected = new float[COLUMNS / 2];
      System.arraycopy(all, 256, expected, 0, 256);
      System.arraycopy(all, 768, expected, 256, 256);
      assertThat(row(share, i)).isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @MethodSource("encodings")
  void everyExpertIsCut(Encoding encoding) {
    for (int parts : new int[] {1, EXPERTS}) {
      var whole = tensor(encoding, Type.f32(EXPERTS, ROWS, COLUMNS), parts);
      var shares = new Shares(name -> whole, 0, 2);
      var rows = shares.tensor("share.rows.0:8/2.w");
      assertThat(rows.type()).isEqualTo(Type.f32(EXPERTS, 4, COLUMNS));
      assertThat(rows.parts()).hasSize(EXPERTS);
      var columns = shares.tensor("share.columns.0:1024/2.w");
      for (int e = 0; e < EXPERTS; e++) {
        assertThat(row(rows, e * 4 + 3)).isEqualTo(row(whole, e * ROWS + 3));
        assertThat(row(columns, e * ROWS + 3))
            .isEqualTo(Arrays.copyOf(row(whole, e * ROWS + 3), 512));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("encodings")
  void axesOfOneMayLieAnywhere(Encoding encoding) {
    var whole = tensor(encoding, Type.f32(ROWS, 1, COLUMNS), 1);
    var share = new Shares(name -> whole, 1, 2).tensor("share.rows.0:8/2.w");
    assertThat(row(share, 0)).isEqualTo(row(whole, 4));
    assertThat(share.parts()).extracting(MemorySegment::byteSize).hasSize(1);
  }
}
