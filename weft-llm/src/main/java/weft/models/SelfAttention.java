package weft.models;

import weft.net.Attention;
import weft.net.Net;
import weft.net.Rope;
import weft.net.Tensor;

/**
 * Grouped-query attention (arXiv:2305.13245): several heads of queries share a head of keys and
 * values. A family may normalize each head of queries and keys.
 */
record SelfAttention(Sizes sizes, Norm headNorm) {
  Tensor of(Net net, Tensor x, Rope rope, Attention how) {
    int d = sizes.headDim();
    var q = net.linear("attn_q", x, sizes.heads() * d).heads(sizes.heads());
    var k = net.linear("attn_k", x, sizes.kvHeads() * d).heads(sizes.kvHeads());
    var v = net.linear("attn_v", x, sizes.kvHeads() * d).heads(sizes.kvHeads());
    var turnedQ = headNorm.of(net, "attn_q_norm", q).rope(rope);
    var turnedK = headNorm.of(net, "attn_k_norm", k).rope(rope);
    var attended = net.attend(turnedQ, turnedK, v, how);
    return net.linear("attn_output", attended.merge(), sizes.width());
  }
}
