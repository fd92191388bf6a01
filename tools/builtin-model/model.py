"""Qwen3.5's dense hybrid text model with its multi-token-prediction head, small enough to train in minutes.

Parameter names and shapes are those of Hugging Face Transformers (`Qwen3_5ForCausalLM`, plus the `mtp.*` tensors that
released checkpoints carry), so a state dict of this module *is* a Transformers checkpoint.
"""

import json
from dataclasses import asdict, dataclass

import torch
import torch.nn.functional as F
from torch import nn

from delta import gated_delta_rule


@dataclass(frozen=True)
class Shape:
    vocab_size: int = 4096
    hidden_size: int = 256
    intermediate_size: int = 768
    num_hidden_layers: int = 12
    full_attention_interval: int = 4
    num_attention_heads: int = 4
    num_key_value_heads: int = 2
    head_dim: int = 64
    partial_rotary_factor: float = 0.5
    rope_theta: float = 10000.0
    mrope_section: tuple = (6, 5, 5)
    linear_num_key_heads: int = 2
    linear_num_value_heads: int = 4
    linear_key_head_dim: int = 64
    linear_value_head_dim: int = 64
    linear_conv_kernel_dim: int = 4
    rms_norm_eps: float = 1e-6
    max_position_embeddings: int = 2048
    tie_word_embeddings: bool = True

    def layer_types(self):
        every = self.full_attention_interval
        return ["full_attention" if i % every == every - 1 else "linear_attention" for i in range(self.num_hidden_layers)]

    def config(self, eos, pad):
        """The config.json that Transformers reads."""
        plain = asdict(self)
        for moved in ("full_attention_interval", "rope_theta", "mrope_section"):
            del plain[moved]
        return plain | {
            "architectures": ["Qwen3_5ForCausalLM"],
            "model_type": "qwen3_5_text",
            "attention_bias": False,
            "attention_dropout": 0.0,
            "hidden_act": "silu",
            "initializer_range": 0.02,
            "layer_types": self.layer_types(),
            "mtp_num_hidden_layers": 1,
            "rope_parameters": {
                "mrope_interleaved": True,
                "mrope_section": list(self.mrope_section),
                "partial_rotary_factor": self.partial_rotary_factor,
                "rope_theta": self.rope_theta,
                "rope_type": "default",
            },
            "bos_token_id": pad,
            "eos_token_id": eos,
            "pad_token_id": pad,
            "dtype": "float32",
            "use_cache": True,
        }

    @staticmethod
    def of(config):
        """The shape that a config.json describes."""
        rope = config["rope_parameters"]
        names = Shape.__dataclass_fields__
        kept = {name: config[name] for name in names if name in config}
        kept["rope_theta"] = rope["rope_theta"]
        kept["partial_rotary_factor"] = rope["partial_rotary_factor"]
        kept["mrope_section"] = tuple(rope["mrope_section"])
        kept["full_attention_interval"] = config["layer_types"].index("full_attention") + 1
        return Shape(**kept)

    @staticmethod
    def read(path):
        with open(path) as file:
            return Shape.of(json.load(file))


class Norm(nn.Module):
    """Root-mean-square norm whose weight is stored as its distance from one."""

    def __init__(self, width, eps):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(width))
        self.eps = eps

    def forward(self, x):
        wide = x.float()
        wide = wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + self.eps)
        return (wide * (1 + self.weight)).type_as(x)


class GatedNorm(nn.Module):
    """Norm of each value head, then the output gate."""

    def __init__(self, width, eps):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))
        self.eps = eps

    def forward(self, x, gate):
        wide = x.float()
        wide = wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + self.eps)
        return (self.weight * wide * F.silu(gate.float())).type_as(gate)


class Mlp(nn.Module):
    def __init__(self, shape):
        super().__init__()
        self.gate_proj = nn.Linear(shape.hidden_size, shape.intermediate_size, bias=False)
        self.up_proj = nn.Linear(shape.hidden_size, shape.intermediate_size, bias=False)
        self.down_proj = nn.Linear(shape.intermediate_size, shape.hidden_size, bias=False)

    def forward(self, x):
        return self.down_proj(F.silu(self.gate_proj(x)) * self.up_proj(x))


def unit(x):
    return x * torch.rsqrt((x * x).sum(-1, keepdim=True) + 1e-6)


class DeltaNet(nn.Module):
    def __init__(self, shape):
        super().__init__()
        self.shape = shape
        self.keys = shape.linear_num_key_heads * shape.linear_key_head_dim
        self.values = shape.linear_num_value_heads * shape.linear_value_head_dim
        channels = 2 * self.keys + self.values
        self.conv1d = nn.Conv1d(
            channels, channels, shape.linear_conv_kernel_dim, groups=channels, bias=False,
            padding=shape.linear_conv_kernel_dim - 1,
        )  # fmt: skip
        self.dt_bias = nn.Parameter(torch.ones(shape.linear_num_value_heads))
        self.A_log = nn.Parameter(torch.empty(shape.linear_num_value_heads).uniform_(0.01, 16).log())
        self.norm = GatedNorm(shape.linear_value_head_dim, shape.rms_norm_eps)
        self.in_proj_qkv = nn.Linear(shape.hidden_size, channels, bias=False)
        self.in_proj_z = nn.Linear(shape.hidden_size, self.values, bias=False)
        self.in_proj_b = nn.Linear(shape.hidden_size, shape.linear_num_value_heads, bias=False)
        self.in_proj_a = nn.Linear(shape.hidden_size, shape.linear_num_value_heads, bias=False)
        self.out_proj = nn.Linear(self.values, shape.hidden_size, bias=False)

    def forward(self, x, _positions):
        batch, tokens, _ = x.shape
        kernel = self.shape.linear_conv_kernel_dim
        mixed = F.pad(self.in_proj_qkv(x), (0, 0, kernel - 1, 0))
        taps = self.conv1d.weight[:, 0]
        mixed = sum(mixed[:, i : i + tokens] * taps[:, i] for i in range(kernel))
        query, key, value = self.heads(F.silu(mixed.float()))
        rate, log_decay = self.rates(x)
        with torch.autocast(x.device.type, enabled=False):  # the rule's small systems need float32
            out = gated_delta_rule(query, key, value, log_decay, rate)
        return self.gated(x, out)

    def step(self, x, state, _position):
        """One token of every sequence; state holds the last inputs of the convolution and S."""
        window = torch.cat([state["conv"], self.in_proj_qkv(x)[:, None]], dim=1)
        state["conv"] = window[:, 1:]
        mixed = (window * self.conv1d.weight[:, 0].T).sum(1)
        query, key, value = (part[:, 0] for part in self.heads(F.silu(mixed[:, None])))
        rate, log_decay = self.rates(x)
        old = state["delta"] * log_decay.exp()[..., None, None]
        error = (value - torch.einsum("bhk,bhkv->bhv", key, old)) * rate[..., None]
        state["delta"] = old + key[..., None] * error[:, :, None, :]
        out = torch.einsum("bhk,bhkv->bhv", query * query.shape[-1] ** -0.5, state["delta"])
        return self.gated(x, out)

    def fresh(self, batch, _length, device):
        shape = self.shape
        return {
            "conv": torch.zeros(batch, shape.linear_conv_kernel_dim - 1, 2 * self.keys + self.values, device=device),
            "delta": torch.zeros(
                batch, shape.linear_num_value_heads, shape.linear_key_head_dim, shape.linear_value_head_dim,
                device=device,
            ),  # fmt: skip
        }

    def heads(self, mixed):
        shape = self.shape
        query, key, value = mixed.split([self.keys, self.keys, self.values], dim=-1)
        query, key = (unit(part.unflatten(-1, (shape.linear_num_key_heads, -1))) for part in (query, key))
        shared = shape.linear_num_value_heads // shape.linear_num_key_heads
        query, key = (part.repeat_interleave(shared, dim=-2) for part in (query, key))
        return query, key, value.unflatten(-1, (shape.linear_num_value_heads, -1))

    def rates(self, x):
        rate = self.in_proj_b(x).float().sigmoid()
        log_decay = -self.A_log.exp() * F.softplus(self.in_proj_a(x).float() + self.dt_bias)
        return rate, log_decay

    def gated(self, x, out):
        gate = self.in_proj_z(x).unflatten(-1, (self.shape.linear_num_value_heads, -1))
        return self.out_proj(self.norm(out, gate).flatten(-2))


class Attention(nn.Module):
    def __init__(self, shape):
        super().__init__()
        self.shape = shape
        width = shape.head_dim
        self.q_proj = nn.Linear(shape.hidden_size, shape.num_attention_heads * width * 2, bias=False)
        self.k_proj = nn.Linear(shape.hidden_size, shape.num_key_value_heads * width, bias=False)
        self.v_proj = nn.Linear(shape.hidden_size, shape.num_key_value_heads * width, bias=False)
        self.o_proj = nn.Linear(shape.num_attention_heads * width, shape.hidden_size, bias=False)
        self.q_norm = Norm(width, shape.rms_norm_eps)
        self.k_norm = Norm(width, shape.rms_norm_eps)

    def forward(self, x, positions):
        query, gate, key, value = self.project(x, positions)
        out = F.scaled_dot_product_attention(
            query.transpose(1, 2), key.transpose(1, 2), value.transpose(1, 2), is_causal=True, enable_gqa=True
        )
        return self.o_proj(out.transpose(1, 2).flatten(-2) * gate.sigmoid())

    def step(self, x, state, position):
        query, gate, key, value = self.project(x[:, None], torch.tensor([position], device=x.device))
        state["key"][:, position], state["value"][:, position] = key[:, 0], value[:, 0]
        seen_key, seen_value = (state[name][:, : position + 1].transpose(1, 2) for name in ("key", "value"))
        out = F.scaled_dot_product_attention(query.transpose(1, 2), seen_key, seen_value, enable_gqa=True)
        return self.o_proj(out.transpose(1, 2).flatten(-2) * gate.sigmoid())[:, 0]

    def chained(self, x, positions, memory):
        """The next row of every chain: row s sees the chains' first rows up to its own, and the later rows of chain s.

        `memory` has the keys and values of all chains, a pair for each step, and takes those of this one.
        """
        query, gate, key, value = self.project(x, positions)
        memory.append((key, value))
        count, width = x.shape[1], self.shape.head_dim
        (first_key, first_value), *later = ((k[:, :count], v[:, :count]) for k, v in memory)
        query = query.unflatten(2, (self.shape.num_key_value_heads, -1))
        unseen = torch.ones(count, count, dtype=torch.bool, device=x.device).triu(1)
        scores = [torch.einsum("bsghd,btgd->bsght", query, first_key).masked_fill(unseen[:, None, None], float("-inf"))]
        scores += [torch.einsum("bsghd,bsgd->bsgh", query, k)[..., None] for k, _ in later]
        weights = (torch.cat(scores, dim=-1).float() * width**-0.5).softmax(-1).type_as(value)
        out = torch.einsum("bsght,btgd->bsghd", weights[..., :count], first_value)
        out = out + sum(weights[..., count + i, None] * v[:, :, :, None] for i, (_, v) in enumerate(later))
        return self.o_proj(out.flatten(2) * gate.sigmoid())

    def fresh(self, batch, length, device):
        cache = (batch, length, self.shape.num_key_value_heads, self.shape.head_dim)
        return {"key": torch.zeros(cache, device=device), "value": torch.zeros(cache, device=device)}

    def project(self, x, positions):
        width = self.shape.head_dim
        query, gate = self.q_proj(x).unflatten(-1, (-1, 2 * width)).chunk(2, dim=-1)
        key, value = (proj(x).unflatten(-1, (-1, width)) for proj in (self.k_proj, self.v_proj))
        return self.rotate(self.q_norm(query), positions), gate.flatten(-2), self.rotate(self.k_norm(key), positions), value

    def rotate(self, x, positions):
        turned = int(self.shape.head_dim * self.shape.partial_rotary_factor)
        exponents = torch.arange(0, turned, 2, device=x.device, dtype=torch.float32) / turned
        angles = positions.float()[:, None] * self.shape.rope_theta**-exponents
        cos, sin = angles.cos()[:, None], angles.sin()[:, None]
        first, second, kept = x.float().split([turned // 2, turned // 2, x.shape[-1] - turned], dim=-1)
        return torch.cat([first * cos - second * sin, second * cos + first * sin, kept], dim=-1).type_as(x)


class Layer(nn.Module):
    def __init__(self, shape, kind):
        super().__init__()
        self.kind = kind
        if kind == "linear_attention":
            self.linear_attn = DeltaNet(shape)
        else:
            self.self_attn = Attention(shape)
        self.mlp = Mlp(shape)
        self.input_layernorm = Norm(shape.hidden_size, shape.rms_norm_eps)
        self.post_attention_layernorm = Norm(shape.hidden_size, shape.rms_norm_eps)

    def mixer(self):
        return self.linear_attn if self.kind == "linear_attention" else self.self_attn

    def forward(self, x, positions):
        x = x + self.mixer()(self.input_layernorm(x), positions)
        return x + self.mlp(self.post_attention_layernorm(x))

    def step(self, x, state, position):
        x = x + self.mixer().step(self.input_layernorm(x), state, position)
        return x + self.mlp(self.post_attention_layernorm(x))


class Trunk(nn.Module):
    def __init__(self, shape):
        super().__init__()
        self.embed_tokens = nn.Embedding(shape.vocab_size, shape.hidden_size)
        self.layers = nn.ModuleList(Layer(shape, kind) for kind in shape.layer_types())
        self.norm = Norm(shape.hidden_size, shape.rms_norm_eps)


class Draft(nn.Module):
    """The multi-token-prediction head: from the trunk's state at token r and token r+1 it predicts token r+2."""

    def __init__(self, shape):
        super().__init__()
        self.fc = nn.Linear(2 * shape.hidden_size, shape.hidden_size, bias=False)
        self.layers = nn.ModuleList([Layer(shape, "full_attention")])
        self.norm = Norm(shape.hidden_size, shape.rms_norm_eps)
        self.pre_fc_norm_embedding = Norm(shape.hidden_size, shape.rms_norm_eps)
        self.pre_fc_norm_hidden = Norm(shape.hidden_size, shape.rms_norm_eps)

    def joined(self, embedded, hidden):
        return self.fc(torch.cat([self.pre_fc_norm_embedding(embedded), self.pre_fc_norm_hidden(hidden)], dim=-1))

    def chains(self, embedded, trunk, steps):
        """The rows of chains that begin at every place, as the runtime makes them, for each of `steps` steps.

        Chain s begins with the trunk's row s and token s + 1. Each step after the first has the head's own row in the
        trunk's place and the next token; its row s, [batch, tokens - step, width], predicts token s + step + 1.
        """
        (layer,) = self.layers
        positions = torch.arange(embedded.shape[1], device=embedded.device)
        rows, own, memory = [], trunk[:, :-1], []
        for step in range(1, steps + 1):
            x = self.joined(embedded[:, step:], own[:, : embedded.shape[1] - step])
            x = x + layer.self_attn.chained(layer.input_layernorm(x), positions[step:], memory)
            x = x + layer.mlp(layer.post_attention_layernorm(x))
            own = self.norm(x)
            rows.append(own)
        return rows


class WeftTiny(nn.Module):
    def __init__(self, shape):
        super().__init__()
        self.shape = shape
        self.model = Trunk(shape)
        self.mtp = Draft(shape)
        self.lm_head = nn.Linear(shape.hidden_size, shape.vocab_size, bias=False)
        for name, parameter in self.named_parameters():
            if parameter.dim() == 2:
                nn.init.normal_(parameter, std=0.02)
                if name.endswith(("down_proj.weight", "o_proj.weight", "out_proj.weight")):
                    parameter.data.div_((2 * shape.num_hidden_layers) ** 0.5)
        if shape.tie_word_embeddings:
            self.lm_head.weight = self.model.embed_tokens.weight

    def forward(self, tokens):
        """Hidden states after the final norm: of the trunk, and of the draft head (one position shorter)."""
        positions = torch.arange(tokens.shape[1], device=tokens.device)
        embedded = self.model.embed_tokens(tokens)
        x = embedded
        for layer in self.model.layers:
            x = layer(x, positions)
        trunk = self.model.norm(x)
        x = self.mtp.joined(embedded[:, 1:], trunk[:, :-1])
        for layer in self.mtp.layers:
            x = layer(x, positions[1:])
        return trunk, self.mtp.norm(x)

    @torch.no_grad()
    def greedy(self, prompts, limit, stop, temperature=0.0, generator=None):
        """Continues every prompt (lists of ids) until `stop` or `limit` new ids, all in one batch.

        Every sequence starts at position 0 and reads its own prompt first, so no padding enters a state.
        """
        device = self.lm_head.weight.device
        lengths = [len(prompt) for prompt in prompts]
        total = max(lengths) + limit
        tokens = torch.full((len(prompts), total), stop, device=device)
        for row, prompt in enumerate(prompts):
            tokens[row, : len(prompt)] = torch.tensor(prompt, device=device)
        starts = torch.tensor(lengths, device=device)
        ends = starts + limit
        states = [layer.mixer().fresh(len(prompts), total, device) for layer in self.model.layers]
        done = torch.zeros(len(prompts), dtype=torch.bool, device=device)
        for position in range(total - 1):
            x = self.model.embed_tokens(tokens[:, position])
            for layer, state in zip(self.model.layers, states):
                x = layer.step(x, state, position)
            following = position + 1
            writing = (following >= starts) & (following < ends) & ~done
            if following >= min(lengths):
                logits = self.lm_head(self.model.norm(x))
                if temperature > 0:
                    chosen = torch.multinomial((logits / temperature).softmax(-1), 1, generator=generator)[:, 0]
                else:
                    chosen = logits.argmax(-1)
                tokens[:, following] = torch.where(writing, chosen, tokens[:, following])
                done |= writing & (chosen == stop)
                done |= following + 1 >= ends
                if following % 16 == 0 and bool(done.all()):
                    break
        replies = []
        for row, start in enumerate(lengths):
            reply = tokens[row, start : start + limit].tolist()
            replies.append(reply[: reply.index(stop)] if stop in reply else reply)
        stopped = [stop in tokens[row, start : start + limit].tolist() for row, start in enumerate(lengths)]
        return replies, stopped
