"""Makes the checkpoints under options/: tiny models with random weights whose settings the other goldens
leave at their defaults, and what Transformers computes for them. Needs torch and transformers 5.17.

    python3 options.py OUT
"""
import copy
import json
import math
import shutil
import sys
from pathlib import Path

import torch
import transformers
from safetensors.torch import load_file, save_file
from transformers import AutoConfig, AutoModelForCausalLM

VOCABULARY = 67
BASE = dict(vocab_size=VOCABULARY, pad_token_id=0, bos_token_id=1, eos_token_id=2, hidden_size=24, intermediate_size=40,
            num_hidden_layers=3, num_attention_heads=4, num_key_value_heads=2, max_position_embeddings=128)
PLAIN = {"rope_type": "default", "rope_theta": 10000.0}
DELTA = dict(linear_conv_kernel_dim=4, linear_key_head_dim=8, linear_value_head_dim=8, linear_num_key_heads=2,
             linear_num_value_heads=6, head_dim=16)
SECTIONS = {"rope_type": "default", "rope_theta": 100000.0, "partial_rotary_factor": 0.25, "mrope_section": [1, 1, 0],
            "mrope_interleaved": True}
full, slide, lin = "full_attention", "sliding_attention", "linear_attention"

# name: model type, settings, other ways to write the same model down
VARIANTS = {
 "llama-linear": ("llama", dict(num_attention_heads=6, num_key_value_heads=3, head_dim=8, attention_bias=True, tie_word_embeddings=True,
     rope_parameters={"rope_type": "linear", "factor": 2.5, "rope_theta": 5000.0})),
 "llama-dynamic": ("llama", dict(num_key_value_heads=1, rope_parameters={"rope_type": "dynamic", "factor": 2.0, "rope_theta": 10000.0})),
 "llama-yarn": ("llama", dict(head_dim=16, rope_parameters={"rope_type": "yarn", "factor": 4.0, "rope_theta": 10000.0,
     "original_max_position_embeddings": 32, "attention_factor": 1.3, "beta_fast": 16.0, "beta_slow": 2.0})),
 "llama-yarn-mscale": ("llama", dict(head_dim=16, rope_parameters={"rope_type": "yarn", "factor": 4.0, "rope_theta": 10000.0,
     "original_max_position_embeddings": 32, "mscale": 0.707, "mscale_all_dim": 1.0, "truncate": False})),
 "llama-longrope": ("llama", dict(head_dim=8, rope_parameters={"rope_type": "longrope", "rope_theta": 10000.0,
     "short_factor": [1.0, 1.2, 1.7, 2.5], "long_factor": [1.0, 2.0, 4.0, 8.0], "original_max_position_embeddings": 64})),
 "mistral-open": ("mistral", dict(sliding_window=None, head_dim=12, num_attention_heads=2, num_key_value_heads=2)),
 "gemma-gelu": ("gemma", dict(hidden_act="gelu", num_attention_heads=3, num_key_value_heads=3, head_dim=8, attention_bias=True, num_hidden_layers=2)),
 "gemma2-capped": ("gemma2", dict(attn_logit_softcapping=2.0, final_logit_softcapping=3.0, num_hidden_layers=5, head_dim=8,
     layer_types=[full, slide, slide, full, slide], sliding_window=4, query_pre_attn_scalar=9)),
 "gemma2-alternating": ("gemma2", dict(attn_logit_softcapping=2.0, final_logit_softcapping=3.0, num_hidden_layers=4, head_dim=8,
     sliding_window=4, query_pre_attn_scalar=8)),
 "gemma2-uncapped": ("gemma2", dict(attn_logit_softcapping=None, final_logit_softcapping=None, head_dim=8, sliding_window=4, query_pre_attn_scalar=8)),
 "gemma3-pattern": ("gemma3_text", dict(num_hidden_layers=7, sliding_window_pattern=3, sliding_window=5, head_dim=8, num_key_value_heads=1,
     final_logit_softcapping=5.0, query_pre_attn_scalar=20,
     rope_parameters={full: {"rope_type": "linear", "factor": 8.0, "rope_theta": 1000000.0}, slide: {"rope_type": "default", "rope_theta": 10000.0}}), "towers"),
 "gemma3-linear": ("gemma3_text", dict(num_hidden_layers=7, sliding_window=5, head_dim=8, query_pre_attn_scalar=8,
     rope_parameters={full: {"rope_type": "linear", "factor": 8.0, "rope_theta": 1000000.0}, slide: {"rope_type": "default", "rope_theta": 10000.0}})),
 "qwen2-windows": ("qwen2", dict(use_sliding_window=True, sliding_window=4, max_window_layers=1, num_hidden_layers=4, num_attention_heads=3, num_key_value_heads=1)),
 "qwen3-windows": ("qwen3", dict(attention_bias=True, use_sliding_window=True, sliding_window=6, layer_types=[slide, full, slide], head_dim=8, tie_word_embeddings=True)),
 "qwen3-linear": ("qwen3", dict(head_dim=8, num_attention_heads=6, num_key_value_heads=2, rope_parameters={"rope_type": "linear", "factor": 2.0, "rope_theta": 10000.0})),
 "qwen3-moe-steps": ("qwen3_moe", dict(decoder_sparse_step=2, num_hidden_layers=4, num_experts=5, num_experts_per_tok=3, moe_intermediate_size=20,
     norm_topk_prob=False, use_sliding_window=True, sliding_window=6, head_dim=8)),
 "qwen3-moe-dense-first": ("qwen3_moe", dict(mlp_only_layers=[0], num_experts=6, num_experts_per_tok=2, moe_intermediate_size=20, norm_topk_prob=True, head_dim=8), "merged"),
 "qwen3-moe-two-layers": ("qwen3_moe", dict(num_experts=6, num_experts_per_tok=2, moe_intermediate_size=20, norm_topk_prob=True, head_dim=8, num_hidden_layers=2)),
 "qwen3-next-odd": ("qwen3_next", dict(DELTA, linear_num_key_heads=1, linear_num_value_heads=3, linear_value_head_dim=12, linear_conv_kernel_dim=3, num_hidden_layers=5,
     layer_types=[lin, full, lin, lin, full], mlp_only_layers=[1], norm_topk_prob=False, num_experts=5, num_experts_per_tok=2, moe_intermediate_size=20,
     shared_expert_intermediate_size=28, rope_parameters={"rope_type": "default", "rope_theta": 10000.0, "partial_rotary_factor": 0.5})),
 "qwen3-next-tail": ("qwen3_next", dict(DELTA, num_hidden_layers=5, num_experts=5, num_experts_per_tok=2, moe_intermediate_size=20,
     shared_expert_intermediate_size=28, rope_parameters={"rope_type": "default", "rope_theta": 10000.0, "partial_rotary_factor": 0.25})),
 "qwen35-equal-heads": ("qwen3_5_text", dict(DELTA, linear_num_key_heads=3, linear_num_value_heads=3, num_hidden_layers=5, tie_word_embeddings=True, rope_parameters=SECTIONS)),
 "qwen35-wide": ("qwen3_5_text", dict(DELTA, linear_value_head_dim=12, attention_bias=True, layer_types=[full, lin, full], rope_parameters=dict(SECTIONS, partial_rotary_factor=0.5, mrope_section=[2, 1, 1]))),
 "qwen35-moe": ("qwen3_5_moe_text", dict(DELTA, num_hidden_layers=4, num_experts=5, num_experts_per_tok=1, moe_intermediate_size=20,
     shared_expert_intermediate_size=28, rope_parameters=SECTIONS), "merged"),
 "smollm3": ("smollm3", dict(num_hidden_layers=5, attention_bias=True, tie_word_embeddings=True, rope_parameters=PLAIN)),
 "smollm3-windows": ("smollm3", dict(num_hidden_layers=5, no_rope_layer_interval=2, use_sliding_window=True, sliding_window=4, tie_word_embeddings=False, rope_parameters=PLAIN)),
 "olmo2": ("olmo2", dict(num_attention_heads=3, num_key_value_heads=1, tie_word_embeddings=False, rope_parameters=PLAIN)),
 "olmo2-yarn": ("olmo2", dict(attention_bias=True, tie_word_embeddings=True, rope_parameters={"rope_type": "yarn", "factor": 4.0, "rope_theta": 10000.0, "original_max_position_embeddings": 32})),
}


def randomize(model, kind, seed):
    """Weights of a size that makes every option matter."""
    random = torch.Generator().manual_seed(seed)
    is_centred = kind.startswith(("gemma", "qwen3_next", "qwen3_5"))
    with torch.no_grad():
        for name, p in model.named_parameters():
            noise = torch.randn(p.shape, generator=random)
            if name.endswith("A_log"):
                p.copy_(torch.log(noise.abs() + 0.05))
            elif "dt_bias" in name or "conv1d" in name:
                p.copy_(0.5 * noise)
            elif "embed_tokens" in name:
                p.copy_(0.3 * noise if kind.startswith("gemma") else noise)
            elif p.ndim >= 2:
                p.copy_(1.2 * noise / math.sqrt(p.shape[-1]))
            elif "norm" in name:
                p.copy_(0.3 * noise if is_centred and "linear_attn.norm" not in name else 1 + 0.3 * noise)
            else:
                p.copy_(0.2 * noise)


@torch.no_grad()
def record(model, folder, seed):
    """The logits after some prompts and the tokens that follow, recomputed from scratch at each."""
    random = torch.Generator().manual_seed(1000 + seed)
    cases, arrays = [], {}
    for i, length in enumerate([1, 5, 23, 40]):
        prompt = torch.randint(3, VOCABULARY, (length,), generator=random).tolist()
        greedy, margins = [], []
        for step in range(12):
            logits = model(input_ids=torch.tensor([prompt + greedy]), use_cache=False).logits[0]
            if step == 0:
                arrays[f"{i}.logits"] = logits[-3:].contiguous()
            best = torch.topk(logits[-1], 2)
            margins.append(round(float(best.values[0] - best.values[1]), 6))
            greedy.append(int(best.indices[0]))
        cases.append(dict(prompt=prompt, greedy=greedy, margins=margins))
    about = dict(family=folder.name, transformers=transformers.__version__, seed=seed, cases=cases)
    (folder / "golden.json").write_text(json.dumps(about))
    save_file(arrays, folder / "golden.safetensors")


def rewrite(model, folder, way):
    """The same model as other programs write it: experts merged, or under a tower's name."""
    twin = folder.with_name(f"{folder.name}-{way}")
    shutil.copytree(folder, twin)
    if way == "merged":
        tensors = {name: p.clone().contiguous() for name, p in model.state_dict().items()}
    else:
        tensors = {"language_model." + name: t for name, t in load_file(folder / "model.safetensors").items()}
        tensors["vision_tower.vision_model.post_layernorm.weight"] = torch.ones(8)
        config = json.loads((folder / "config.json").read_text())
        (twin / "config.json").write_text(json.dumps(dict(model_type="gemma3", text_config=config), indent=1))
    save_file(tensors, twin / "model.safetensors", metadata={"format": "pt"})


def make(out, seed, name, kind, settings, *ways):
    config = AutoConfig.for_model(kind, **copy.deepcopy({**BASE, **settings}))
    # The faster attention leaves the soft cap on scores out.
    model = AutoModelForCausalLM.from_config(config, attn_implementation="eager", dtype=torch.float32).eval()
    randomize(model, kind, seed)
    folder = out / name
    model.save_pretrained(folder)
    (folder / "generation_config.json").unlink(missing_ok=True)
    record(model, folder, seed)
    for way in ways:
        rewrite(model, folder, way)


for seed, (name, variant) in enumerate(VARIANTS.items()):
    try:
        make(Path(sys.argv[1]), seed, name, *variant)
        print("made", name, flush=True)
    except Exception as e:
        print("FAILED", name, repr(e)[:500], flush=True)
