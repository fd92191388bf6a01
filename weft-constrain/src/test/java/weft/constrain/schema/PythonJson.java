package weft.constrain.schema;

import java.math.BigDecimal;
import tools.jackson.databind.JsonNode;

/** Writes values as Python's {@code json.dumps(data, ensure_ascii=False)} does. */
final class PythonJson {
  private PythonJson() {}

  static String write(JsonNode value) {
    var text = new StringBuilder();
    write(value, text);
    return text.toString();
  }

  private static void write(JsonNode value, StringBuilder to) {
    if (value.isObject()) {
      to.append('{');
      var separator = "";
      for (var entry : value.properties()) {
        to.append(separator);
        quote(entry.getKey(), to);
        to.append(": ");
        write(entry.getValue(), to);
        separator = ", ";
      }
      to.append('}');
    } else if (value.isArray()) {
      to.append('[');
      var separator = "";
      for (var item : value) {
        to.append(separator);
        write(item, to);
        separator = ", ";
      }
      to.append(']');
    } else if (value.isString()) {
      quote(value.stringValue(), to);
    } else if (value.isNumber() && !value.isIntegralNumber()) {
      to.append(decimal(value.doubleValue()));
    } else {
      to.append(value);
    }
  }

  private static void quote(String text, StringBuilder to) {
    to.append('"').append(Spelling.of(text)).append('"');
  }

  private static String decimal(double value) {
    if (value == 0) return 1 / value < 0 ? "-0.0" : "0.0";
    var exact = new BigDecimal(Double.toString(value)).stripTrailingZeros();
    int exponent = exact.precision() - exact.scale() - 1;
    if (exponent >= -4 && exponent < 16) {
      return exact.scale() <= 0 ? exact.toPlainString() + ".0" : exact.toPlainString();
    }
    var digits = exact.unscaledValue().abs().toString();
    return (value < 0 ? "-" : "")
        + digits.charAt(0)
        + (digits.length() > 1 ? "." + digits.substring(1) : "")
        + "e%s%02d".formatted(exponent < 0 ? "-" : "+", Math.abs(exponent));
  }
}
