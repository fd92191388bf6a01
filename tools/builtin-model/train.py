"""Trains the built-in model from scratch on one GPU: `train.py --out FOLDER [--steps N | --minutes M]`.

`--resume FILE.gguf` goes on from a file of `export.py`, for a second stage on longer rows.

Trunk and draft head learn together; only what the assistant says is learned in chats. Exact repetition needs the same
--steps, --seed, GPU and library versions; --minutes measures the machine first and then fixes the number of steps.
"""

import argparse
import json
import os
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from safetensors.torch import save_file
from tokenizers import Tokenizer

import gguf_file
import rows as training_rows
from gguf_names import gguf_name, transformers_value
from model import Layer, Shape, WeftTiny
from optimizer import Muon, split

DRAFT_WEIGHT = 0.3
SHARD_BYTES = 15 << 20
WARM_STEPS = 40


def learned(tokens, start, end, assistant):
    """1.0 where a token is one that the model shall learn to write: the assistant's words and its end mark."""
    place = torch.arange(tokens.shape[1], device=tokens.device).expand_as(tokens)
    opened = torch.where(tokens == start, place, -1).cummax(dim=1).values
    role = tokens.gather(1, (opened + 1).clamp(max=tokens.shape[1] - 1))
    spoken = (role == assistant) & (place - opened >= 3)
    after_end = F.pad(tokens[:, :-1] == end, (1, 0))
    prose = (opened == -1) & ~(tokens == tokens.new_tensor(start))
    return ((spoken & ~after_end) | prose).float()


def losses(model, batch, marks):
    """Mean loss of the trunk and of the draft head over learned tokens; batch is [rows, length + 2]."""
    tokens = batch[:, :-2]
    with torch.autocast(batch.device.type, dtype=torch.bfloat16):
        trunk, draft = model(tokens)
        first = head_loss(trunk, model.lm_head.weight, batch[:, 1:-1], marks[:, 1:-1])
        second = head_loss(draft, model.lm_head.weight, batch[:, 2:-1], marks[:, 2:-1])
    return first, second


def head_loss(hidden, weight, targets, marks):
    logits = F.linear(hidden, weight.to(hidden.dtype)).float()
    each = F.cross_entropy(logits.flatten(0, 1), targets.flatten(), reduction="none")
    return (each * marks.flatten()).sum() / marks.sum().clamp(min=1)


def rate_scale(step, steps, decay_share):
    """Short warm-up, a plateau, then a straight line to zero over the last share of the steps."""
    return min(1.0, (step + 1) / 100, max(0.0, (steps - step) / (steps * decay_share)))


def resume(model, path):
    """Takes the weights of a GGUF file, as rounded there."""
    stored = gguf_file.read(path)
    state = {}
    for name in model.state_dict():
        source = "model.embed_tokens.weight" if name == "lm_head.weight" else name
        value = transformers_value(source, stored[gguf_name(source, model.shape.num_hidden_layers)], model.shape)
        state[name] = torch.from_numpy(np.array(value))
    model.load_state_dict(state)


def save(model, folder, extra):
    """The state in several safetensors files, none larger than what a lease carries back."""
    part, size, number = {}, 0, 0
    for name, tensor in model.state_dict().items():
        if name == "lm_head.weight" and model.shape.tie_word_embeddings:
            continue
        tensor = tensor.detach().float().cpu().contiguous()
        if size + tensor.nbytes > SHARD_BYTES and part:
            save_file(part, folder / f"weights-{number}.safetensors")
            part, size, number = {}, 0, number + 1
        part[name] = tensor
        size += tensor.nbytes
    save_file(part, folder / f"weights-{number}.safetensors")
    (folder / "training.json").write_text(json.dumps(extra))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--rows", type=int, default=64)
    parser.add_argument("--length", type=int, default=1024)
    parser.add_argument("--steps", type=int, default=0)
    parser.add_argument("--minutes", type=float, default=0)
    parser.add_argument("--muon-rate", type=float, default=0.02)
    parser.add_argument("--adam-rate", type=float, default=3e-3)
    parser.add_argument("--decay", type=float, default=0.5)
    parser.add_argument("--resume", type=Path)
    parser.add_argument("--workers", type=int, default=max(1, (os.cpu_count() or 2) - 2))
    parser.add_argument("--layers", type=int, default=Shape.num_hidden_layers)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    options = parser.parse_args()

    started = time.time()
    torch.manual_seed(options.seed)
    torch.set_float32_matmul_precision("high")
    limit = options.steps or 1_000_000
    source = training_rows.batches(options.seed, ((options.rows, options.length) for _ in range(min(limit, 20_000))), options.workers)
    tokenizer = Tokenizer.from_file(str(training_rows.TOKENIZER))
    start, assistant, newline = tokenizer.encode("<|im_start|>assistant\n").ids
    end = tokenizer.token_to_id("<|im_end|>")

    model = WeftTiny(Shape(num_hidden_layers=options.layers)).to(options.device)
    if options.resume:
        resume(model, options.resume)
    count = sum(parameter.numel() for parameter in model.parameters())
    print(f"{count} parameters, device {options.device}, torch {torch.__version__}", flush=True)
    matrices, others = split(model)
    muon = Muon(matrices, options.muon_rate)
    adam = torch.optim.AdamW(others, lr=options.adam_rate, betas=(0.9, 0.98), weight_decay=0.0, fused=options.device == "cuda")
    if options.device == "cuda":
        Layer.forward = torch.compile(Layer.forward, dynamic=False)
        globals()["head_loss"] = torch.compile(head_loss, dynamic=False)

    curve, steps, measured = [], options.steps, None
    sums = torch.zeros(2, device=options.device)
    seen = 0
    for step, array in enumerate(source):
        batch = torch.from_numpy(array.astype("int64")).to(options.device, non_blocking=True)
        scale = rate_scale(step, steps, options.decay) if steps else min(1.0, (step + 1) / 100)
        marks = learned(batch, start, end, assistant)
        first, second = losses(model, batch, marks)
        (first + DRAFT_WEIGHT * second).backward()
        norm = torch.nn.utils.clip_grad_norm_(others, 1.0)
        for group in adam.param_groups:
            group["lr"] = options.adam_rate * scale
        adam.step()
        muon.step(scale)
        model.zero_grad(set_to_none=True)
        sums += torch.stack([first.detach(), second.detach()])
        seen += 1
        if step == WARM_STEPS // 2:
            torch.cuda.synchronize() if options.device == "cuda" else None
            measured = time.time()
        if not steps and step == WARM_STEPS:
            torch.cuda.synchronize() if options.device == "cuda" else None
            each = (time.time() - measured) / (WARM_STEPS - WARM_STEPS // 2)
            steps = 2 * WARM_STEPS + max(0, int((options.minutes * 60 - (time.time() - started)) / each))
            print(f"{each * 1000:.1f} ms a step, {options.rows * options.length / each / 1e6:.2f} M tokens/s: {steps} steps", flush=True)
        if (step + 1) % 25 == 0 or step + 1 == steps:
            trunk_loss, draft_loss = (sums / seen).tolist()
            sums.zero_()
            seen = 0
            curve.append([step + 1, round(trunk_loss, 5), round(draft_loss, 5)])
            if (step + 1) % 100 == 0 or step < 200 or step + 1 == steps:
                spent = time.time() - started
                print(f"step {step + 1} trunk {trunk_loss:.4f} draft {draft_loss:.4f} norm {norm:.2f} {spent:.0f}s", flush=True)
        if step + 1 == steps:
            break
    source.close()
    facts = {
        "steps": steps, "seed": options.seed, "rows": options.rows, "length": options.length, "muon_rate": options.muon_rate, "adam_rate": options.adam_rate,
        "draft_weight": DRAFT_WEIGHT, "parameters": count, "seconds": round(time.time() - started, 1), "torch": torch.__version__, "layers": options.layers, "decay": options.decay, "resumed": options.resume is not None,
        "machine": torch.cuda.get_device_name() if options.device == "cuda" else "cpu", "curve": curve,
    }  # fmt: skip
    options.out.mkdir(parents=True, exist_ok=True)
    save(model, options.out, facts)
    print(f"saved after {facts['seconds']} s", flush=True)


if __name__ == "__main__":
    main()
