package weft.models;

import weft.net.Meta;
import weft.net.Net;
import weft.net.Tensor;

/** A normalization by its weight's name. */
@FunctionalInterface
interface Norm {
  /** Leaves its input as it is. */
  Norm NONE = (net, name, x) -> x;

  /** RMSNorm (arXiv:1910.07467). */
  Norm RMS = Net::rmsNorm;

  Tensor of(Net net, String name, Tensor x);

  /** RMSNorm whose weight is trained as a distance from one, which GGUF adds beforehand. */
  static Norm aroundOne(Meta m) {
    double offset =
        switch (m.convention()) {
          case GGUF -> 0;
          case TRANSFORMERS -> 1;
        };
    return (net, name, x) -> net.rmsNorm(name, x, offset);
  }
}
