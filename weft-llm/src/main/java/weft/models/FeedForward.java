package weft.models;

import weft.net.Activation;
import weft.net.Meta;
import weft.net.Mixture;
import weft.net.Naming;
import weft.net.Net;
import weft.net.Range;
import weft.net.Tensor;

/** The half of a block that treats each token by itself. */
sealed interface FeedForward {
  Tensor of(Net net, Tensor x);

  /** A gated linear unit (arXiv:2002.05202): SwiGLU or GeGLU by its activation. */
  record Gated(int hidden, Activation activation) implements FeedForward {
    static Gated of(Meta m, Activation otherwise) {
      return new Gated(m.integer("feed_forward_length", Range.WIDTH), Activation.of(m, otherwise));
    }

    @Override
    public Tensor of(Net net, Tensor x) {
      return named(net, x, "");
    }

    private Tensor named(Net net, Tensor x, String suffix) {
      var gate = net.linear("ffn_gate" + suffix, x, hidden).activated(activation);
      var up = net.linear("ffn_up" + suffix, x, hidden);
      return net.linear("ffn_down" + suffix, gate.times(up), x.width());
    }
  }

  /**
   * Experts of which a router picks a few for each token (arXiv:2101.03961), and where {@code
   * shared} has a width one expert for all tokens, weighed by a gate of its own if it has one.
   */
  record Sparse(Mixture mixture, Gated shared) implements FeedForward {
    enum TopK {
      AS_SCORED,
      RENORMALIZED
    }

    /** {@code otherwise} is what Transformers means where the configuration is silent. */
    static Sparse of(Meta m, TopK otherwise) {
      var activation = Activation.of(m, Activation.SILU);
      boolean usually =
          switch (m.convention()) {
            case GGUF -> true;
            case TRANSFORMERS -> otherwise == TopK.RENORMALIZED;
          };
      double scale = m.real("expert_weights_scale", Range.FACTOR, 0);
      int experts = m.integer("expert_count", Range.COUNT);
      int used = m.integer("expert_used_count", Range.COUNT);
      if (used > experts) {
        var most = "1 to the " + experts + " of " + m.spelling("expert_count");
        throw m.wrong("expert_used_count", used, most);
      }
      var mixture =
          new Mixture(
              experts,
              used,
              m.integer("expert_feed_forward_length", Range.WIDTH),
              m.flag("expert_weights_norm", usually),
              scale == 0 ? 1 : scale,
              activation);
      int shared = m.integer("expert_shared_feed_forward_length", Range.WIDTH_OR_NONE, 0);
      return new Sparse(mixture, new Gated(shared, activation));
    }

    static Naming named(Naming naming) {
      return naming
          .key("num_experts", "expert_count")
          .key("num_local_experts", "expert_count")
          .key("num_experts_per_tok", "expert_used_count")
          .key("moe_intermediate_size", "expert_feed_forward_length")
          .key("shared_expert_intermediate_size", "expert_shared_feed_forward_length")
          .key("norm_topk_prob", "expert_weights_norm")
          .layer("mlp.gate", "ffn_gate_inp")
          .layer("mlp.experts.{*}.gate_proj", "ffn_gate_exps")
          .layer("mlp.experts.{*}.up_proj", "ffn_up_exps")
          .layer("mlp.experts.{*}.down_proj", "ffn_down_exps")
          .layer("mlp.experts.gate_up_proj", "ffn_gate_exps.weight", "ffn_up_exps.weight")
          .layer("mlp.experts.down_proj", "ffn_down_exps.weight")
          .layer("mlp.shared_expert.gate_proj", "ffn_gate_shexp")
          .layer("mlp.shared_expert.up_proj", "ffn_up_shexp")
          .layer("mlp.shared_expert.down_proj", "ffn_down_shexp")
          .layer("mlp.shared_expert_gate", "ffn_gate_inp_shexp");
    }

    @Override
    public Tensor of(Net net, Tensor x) {
      var scores = net.linear("ffn_gate_inp", x, mixture.experts());
      var chosen = net.experts(x, scores, mixture);
      if (shared.hidden == 0) return chosen;
      var common = shared.named(net, x, "_shexp");
      return net.has("ffn_gate_inp_shexp.weight")
          ? chosen.plus(common.times(net.linear("ffn_gate_inp_shexp", x, 1).sigmoid()))
          : chosen.plus(common);
    }
  }
}
