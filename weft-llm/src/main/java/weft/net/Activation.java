package weft.net;

import weft.ir.Fn;

/** The nonlinearity of a feed-forward, by the names that Transformers gives it. */
public enum Activation {
  SILU(Fn.SILU),
  GELU(Fn.GELU_ERF),
  /** GELU by its tanh approximation. */
  GELU_TANH(Fn.GELU_TANH),
  RELU(Fn.RELU);

  private final Fn fn;

  Activation(Fn fn) {
    this.fn = fn;
  }

  Fn fn() {
    return fn;
  }

  /** What the checkpoint asks for, or {@code otherwise} when it does not say. */
  public static Activation of(Meta meta, Activation otherwise) {
    return of(meta, "activation", otherwise);
  }

  /** The same by another key. */
  public static Activation of(Meta meta, String key, Activation otherwise) {
    var name = meta.text(key, "");
    return switch (name) {
      case "" -> otherwise;
      case "silu", "swish" -> SILU;
      case "gelu" -> GELU;
      case "gelu_pytorch_tanh", "gelu_new" -> GELU_TANH;
      case "relu" -> RELU;
      default -> throw meta.wrong(key, name, "silu, gelu, gelu_pytorch_tanh or relu");
    };
  }
}
