"""Measures the model as it ships (weights rounded as in the file): `evaluate.py WEIGHTS_FOLDER [--out FILE] [--scale 1.0]`.

Everything asked here was held out of training: the pairs of numbers, the phrasings of facts, the names of heroes. The corpus
was widened once after a look at what an earlier run got wrong here, so `--unseen` asks what was written after the last run.
"""

import argparse
import json
import random
import re
from pathlib import Path

import torch
from tokenizers import Tokenizer

from corpus import arithmetic, extract, facts, stories, talk, unseen, words
from export import read_state, rounded_state
from model import Shape, WeftTiny
from rows import TOKENIZER

SEED = 99


class Subject:
    """The model under test: text in, text out."""

    def __init__(self, folder, device, rounding=True):
        state = read_state(folder)
        layers = 1 + max(int(name.split(".")[2]) for name in state if name.startswith("model.layers."))
        self.shape = Shape(num_hidden_layers=layers)
        if rounding:
            state = rounded_state(state, self.shape)
        state["lm_head.weight"] = state["model.embed_tokens.weight"]
        self.model = WeftTiny(self.shape)
        self.model.load_state_dict({name: torch.from_numpy(value.copy()) for name, value in state.items()})
        self.model.to(device).eval()
        self.tokenizer = Tokenizer.from_file(str(TOKENIZER))
        self.end = self.tokenizer.token_to_id("<|im_end|>")

    def prompt(self, *turns):
        """The ids of a chat: user, assistant, user, ... and the opening of the assistant's next words."""
        roles = ("user", "assistant")
        text = "".join(f"<|im_start|>{roles[i % 2]}\n{turn}<|im_end|>\n" for i, turn in enumerate(turns))
        return self.tokenizer.encode(text + "<|im_start|>assistant\n").ids

    def replies(self, prompts, limit, batch=1024):
        """Greedy replies as (text, ids, stopped)."""
        order = sorted(range(len(prompts)), key=lambda i: len(prompts[i]))
        out = [None] * len(prompts)
        for at in range(0, len(order), batch):
            chosen = order[at : at + batch]
            ids, stopped = self.model.greedy([prompts[i] for i in chosen], limit, self.end)
            for i, reply, stop in zip(chosen, ids, stopped):
                out[i] = (self.tokenizer.decode(reply), reply, stop)
        return out


class Report:
    def __init__(self):
        self.scores, self.samples, self.stops = {}, {}, []

    def add(self, name, asked, expected, replies, right):
        verdicts = [right(text, want) for (text, _, _), want in zip(replies, expected)]
        self.stops += [stopped for _, _, stopped in replies]
        self.scores[name] = {"right": sum(verdicts), "of": len(verdicts), "percent": round(100 * sum(verdicts) / len(verdicts), 2)}
        wrong = [(a, text, want) for a, (text, _, _), want, ok in zip(asked, replies, expected, verdicts) if not ok]
        self.samples[name] = wrong[:12]
        print(f"{name:36s} {sum(verdicts):5d} of {len(verdicts):5d}  {self.scores[name]['percent']:6.2f}%", flush=True)


def same(text, want):
    return text == want


def sums(subject, report, rng, count):
    for name, sign, digits in (("addition, two digits", "+", 2), ("addition, three digits", "+", 3), ("subtraction, two digits", "-", 2), ("subtraction, three digits", "-", 3), ("products beyond the tables", "*", 3)):
        problems = []
        while len(problems) < count:
            problem = arithmetic.problem(rng, held_out_pairs=True, sign=sign, digits=digits)
            if digits == 3 or min(problem[1:]) >= 10:
                problems.append(problem)
        asked = [arithmetic.ask(*problem, rng) for problem in problems]
        replies = subject.replies([subject.prompt(ask) for ask in asked], 24)
        report.add(name, asked, [str(arithmetic.value(*problem)) for problem in problems], replies, lambda text, want: text.rsplit("= ", 1)[-1] == want)


def fact_questions(subject, report, rng, kinds):
    for name, phrasings in kinds:
        asked = [facts.question(relation, row, rng, phrasings(relation)) for relation, row in facts.everything()]
        expected = [facts.reply(relation, row) for relation, row in facts.everything()]
        report.add(name, asked, expected, subject.replies([subject.prompt(ask) for ask in asked], 48), same)


def skills(subject, report, rng, count):
    for name, make in (("opposites, plurals, tenses", lambda r: talk.pick((words.opposite, words.plural, words.past), r)(r)), ("translations", words.translation)):
        pairs = [make(rng) for _ in range(count)]
        report.add(name, [ask for ask, _ in pairs], [want for _, want in pairs], subject.replies([subject.prompt(ask) for ask, _ in pairs], 40), same)
    pairs = [extract.exchange(rng, held_out=True) for _ in range(count)]
    report.add("JSON extraction, held-out names", [ask for ask, _ in pairs], [want for _, want in pairs], subject.replies([subject.prompt(ask) for ask, _ in pairs], 64), same)
    pairs = [talk.memory(rng) for _ in range(count // 2)]
    prompts = [subject.prompt(*told, ask) for told, (ask, _) in pairs]
    report.add("recall of the turn before", [told[0] + " / " + ask for told, (ask, _) in pairs], [want for _, (_, want) in pairs], subject.replies(prompts, 40), same)
    chat = [talk.small_talk(rng)[0] for _ in range(count // 2)] + [talk.unknown(rng)[0] for _ in range(count // 2)]
    report.add("small talk ends with a sentence", chat, [None] * len(chat), subject.replies([subject.prompt(ask) for ask in chat], 96), lambda text, _: text.rstrip('"')[-1:] in ".!?")


_LARGE = {"Sunday", "Sundays", "Friendship", "I"}


def story_faults(text, hero, helper, stopped):
    """What is wrong with a story, as a list of words; empty is good."""
    faults = []
    if len(text.split()) < 150:
        faults.append("short")
    if not stopped:
        faults.append("no end")
    if text.count(hero) < 3 or hero not in text[len(text) // 2 :]:
        faults.append("lost hero")
    if helper and helper not in text:
        faults.append("lost helper")
    # inside a sentence only names are written large, so whoever is not of the cast was invented or misspelled
    strangers = set(re.findall(r"(?<=[a-z,] )[A-Z][a-z]+", text)) - {hero, helper} - _LARGE
    if len(strangers) > (0 if helper else 1):  # the helper's name is the teller's choice where nobody asked for one
        faults.append("strangers: " + " ".join(sorted(strangers)))
    sentences = [sentence for sentence in re.findall(r"[^.!?\n]+[.!?]", text) if len(sentence.split()) > 3]
    if len(sentences) > len(set(sentences)):
        faults.append("repeats itself")
    return faults


def told_stories(subject, report, rng, count, title, cast=None):
    asked, casts = [], []
    for i in range(count):
        words_ = stories.scene(rng, held_out=True)
        if cast:
            words_["n"], words_["m"] = rng.sample(cast, 2)
        both = i % 2 == 0
        template = pick_request(both, rng)
        asked.append(template.format_map(words_))
        casts.append((words_["n"], words_["m"] if both else None))
    prompts = [subject.prompt(ask) for ask in asked]
    replies = subject.replies(prompts, 480)
    report.add(title, asked, casts, [(text + ("" if stopped else "\0"), ids, stopped) for text, ids, stopped in replies],
               lambda text, cast: not story_faults(text.rstrip("\0"), *cast, stopped=not text.endswith("\0")))  # fmt: skip
    report.scores["stories"] = {
        "mean_words": round(sum(len(text.split()) for text, _, _ in replies) / count, 1), "shortest": min(len(text.split()) for text, _, _ in replies),
        "faults": count_faults(replies, casts), "ended": sum(stopped for _, _, stopped in replies), "of": count,
    }  # fmt: skip
    report.samples["stories"] = [(ask, text) for ask, (text, _, _) in zip(asked, replies)]
    draft(subject, report, prompts, replies)


def pick_request(both, rng):
    pair = ("Tell me a story about {n} and {m}.", "Write a story about {n} and {m}.", "I would like a story with {n} and {m}.")
    single = ("Tell me a story about {a_noun} named {n}.", "Write a story about {n}.", "Write a story about {a_noun} called {n} who lives in {a_place}.")
    return (pair if both else single)[rng.randrange(3)]


def count_faults(replies, casts):
    counts = {}
    for (text, _, stopped), cast in zip(replies, casts):
        for fault in story_faults(text, *cast, stopped=stopped):
            counts[fault.split(":")[0]] = counts.get(fault.split(":")[0], 0) + 1
    return counts


@torch.no_grad()
def draft(subject, report, prompts, replies):
    """How often the draft head names the token that greedy decoding then writes, over whole stories."""
    right = total = 0
    device = subject.model.lm_head.weight.device
    for prompt, (_, ids, stopped) in zip(prompts, replies):
        tokens = torch.tensor([prompt + ids + ([subject.end] if stopped else [])], device=device)
        trunk, drafted = subject.model(tokens)
        guesses = subject.model.lm_head(drafted)[0].argmax(-1)  # row r guesses token r + 2
        first = len(prompt) + 1  # the first reply token comes from the trunk; drafts follow
        right += int((guesses[first - 2 : -1] == tokens[0, first:]).sum())
        total += tokens.shape[1] - first
    report.scores["first draft of the MTP head on stories"] = {"right": right, "of": total, "percent": round(100 * right / total, 2)}
    print(f"{'first draft of the MTP head':36s} {right:5d} of {total:5d}  {100 * right / total:6.2f}%", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("weights", type=Path)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--scale", type=float, default=1.0, help="share of the full number of questions")
    parser.add_argument("--exact", action="store_true", help="float weights instead of the file's")
    parser.add_argument("--unseen", action="store_true", help="the questions that were written after training, and only those")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    options = parser.parse_args()
    subject, report, rng = Subject(options.weights, options.device, not options.exact), Report(), random.Random(SEED)
    if options.unseen:
        fact_questions(subject, report, rng, [("facts, phrasings written afterwards", unseen.PHRASINGS.get)])
        told_stories(subject, report, rng, int(200 * options.scale), "stories, names chosen afterwards", unseen.NAMES)
    else:
        sums(subject, report, rng, int(1000 * options.scale))
        fact_questions(subject, report, rng, [("facts, held-out phrasings", lambda relation: facts.RELATIONS[relation].held_out), ("facts, phrasings of the training", lambda _: None)])
        skills(subject, report, rng, int(400 * options.scale))
        told_stories(subject, report, rng, int(200 * options.scale), "stories, held-out names, no fault")
    report.scores["stops by itself"] = {"right": sum(report.stops), "of": len(report.stops), "percent": round(100 * sum(report.stops) / len(report.stops), 2)}
    print(f"{'stops by itself':36s} {sum(report.stops):5d} of {len(report.stops):5d}  {report.scores['stops by itself']['percent']:6.2f}%")
    print(json.dumps(report.scores["stories"]))
    if options.out:
        options.out.write_text(json.dumps({"scores": report.scores, "samples": report.samples}, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
