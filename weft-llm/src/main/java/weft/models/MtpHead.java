package weft.models;

import java.util.Optional;
import weft.net.Architecture;
import weft.net.Meta;
import weft.net.Naming;
import weft.net.Net;
import weft.net.Tensor;

/**
 * A head for multi-token prediction (arXiv:2412.19437, section 2.2): from a token and the hidden
 * row of the one before it, after the trunk's last norm, to the token that follows. Both are
 * normalized, joined and projected to one row, which passes one block of the trunk's kind with keys
 * and values of its own; embedding and projection to the vocabulary are the trunk's. Its own row,
 * at the point {@code final}, takes the trunk's place when a guess is to be followed by another.
 */
record MtpHead(Sizes sizes, String scope, Norm norm, Block block, int vocabulary)
    implements Architecture {
  /** The input that brings the hidden rows. */
  private static final String HIDDEN = "hidden";

  /** The trunk's block as the head has it: with attention to all. */
  @FunctionalInterface
  interface Block {
    Tensor of(Net net, Tensor x);
  }

  static Naming named(Naming naming) {
    return naming
        .layersOf("mtp.layers.{}.", "mtp.{}.")
        .tensor("mtp.fc", "mtp.0.nextn.eh_proj")
        .tensor("mtp.pre_fc_norm_embedding", "mtp.0.nextn.enorm")
        .tensor("mtp.pre_fc_norm_hidden", "mtp.0.nextn.hnorm")
        .tensor("mtp.norm", "mtp.0.nextn.shared_head_norm");
  }

  /** The head of a checkpoint, if it has one; the first where there are several. */
  static Optional<Architecture> of(Meta m, Sizes sizes, Norm norm, Block block, int vocabulary) {
    var scope =
        switch (m.convention()) {
          // A block behind the trunk's.
          case GGUF -> "blk." + sizes.layers();
          case TRANSFORMERS -> "mtp.0";
        };
    return m.has(scope + ".nextn.eh_proj.weight")
        ? Optional.of(new MtpHead(sizes, scope, norm, block, vocabulary))
        : Optional.empty();
  }

  @Override
  public int contextLength() {
    return sizes.contextLength();
  }

  @Override
  public Tensor logits(Net net) {
    var own = net.in(scope);
    int width = sizes.width();
    var token = norm.of(own, "nextn.enorm", net.embed("token_embd", width));
    var before = norm.of(own, "nextn.hnorm", net.rows(HIDDEN, width));
    var x = block.of(own, own.linear("nextn.eh_proj", net.concat(token, before), width));
    var last = net.point("final", norm.of(own, "nextn.shared_head_norm", x));
    return net.head("output", "token_embd", last, vocabulary);
  }
}
