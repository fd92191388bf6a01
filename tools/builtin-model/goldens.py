"""Greedy continuations by Transformers in float32 on the file's own weights: `goldens.py WEIGHTS_FOLDER OUT.json`.

Weft's tests compare with them: prompt ids, greedy ids up to the end mark or 40, and at each step the distance of the best
logit to the second, which says how far a backend may round without another token coming out.
"""

import json
import sys
import tempfile
from pathlib import Path

import torch
import transformers
from tokenizers import Tokenizer
from transformers import Qwen3_5ForCausalLM

from export import read_state, rounded_state, write_hf
from model import Shape
from rows import TOKENIZER

CHATS = (
    (None, "What can you do?"), (None, "Tell me a story about a fox named Bianca."), ("You are a helpful assistant.", "What is the capital of France?"), (None, "What is 27 + 48?"), (None, "How do I start a server?"),
    ("Answer in one short sentence.", "What does a panda eat?"), (None, "Extract the name and the age as JSON: Anna is 41 years old and lives in Oslo."), (None, "How do you say water in German?"),
    (None, "Write a story about Lars and Tilda."), (None, "Who are you?"), (None, "hi"), (None, "quick question: which city is the capital of kenya"), (None, "34 * 7"),
)  # fmt: skip
PLAIN = ("Once upon a time, there was a little fox named Mia.", "What is the capital of Italy?\n")
STEPS = 40


def main(weights, out):
    shape = Shape()
    tokenizer = Tokenizer.from_file(str(TOKENIZER))
    end = tokenizer.token_to_id("<|im_end|>")
    with tempfile.TemporaryDirectory() as folder:
        write_hf(Path(folder), rounded_state(read_state(weights), shape), shape)
        model = Qwen3_5ForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()
    cases = []
    prompts = []
    for system, user in CHATS:
        head = f"<|im_start|>system\n{system}<|im_end|>\n" if system else ""
        prompts.append(f"{head}<|im_start|>user\n{user}<|im_end|>\n<|im_start|>assistant\n")
    for text in (*prompts, *PLAIN):
        ids = tokenizer.encode(text).ids
        prompt, margins = list(ids), []
        for _ in range(STEPS):
            with torch.no_grad():
                best = model(torch.tensor([ids])).logits[0, -1].topk(2)
            margins.append(round((best.values[0] - best.values[1]).item(), 5))
            ids.append(best.indices[0].item())
            if ids[-1] == end:
                break
        greedy = ids[len(prompt) :]
        cases.append({"text": text, "prompt": prompt, "greedy": greedy, "margins": margins, "continuation": tokenizer.decode(greedy, skip_special_tokens=False)})
    facts = {"model": "weft-tiny.gguf", "transformers": transformers.__version__, "torch": torch.__version__, "eos": end}
    Path(out).write_text(json.dumps(facts | {"cases": cases}, ensure_ascii=False, indent=None) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:3])
