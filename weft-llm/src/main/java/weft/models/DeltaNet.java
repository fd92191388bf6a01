package weft.models;

import weft.net.Meta;
import weft.net.Naming;
import weft.net.Net;
import weft.net.Range;
import weft.net.Tensor;

/**
 * Gated DeltaNet (arXiv:2412.06464): queries, keys and values pass a short convolution; a matrix a
 * head forgets by a decay, is corrected towards each value by the delta rule, and is read by the
 * query. Its state does not grow with the sequence.
 */
record DeltaNet(
    int keyHeads,
    int valueHeads,
    int keyDim,
    int valueDim,
    int kernel,
    Net.KeySharing sharing,
    Meta.Convention convention) {
  private static final double L2_EPSILON = 1e-6;

  /** What a layer projects its input to, before the convolution. */
  record Inputs(Tensor qkv, Tensor gate, Tensor beta, Tensor alpha) {}

  static DeltaNet of(Meta m, Net.KeySharing sharing) {
    int keyHeads = m.integer("ssm.group_count", Range.COUNT);
    int valueHeads = m.integer("ssm.time_step_rank", Range.COUNT);
    if (valueHeads % keyHeads != 0) {
      throw m.wrong(
          "ssm.time_step_rank",
          valueHeads,
          "a multiple of the " + keyHeads + " of " + m.spelling("ssm.group_count"));
    }
    int keyDim = m.integer("ssm.state_size", Range.STATE);
    int inner = m.integer("ssm.inner_size", Range.POSITIONS, valueHeads * keyDim);
    return new DeltaNet(
        keyHeads,
        valueHeads,
        keyDim,
        m.integer("ssm.value_size", Range.STATE, inner / valueHeads),
        m.integer("ssm.conv_kernel", Range.STATE),
        sharing,
        m.convention());
  }

  static Naming named(Naming naming) {
    return naming
        .key("linear_num_key_heads", "ssm.group_count")
        .key("linear_num_value_heads", "ssm.time_step_rank")
        .key("linear_key_head_dim", "ssm.state_size")
        .key("linear_value_head_dim", "ssm.value_size")
        .key("linear_conv_kernel_dim", "ssm.conv_kernel")
        .key("full_attention_interval", "full_attention_interval")
        .layer("linear_attn.conv1d", "ssm_conv1d")
        .layer("linear_attn.A_log", "ssm_a")
        .layer("linear_attn.dt_bias", "ssm_dt.bias")
        .layer("linear_attn.norm", "ssm_norm")
        .layer("linear_attn.out_proj", "ssm_out");
  }

  int keys() {
    return keyHeads * keyDim;
  }

  int values() {
    return valueHeads * valueDim;
  }

  Tensor of(Net net, Inputs in, int width) {
    var mixed = net.shortConv("ssm_conv1d", in.qkv, kernel).silu();
    var q = mixed.slice(0, keys()).heads(keyHeads).l2norm(L2_EPSILON).times(1 / Math.sqrt(keyDim));
    var k = mixed.slice(keys(), 2 * keys()).heads(keyHeads).l2norm(L2_EPSILON);
    var v = mixed.slice(2 * keys(), 2 * keys() + values()).heads(valueHeads);
    var step = in.alpha.plus(net.parameter("ssm_dt.bias", valueHeads)).softplus();
    var decay = step.times(rate(net)).exp();
    var read = net.deltaRule(q, k, v, decay, in.beta.sigmoid(), sharing);
    var gated = net.rmsNorm("ssm_norm", read).times(in.gate.heads(valueHeads).silu());
    return net.linear("ssm_out", gated.merge(), width);
  }

  /** How fast a head forgets: below zero, and trained as a logarithm. */
  private Tensor rate(Net net) {
    var a = net.parameter("ssm_a", valueHeads);
    return switch (convention) {
      case GGUF -> a;
      case TRANSFORMERS -> a.exp().negated();
    };
  }
}
