"""Compares model.py with Transformers and with golden logits of the draft head: `verify_model.py GOLDEN_FOLDER`."""

import json
import sys

import torch
from safetensors.torch import load_file
from transformers import Qwen3_5ForCausalLM

from model import Shape, WeftTiny


def main(folder):
    shape = Shape.read(folder + "/config.json")
    model = WeftTiny(shape)
    missing = model.load_state_dict(load_file(folder + "/model.safetensors"), strict=True)
    reference = Qwen3_5ForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()
    golden = load_file(folder + "/golden.safetensors")
    with open(folder + "/golden.json") as file:
        cases = json.load(file)["cases"]
    worst = 0.0
    for number, case in enumerate(cases):
        ids = torch.tensor([case["prompt"]])
        with torch.no_grad():
            trunk, draft = model(ids)
            ours = model.lm_head(trunk)
            theirs = reference(ids).logits
            worst = max(worst, (ours - theirs).abs().max().item())
            drafted = model.lm_head(draft)[0]
            worst = max(worst, (drafted - golden[f"{number}.mtp_logits"]).abs().max().item())
        greedy, _ = model.greedy([case["prompt"]], 12, stop=-1)
        again = list(case["prompt"])
        for _ in range(12):
            with torch.no_grad():
                again.append(reference(torch.tensor([again])).logits[0, -1].argmax().item())
        assert again[len(case["prompt"]) :] == greedy[0], (again, greedy)
    long = torch.randint(1, shape.vocab_size, (2, 200))
    with torch.no_grad():
        worst = max(worst, (model.lm_head(model(long)[0]) - reference(long).logits).abs().max().item())
    print(f"greatest difference of a logit {worst:.2e}", missing)
    assert worst < 2e-4
    weights = torch.randn(2, 200, shape.hidden_size)
    (reference.model(long).last_hidden_state * weights).sum().backward()
    (model(long)[0] * weights).sum().backward()
    worst = 0.0
    for name, parameter in reference.named_parameters():
        ours = dict(model.named_parameters())[name].grad
        if parameter.grad is not None and ours is not None:
            worst = max(worst, ((ours - parameter.grad).norm() / (parameter.grad.norm() + 1e-9)).item())
    print(f"greatest relative difference of a gradient {worst:.2e}")
    assert worst < 1e-3


if __name__ == "__main__":
    torch.manual_seed(0)
    main(sys.argv[1])
