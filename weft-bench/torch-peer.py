#!/usr/bin/env python3
"""How quick torch is on the shapes of weft-bench/gpu, as its users make it quick: bfloat16, a layer compiled by
Inductor, a decoding step captured as one CUDA graph, keys and values in place. Weights are random.

    torch-peer.py llama-3.2-1b|qwen3-8b reply STREAMS     256 greedy tokens of each stream, which stay on the device
    torch-peer.py llama-3.2-1b|qwen3-8b prompt TOKENS     one prompt, logits of its last token

Prints {"tokens_per_second": N}, the median of five behind one to warm up.
"""

import json
import statistics
import sys
import time
from dataclasses import dataclass

import torch
import torch.nn.functional as F

REPLY = 256
TURNS = 5


@dataclass
class Shape:
    layers: int
    width: int
    heads: int
    kv_heads: int
    head: int
    hidden: int
    vocabulary: int
    theta: float
    has_head_norms: bool


SHAPES = {
    "llama-3.2-1b": Shape(16, 2048, 32, 8, 64, 8192, 128256, 5e5, False),
    "qwen3-8b": Shape(36, 4096, 32, 8, 128, 12288, 151936, 1e6, True),
}


def random(*dims):
    return torch.randn(dims, dtype=torch.bfloat16, device="cuda") * 0.02


def norm(x, weight):
    return F.rms_norm(x, (x.shape[-1],), weight, 1e-5)


def turned(x, cosines, sines):
    low, high = x.chunk(2, -1)
    return x * cosines + torch.cat((-high, low), -1) * sines


class Decoder:
    def __init__(self, shape, streams, positions):
        s = self.shape = shape
        self.embedding = random(s.vocabulary, s.width)
        rows = (s.heads + 2 * s.kv_heads) * s.head
        self.layers = [
            (
                random(rows, s.width),
                random(s.width, s.heads * s.head),
                random(2 * s.hidden, s.width),
                random(s.width, s.hidden),
                torch.ones(2, s.width, dtype=torch.bfloat16, device="cuda"),
                torch.ones(2, s.head, dtype=torch.bfloat16, device="cuda"),
                torch.zeros(2, streams, s.kv_heads, positions, s.head, dtype=torch.bfloat16, device="cuda"),
            )
            for _ in range(s.layers)
        ]
        self.last_norm = torch.ones(s.width, dtype=torch.bfloat16, device="cuda")
        steps = torch.arange(0, s.head, 2, device="cuda") / s.head
        angles = torch.arange(positions, device="cuda")[:, None] / s.theta**steps
        angles = torch.cat((angles, angles), -1)
        self.cosines, self.sines = angles.cos().bfloat16(), angles.sin().bfloat16()
        self.layer = torch.compile(self.a_layer, dynamic=False)

    def heads_of(self, x, qkv, head_norms, cosines, sines):
        s = self.shape
        q, k, v = (x @ qkv.T).split([s.heads * s.head, s.kv_heads * s.head, s.kv_heads * s.head], -1)
        q, k, v = (each.unflatten(-1, (-1, s.head)) for each in (q, k, v))
        if s.has_head_norms:
            q, k = norm(q, head_norms[0]), norm(k, head_norms[1])
        return turned(q, cosines, sines), turned(k, cosines, sines), v

    def a_layer(self, x, position, cosines, sines, mask, weights):
        """Of rows that are a token of a stream each; without a position, of one stream's prompt."""
        qkv, out, gate_up, down, norms, head_norms, kv = weights
        s = self.shape
        q, k, v = self.heads_of(norm(x, norms[0]), qkv, head_norms, cosines, sines)
        if position is None:
            q, k, v = (each.transpose(0, 1)[None] for each in (q, k, v))
            kv[0].copy_(k)
            kv[1].copy_(v)
            met = F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)[0].transpose(0, 1)
        else:
            kv[0].index_copy_(2, position, k[:, :, None])
            kv[1].index_copy_(2, position, v[:, :, None])
            q = q.unflatten(1, (s.kv_heads, -1))
            scores = q @ kv[0].transpose(-1, -2) * s.head**-0.5 + mask
            met = scores.float().softmax(-1).bfloat16() @ kv[1]
        x = x + met.reshape(x.shape[0], -1) @ out.T
        gate, up = (norm(x, norms[1]) @ gate_up.T).chunk(2, -1)
        return x + (F.silu(gate) * up) @ down.T

    def prompt(self, tokens):
        x = F.embedding(tokens, self.embedding)
        cosines, sines = self.cosines[:, None], self.sines[:, None]
        for weights in self.layers:
            x = self.layer(x, None, cosines, sines, None, weights)
        return (norm(x[-1:], self.last_norm) @ self.embedding.T).argmax(-1)

    def step(self, tokens, position, positions):
        """Writes the next tokens over these, and moves on."""
        x = F.embedding(tokens, self.embedding)
        cosines, sines = self.cosines[position][:, None], self.sines[position][:, None]
        mask = torch.where(positions <= position, 0.0, float("-inf")).bfloat16()
        for weights in self.layers:
            x = self.layer(x, position, cosines, sines, mask, weights)
        tokens.copy_((norm(x, self.last_norm) @ self.embedding.T).argmax(-1))
        position.add_(1)


def median_rate(count, run):
    rates = []
    for _ in range(TURNS + 1):
        torch.cuda.synchronize()
        start = time.perf_counter()
        run()
        torch.cuda.synchronize()
        rates.append(count / (time.perf_counter() - start))
    return statistics.median(rates[1:])


def reply(shape, streams):
    decoder = Decoder(shape, streams, REPLY)
    tokens = torch.zeros(streams, dtype=torch.long, device="cuda")
    position = torch.zeros(1, dtype=torch.long, device="cuda")
    positions = torch.arange(REPLY, device="cuda")
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        for _ in range(3):
            decoder.step(tokens, position, positions)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        decoder.step(tokens, position, positions)

    def run():
        position.zero_()
        for _ in range(REPLY):
            graph.replay()

    return median_rate(streams * REPLY, run)


def prompt(shape, count):
    decoder = Decoder(shape, 1, count)
    tokens = torch.randint(shape.vocabulary, (count,), device="cuda")
    for _ in range(3):
        decoder.prompt(tokens).cpu()
    return median_rate(count, lambda: decoder.prompt(tokens).cpu())


def main():
    name, kind, count = sys.argv[1:]
    with torch.inference_mode():
        rate = {"reply": reply, "prompt": prompt}[kind](SHAPES[name], int(count))
    print(json.dumps({"tokens_per_second": rate}))


main()
