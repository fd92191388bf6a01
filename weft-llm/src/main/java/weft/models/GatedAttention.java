package weft.models;

import weft.net.Attention;
import weft.net.Net;
import weft.net.Rope;
import weft.net.Tensor;

/**
 * Grouped-query attention whose result is gated (arXiv:2505.06708): a head's queries come with the
 * gates of its output. Heads of queries and keys are normalized.
 */
record GatedAttention(Sizes sizes, Norm headNorm, Rope rope) {
  Tensor of(Net net, Tensor x) {
    int d = sizes.headDim();
    var queryAndGate = net.linear("attn_q", x, sizes.heads() * 2 * d).heads(sizes.heads());
    var q = headNorm.of(net, "attn_q_norm", queryAndGate.slice(0, d));
    var gate = queryAndGate.slice(d, 2 * d).merge();
    var k = net.linear("attn_k", x, sizes.kvHeads() * d).heads(sizes.kvHeads());
    var v = net.linear("attn_v", x, sizes.kvHeads() * d).heads(sizes.kvHeads());
    var turnedK = headNorm.of(net, "attn_k_norm", k).rope(rope);
    var attended = net.attend(q.rope(rope), turnedK, v, Attention.full(d)).merge();
    return net.linear("attn_output", attended.times(gate.sigmoid()), sizes.width());
  }
}
