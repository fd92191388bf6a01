package weft.load;

import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import weft.backend.Service;
import weft.lir.Launch;
import weft.lir.Operand;
import weft.lir.Share;

/** Launches in words that are the same for every layer. */
final class LaunchText {
  private static final Pattern LAYER = Pattern.compile("^blk\\.\\d+\\.");

  private LaunchText() {}

  /** The op with the matrices it reads: {@code project attn_q+attn_k+attn_v}. */
  static String label(Launch launch) {
    var matrices =
        launch.operands().stream()
            .filter(operand -> operand instanceof Operand.Weight && operand.type().rank() > 1)
            .map(operand -> shortName(((Operand.Weight) operand).name()))
            .distinct()
            .collect(Collectors.joining("+"));
    return matrices.isEmpty() ? launch.op().mnemonic() : launch.op().mnemonic() + " " + matrices;
  }

  /** What a weight is called in its layer, whole or a share of it. */
  static String shortName(String weight) {
    var inLayer = LAYER.matcher(Share.tensor(weight)).replaceFirst("");
    return inLayer.endsWith(".weight")
        ? inLayer.substring(0, inLayer.length() - ".weight".length())
        : inLayer;
  }

  static String kernel(Service service) {
    return service.kind().name().toLowerCase(Locale.ROOT) + " " + service.kernel();
  }
}
