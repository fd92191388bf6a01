"""Between Transformers' tensors of a Qwen3.5 text model and GGUF's: names, norm shift, order of the delta-net heads."""

import numpy as np

_ATTENTION = {
    "self_attn.q_proj.weight": "attn_q.weight", "self_attn.k_proj.weight": "attn_k.weight", "self_attn.v_proj.weight": "attn_v.weight",
    "self_attn.o_proj.weight": "attn_output.weight", "self_attn.q_norm.weight": "attn_q_norm.weight", "self_attn.k_norm.weight": "attn_k_norm.weight",
    "input_layernorm.weight": "attn_norm.weight", "post_attention_layernorm.weight": "post_attention_norm.weight",
    "mlp.gate_proj.weight": "ffn_gate.weight", "mlp.up_proj.weight": "ffn_up.weight", "mlp.down_proj.weight": "ffn_down.weight",
}  # fmt: skip
_DELTA = {
    "A_log": "ssm_a", "conv1d.weight": "ssm_conv1d.weight", "dt_bias": "ssm_dt.bias", "in_proj_a.weight": "ssm_alpha.weight", "in_proj_b.weight": "ssm_beta.weight",
    "in_proj_qkv.weight": "attn_qkv.weight", "in_proj_z.weight": "attn_gate.weight", "norm.weight": "ssm_norm.weight", "out_proj.weight": "ssm_out.weight",
}  # fmt: skip
_DRAFT = {
    "fc.weight": "nextn.eh_proj.weight", "norm.weight": "nextn.shared_head_norm.weight",
    "pre_fc_norm_embedding.weight": "nextn.enorm.weight", "pre_fc_norm_hidden.weight": "nextn.hnorm.weight",
}  # fmt: skip
_TOP = {"model.embed_tokens.weight": "token_embd.weight", "model.norm.weight": "output_norm.weight", "lm_head.weight": "output.weight"}


def gguf_name(name, layers):
    if name in _TOP:
        return _TOP[name]
    if name.startswith("mtp.layers."):
        number, rest = name.removeprefix("mtp.layers.").split(".", 1)
        return f"blk.{layers + int(number)}.{_ATTENTION[rest]}"
    if name.startswith("mtp."):
        return f"blk.{layers}.{_DRAFT[name.removeprefix('mtp.')]}"
    number, rest = name.removeprefix("model.layers.").split(".", 1)
    if rest.startswith("linear_attn."):
        return f"blk.{number}.{_DELTA[rest.removeprefix('linear_attn.')]}"
    return f"blk.{number}.{_ATTENTION[rest]}"


def _tiled(rows, shape, head):
    """Value heads that share a key head lie side by side in Transformers; GGUF lays out the first of every group, then the second."""
    keys = shape.linear_num_key_heads
    each = shape.linear_num_value_heads // keys
    return rows.reshape(keys, each, head, -1).swapaxes(0, 1).reshape(rows.shape)


def gguf_value(name, value, shape):
    """The tensor as GGUF stores it."""
    part = name.rsplit("linear_attn.", 1)[-1] if "linear_attn." in name else None
    width = shape.linear_value_head_dim
    keys = 2 * shape.linear_num_key_heads * shape.linear_key_head_dim
    if part is None:
        return value + 1 if name.endswith("norm.weight") or "pre_fc_norm" in name else value
    if part == "A_log":
        return _tiled(-np.exp(value), shape, 1)
    if part in ("dt_bias", "in_proj_a.weight", "in_proj_b.weight"):
        return _tiled(value, shape, 1)
    if part == "in_proj_z.weight":
        return _tiled(value, shape, width)
    if part == "out_proj.weight":
        return np.ascontiguousarray(_tiled(np.ascontiguousarray(value.T), shape, width).T)
    if part in ("in_proj_qkv.weight", "conv1d.weight"):
        rows = value[:, 0] if part == "conv1d.weight" else value
        return np.concatenate([rows[:keys], _tiled(rows[keys:], shape, width)])
    return value


def _grouped(rows, shape, head):
    """The inverse of `_tiled`."""
    keys = shape.linear_num_key_heads
    each = shape.linear_num_value_heads // keys
    return rows.reshape(each, keys, head, -1).swapaxes(0, 1).reshape(rows.shape)


def transformers_value(name, stored, shape):
    """The inverse of `gguf_value`."""
    part = name.rsplit("linear_attn.", 1)[-1] if "linear_attn." in name else None
    width = shape.linear_value_head_dim
    keys = 2 * shape.linear_num_key_heads * shape.linear_key_head_dim
    if part is None:
        return stored - 1 if name.endswith("norm.weight") or "pre_fc_norm" in name else stored
    if part == "A_log":
        return np.log(-_grouped(stored, shape, 1))
    if part in ("dt_bias", "in_proj_a.weight", "in_proj_b.weight"):
        return _grouped(stored, shape, 1)
    if part == "in_proj_z.weight":
        return _grouped(stored, shape, width)
    if part == "out_proj.weight":
        return np.ascontiguousarray(_grouped(np.ascontiguousarray(stored.T), shape, width).T)
    if part in ("in_proj_qkv.weight", "conv1d.weight"):
        rows = np.concatenate([stored[:keys], _grouped(stored[keys:], shape, width)])
        return rows[:, None] if part == "conv1d.weight" else rows
    return stored


def shape_metadata(shape, arch="qwen35"):
    """The hyperparameters, name -> (kind, value)."""
    rotated = int(shape.head_dim * shape.partial_rotary_factor)
    values = {
        "block_count": ("u32", shape.num_hidden_layers + 1), "context_length": ("u32", shape.max_position_embeddings),
        "embedding_length": ("u32", shape.hidden_size), "feed_forward_length": ("u32", shape.intermediate_size),
        "attention.head_count": ("u32", shape.num_attention_heads), "attention.head_count_kv": ("u32", shape.num_key_value_heads),
        "rope.dimension_sections": ("i32s", [*shape.mrope_section, 0]), "rope.freq_base": ("f32", shape.rope_theta),
        "attention.layer_norm_rms_epsilon": ("f32", shape.rms_norm_eps), "attention.key_length": ("u32", shape.head_dim),
        "attention.value_length": ("u32", shape.head_dim), "nextn_predict_layers": ("u32", 1), "ssm.conv_kernel": ("u32", shape.linear_conv_kernel_dim),
        "ssm.state_size": ("u32", shape.linear_key_head_dim), "ssm.group_count": ("u32", shape.linear_num_key_heads),
        "ssm.time_step_rank": ("u32", shape.linear_num_value_heads), "ssm.inner_size": ("u32", shape.linear_num_value_heads * shape.linear_value_head_dim),
        "full_attention_interval": ("u32", shape.full_attention_interval), "rope.dimension_count": ("u32", rotated),
    }  # fmt: skip
    return {f"{arch}.{name}": value for name, value in values.items()}
