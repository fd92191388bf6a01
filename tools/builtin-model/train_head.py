"""Teaches the draft head to go on from its own rows: `train_head.py FILE.gguf --out NEW.gguf`.

train.py shows the head one step: the trunk's row and the token behind it. The runtime chains guesses: from the second on, the
head has its own row in the trunk's place, which it never met there. Here it meets them, four steps deep, in the model's own
greedy replies and in rows of the corpus. Its target is the trunk's distribution at the place that is guessed, for a guess is
right when the trunk says the same. Only the head's tensors change in the file; every other byte is kept.
"""

import argparse
import random
import time
from pathlib import Path

import torch
import torch.nn.functional as F
from tokenizers import Tokenizer

import gguf_file
import rows as training_rows
from corpus import arithmetic, conversations, facts, stories
from corpus.grammar import expand, pick
from corpus.relations import RELATIONS
from gguf_names import gguf_name, gguf_value
from model import Shape, WeftTiny
from optimizer import Muon, split
from train import learned, rate_scale, resume

STEP_WEIGHTS = (3.0, 1.0, 0.9, 0.8)  # what each step's loss counts: where the first guess fails, the others are for nothing
STORIES, OTHERS, ROWS, LENGTH = 640, 512, 1536, 510  # greedy replies, and rows of the corpus
MUON_RATE, ADAM_RATE, DECAY = 0.006, 0.0006, 0.8
BATCH_TOKENS = 4096
HELD_OUT_SEED = 99


class Subject:
    """The model whose head is taught: its weights are the file's, as rounded there."""

    def __init__(self, path):
        self.model = WeftTiny(Shape()).eval()
        resume(self.model, path)
        self.model.requires_grad_(False)
        self.model.mtp.requires_grad_(True)
        self.tokenizer = Tokenizer.from_file(str(training_rows.TOKENIZER))
        self.start, self.assistant, _ = self.tokenizer.encode("<|im_start|>assistant\n").ids
        self.end, self.pad = (self.tokenizer.token_to_id(token) for token in ("<|im_end|>", "<|endoftext|>"))

    def prompts(self, ask, count, rng):
        """Different questions: mostly a chat's first, some below a system prompt, some without a chat."""
        found = {}
        while len(found) < count:
            asked, form = ask(rng), rng.random()
            system = f"<|im_start|>system\n{expand(pick(conversations.SYSTEMS, rng), rng)}<|im_end|>\n" if form < 0.15 else ""
            chat = f"{system}<|im_start|>user\n{asked}<|im_end|>\n<|im_start|>assistant\n"
            found[asked] = self.tokenizer.encode(asked + "\n" if form > 0.9 else chat).ids
        return list(found.values())

    def replies(self, prompts, limit=480, batch=256):
        """Greedy replies as (ids of prompt, reply and end mark; length of the prompt)."""
        out = []
        prompts = sorted(prompts, key=len)
        for at in range(0, len(prompts), batch):
            asked = prompts[at : at + batch]
            said, stopped = self.model.greedy(asked, limit, self.end)
            out += [(ask + ids + [self.end] * stop, len(ask)) for ask, ids, stop in zip(asked, said, stopped)]
        return out

    @torch.no_grad()
    def batches(self, texts):
        """Texts of like length together, with what the trunk has for the head: (tokens, marks of learned ones, hidden rows)."""
        out, texts = [], sorted(texts, key=len)
        while texts:
            count = max(1, BATCH_TOKENS // len(texts[-1]))
            chosen, texts = texts[-count:], texts[:-count]
            tokens = torch.full((len(chosen), len(chosen[-1])), self.pad)
            marks = torch.zeros(tokens.shape)
            for row, ids in enumerate(chosen):
                tokens[row, : len(ids)] = torch.tensor(ids)
                marks[row, : len(ids)] = learned(tokens[row : row + 1, : len(ids)], self.start, self.end, self.assistant)[0]
            out.append((tokens, marks, self.model(tokens)[0]))
        return out


def not_a_story(rng):
    skill = stories.exchange
    while skill is stories.exchange:
        skill = pick([skill for skill, share in conversations.SKILLS for _ in range(share)], rng)
    return skill(rng)[0]


def held_out_question(rng):
    """A fact in a wrapper, or a sum of a pair, that training does not show."""
    if rng.random() < 0.3:
        return arithmetic.ask(*arithmetic.problem(rng, held_out_pairs=True, sign=pick("+-", rng), digits=2), rng)
    relation, row = pick(facts.everything(), rng)
    return facts.question(relation, row, rng, facts.template(RELATIONS[relation], rng, False, True))


def losses(model, tokens, marks, trunk):
    """Of each step, the cross-entropy with the trunk's distribution, over the chains that lie within a reply."""
    weight, count = model.lm_head.weight, tokens.shape[1]
    out = []
    with torch.autocast("cpu", dtype=torch.bfloat16):
        wanted = F.linear(trunk, weight).float().softmax(-1)
        for step, rows in enumerate(model.mtp.chains(model.model.embed_tokens(tokens), trunk, len(STEP_WEIGHTS)), 1):
            within = (marks[:, 2 : count - step + 1] * marks[:, step + 1 :]).bool()
            guessed = F.linear(rows[:, :-1][within], weight).float().log_softmax(-1)
            out.append(-(wanted[:, step:-1][within] * guessed).sum() / within.sum().clamp(min=1))
    return torch.stack(out)


def train(model, batches, passes, rng):
    matrices, others = split(model.mtp)
    muon = Muon(matrices, MUON_RATE)
    adam = torch.optim.AdamW(others, lr=ADAM_RATE, betas=(0.9, 0.98), weight_decay=0.0)
    started, steps, sums, seen = time.time(), passes * len(batches), torch.zeros(len(STEP_WEIGHTS)), 0
    for step in range(steps):
        if step % len(batches) == 0:
            rng.shuffle(batches)
        scale = rate_scale(step, steps, DECAY)
        loss = losses(model, *batches[step % len(batches)])
        (loss * torch.tensor(STEP_WEIGHTS)).sum().backward()
        torch.nn.utils.clip_grad_norm_(others, 1.0)
        for group in adam.param_groups:
            group["lr"] = ADAM_RATE * scale
        adam.step()
        muon.step(scale)
        model.zero_grad(set_to_none=True)
        sums += loss.detach()
        seen += 1
        if seen == 50 or step + 1 == steps:
            print(f"step {step + 1} of {steps}:", *(f"{value:.4f}" for value in (sums / seen).tolist()), f"{time.time() - started:.0f}s", flush=True)
            sums.zero_()
            seen = 0


@torch.no_grad()
def measure(model, replies, title):
    """How often a guess is right where those before it are, and how many tokens a pass makes with so many guesses."""
    steps = len(STEP_WEIGHTS)
    asked, right, passes, made = (torch.zeros(steps, dtype=torch.long) for _ in range(4))
    for ids, prompt in replies:
        tokens = torch.tensor([ids])
        chains = model.mtp.chains(model.model.embed_tokens(tokens), model(tokens)[0], steps)
        hits = [model.lm_head(rows[0, :-1]).argmax(-1) == tokens[0, step + 1 :] for step, rows in enumerate(chains, 1)]
        runs = []  # right guesses of each chain before its first wrong one
        for first in range(prompt - 1, len(ids) - 2):
            guesses = [bool(hit[first]) for hit in hits if first < len(hit)]
            runs.append((guesses + [False]).index(False))
            asked[: min(runs[-1] + 1, len(guesses))] += 1
            right[: runs[-1]] += 1
        for most in range(1, steps + 1):
            at = 0
            while at < len(runs):
                gained = min(runs[at], most) + 1
                passes[most - 1] += 1
                made[most - 1] += gained
                at += gained
    print(f"{title}: {len(replies)} replies", flush=True)
    for step in range(steps):
        share, pace = 100 * right[step] / max(1, asked[step]), made[step] / max(1, passes[step])
        print(f"  guess {step + 1}: {right[step]} of {asked[step]} right, {share:.1f}%; {pace:.2f} tokens a pass", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=9)
    parser.add_argument("--passes", type=int, default=4)
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    started, subject, rng = time.time(), Subject(options.file), random.Random(options.seed)

    unseen = random.Random(HELD_OUT_SEED)
    held_out = {
        "stories, held-out names": subject.replies(subject.prompts(lambda r: stories.exchange(r, held_out=True)[0], 100, unseen)),
        "facts and sums, held out": subject.replies(subject.prompts(held_out_question, 300, unseen), limit=64),
        "all but stories, another seed": subject.replies(subject.prompts(not_a_story, 300, unseen), limit=200),
    }
    for title, replies in held_out.items():
        measure(subject.model, replies, title)

    replies = subject.replies(subject.prompts(lambda r: stories.exchange(r)[0], STORIES, rng))
    replies += subject.replies(subject.prompts(not_a_story, OTHERS, rng), limit=200)
    (rows,) = training_rows.batches(options.seed, [(ROWS, LENGTH)], 0)
    texts = [ids for ids, _ in replies] + rows.tolist()
    print(f"{sum(map(len, texts))} tokens, {time.time() - started:.0f}s", flush=True)
    batches = subject.batches(texts)
    print(f"the trunk has read them, {time.time() - started:.0f}s", flush=True)
    train(subject.model, batches, options.passes, rng)

    shape = subject.model.shape
    head = {}
    for name, tensor in subject.model.state_dict().items():
        if name.startswith("mtp."):
            head[gguf_name(name, shape.num_hidden_layers)] = gguf_value(name, tensor.numpy(), shape)
    gguf_file.replace(options.file, options.out, head)
    changed = gguf_file.differing(options.file, options.out)
    assert set(changed) <= set(head), changed
    print(f"{len(changed)} of the head's {len(head)} tensors changed and nothing else", flush=True)
    rounded = Subject(options.out).model
    for title, replies in held_out.items():
        measure(rounded, replies, title)
    print(f"done, {time.time() - started:.0f}s", flush=True)


if __name__ == "__main__":
    main()
