"""Measures the model as it ships (weights rounded as in the file): `evaluate.py WEIGHTS_FOLDER [--out FILE] [--scale 1.0]`.

Everything asked here was held out of training: the pairs of numbers, the wrappers and cores of questions, the names of heroes. What
`corpus.unseen` holds was written before the run and not used to change the corpus. A fact is right when the reply holds the
right answer and none of its table's wrong ones; the strict figure wants the expected sentence, word for word.
"""

import argparse
import json
import random
import re
from pathlib import Path

import torch
from tokenizers import Tokenizer

from corpus import arithmetic, conversations, extract, facts, names, stories, talk, unseen, words
from corpus.grammar import expand
from corpus.relations import RELATIONS
from corpus.trivia import ENTRIES
from export import read_state, rounded_state
from model import Shape, WeftTiny
from rows import TOKENIZER

SEED = 99
_UNREAD = ("facts, unseen", "first things")  # their misses are not kept, so that nobody tunes on them


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
        self.samples[name] = [] if name.startswith(_UNREAD) else wrong[:40]
        self.show(name)

    def note(self, name, right, of):
        self.scores[name] = {"right": right, "of": of, "percent": round(100 * right / of, 2)}
        self.show(name)

    def show(self, name):
        score = self.scores[name]
        print(f"{name:42s} {score['right']:5d} of {score['of']:5d}  {score['percent']:6.2f}%", flush=True)


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


HELD_OUT = (("new wrapper", False, True), ("new core", True, False), ("new wrapper and core", True, True))


def fact_questions(subject, report, rng):
    """All facts: with phrasings of the training, with held-out parts, and in words written by hand."""
    rows = facts.everything()
    kinds = [("as in training", lambda relation, _: facts.template(RELATIONS[relation], rng))]
    kinds += [(name, lambda relation, _, held=held: facts.template(RELATIONS[relation], rng, *held)) for name, *held in HELD_OUT]
    kinds += [(f"unseen words {i + 1}", lambda relation, i: unseen.PHRASINGS[relation][i]) for i in range(4)]
    right = exact = count = 0
    for name, template in kinds:
        asked = [facts.question(relation, row, rng, template(relation, int(name[-1]) - 1 if name[-1].isdigit() else 0)) for relation, row in rows]
        replies = subject.replies([subject.prompt(ask) for ask in asked], 48)
        report.add(f"facts, {name}", asked, rows, replies, lambda text, row: facts.holds(text, *row))
        strict = [text == facts.reply(*row) for (text, _, _), row in zip(replies, rows)]
        report.note(f"facts, {name}, strict", sum(strict), len(strict))
        if name.startswith("unseen"):
            right, exact, count = right + report.scores[f"facts, {name}"]["right"], exact + sum(strict), count + len(rows)
    report.note("facts, all unseen words", right, count)
    report.note("facts, all unseen words, strict", exact, count)
    asked = [expand(held, rng).capitalize() + "?" for _, _, _, held in ENTRIES]
    report.add("facts, single ones, held-out words", asked, [key for key, *_ in ENTRIES], subject.replies([subject.prompt(ask) for ask in asked], 48), lambda text, key: key.lower() in text.lower())


def strangers(subject, report, rng, count):
    """Honest replies to what the tables do not hold, and the first things that newcomers type."""
    asked = [talk.unknown(rng)[0] for _ in range(count)]
    report.add("unknown things, says so", asked, [None] * count, subject.replies([subject.prompt(ask) for ask in asked], 48), lambda text, _: "do not know" in text or "do not understand" in text)
    asked = [ask for ask, _ in unseen.FIRST]
    report.add("first things people type", asked, [want for _, want in unseen.FIRST], subject.replies([subject.prompt(ask) for ask in asked], 480), lambda text, want: re.search(want, text) is not None)


def long_chats(subject, report, rng, count):
    """Facts asked when most of the context is already full."""
    for tokens in (1000, 1800):
        prompts, asked, expected = [], [], []
        while len(prompts) < count:
            chat, question = conversations.chat(rng, 5 * tokens), facts.exchange(rng)
            turns = chat.split("<|im_end|>\n<|im_start|>user\n")
            while len(ids := subject.tokenizer.encode("<|im_end|>\n<|im_start|>user\n".join(turns)).ids) > tokens:
                turns.pop()
            prompts.append(ids + subject.tokenizer.encode("<|im_end|>\n").ids + subject.prompt(question[0]))
            asked.append(question[0])
            expected.append(question[1])
        report.add(f"facts after {tokens} tokens of chat", asked, expected, subject.replies(prompts, 48), same)


def skills(subject, report, rng, count):
    for name, make in (("opposites, plurals, tenses", lambda r: talk.pick((words.opposite, words.plural, words.past), r)(r)), ("translations", words.translation)):
        pairs = [make(rng) for _ in range(count)]
        report.add(name, [ask for ask, _ in pairs], [want for _, want in pairs], subject.replies([subject.prompt(ask) for ask, _ in pairs], 40), same)
    pairs = [extract.exchange(rng, held_out=True) for _ in range(count)]
    report.add("JSON extraction, held-out names", [ask for ask, _ in pairs], [want for _, want in pairs], subject.replies([subject.prompt(ask) for ask, _ in pairs], 64), same)
    pairs = [talk.memory(rng) for _ in range(count // 2)]
    prompts = [subject.prompt(*told, ask) for told, (ask, _) in pairs]
    report.add("recall of the turn before", [told[0] + " / " + ask for told, (ask, _) in pairs], [want for _, (_, want) in pairs], subject.replies(prompts, 40), same)
    pairs = [facts.thread(rng) for _ in range(count)]
    prompts = [subject.prompt(*(part for turn in turns[:-1] for part in turn), turns[-1][0]) for turns in pairs]
    report.add("follow-up questions", [" / ".join(ask for ask, _ in turns) for turns in pairs], [turns[-1][1] for turns in pairs], subject.replies(prompts, 40), same)
    chat = [talk.small_talk(rng)[0] for _ in range(count // 2)]
    report.add("small talk ends with a sentence", chat, [None] * len(chat), subject.replies([subject.prompt(ask) for ask in chat], 96), lambda text, _: text.rstrip('"')[-1:] in ".!?")


_LARGE = {"Sunday", "Sundays", "Friendship", "I"}


_OTHERS = ("grandfather", "grandmother", "woman", "mother", "geese", "oldest one")  # they bring their own pronouns
_PRONOUNS = {"she": r"\b(she|her|herself)\b", "he": r"\b(he|him|his|himself)\b"}


def wrong_pronouns(text, hero, helper):
    """How many pronouns of the other gender a story of two of one gender has; none to count for a mixed pair."""
    gender = names.pronoun(hero) if hero in names.known_names() else unseen_gender(hero)
    if helper and gender != (names.pronoun(helper) if helper in names.known_names() else unseen_gender(helper)):
        return 0
    own = " ".join(sentence for sentence in re.split(r"(?<=[.!?\"]) ", text) if not any(word in sentence for word in _OTHERS)).lower()
    right, wrong = (len(re.findall(_PRONOUNS[one], own)) for one in ((gender, "he") if gender == "she" else (gender, "she")))
    return wrong if helper else int(right == 0 and wrong > 0)  # a helper of the teller's choice has pronouns too


def unseen_gender(name):
    return next(gender for gender, group in unseen.NAMES.items() if name in group)


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
    if wrong_pronouns(text, hero, helper):
        faults.append("wrong pronoun")
    return faults


def told_stories(subject, report, rng, count, title, cast=None):
    asked, casts = [], []
    for i in range(count):
        words_ = stories.scene(rng, held_out=True)
        if cast:
            words_["n"], words_["m"] = rng.sample(cast[("she", "he")[rng.randrange(2)]], 2)
        both = i % 2 == 0
        template = pick_request(both, rng)
        asked.append(template.format_map(words_))
        casts.append((words_["n"], words_["m"] if both else None))
    prompts = [subject.prompt(ask) for ask in asked]
    replies = subject.replies(prompts, 480)
    report.add(title, asked, casts, [(text + ("" if stopped else "\0"), ids, stopped) for text, ids, stopped in replies],
               lambda text, cast: not story_faults(text.rstrip("\0"), *cast, stopped=not text.endswith("\0")))  # fmt: skip
    report.scores[title + ", details"] = {
        "mean_words": round(sum(len(text.split()) for text, _, _ in replies) / count, 1), "shortest": min(len(text.split()) for text, _, _ in replies),
        "faults": count_faults(replies, casts), "ended": sum(stopped for _, _, stopped in replies), "of": count,
    }  # fmt: skip
    report.samples[title + ", texts"] = [(ask, text) for ask, (text, _, _) in zip(asked, replies)]
    print(json.dumps(report.scores[title + ", details"]), flush=True)
    draft(subject, report, title, prompts, replies)


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
def draft(subject, report, title, prompts, replies):
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
    report.note("first draft of the MTP head, " + title, right, total)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("weights", type=Path)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--scale", type=float, default=1.0, help="share of the full number of questions")
    parser.add_argument("--exact", action="store_true", help="float weights instead of the file's")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    options = parser.parse_args()
    subject, report, rng = Subject(options.weights, options.device, not options.exact), Report(), random.Random(SEED)
    sums(subject, report, rng, int(1000 * options.scale))
    fact_questions(subject, report, rng)
    strangers(subject, report, rng, int(400 * options.scale))
    long_chats(subject, report, rng, int(200 * options.scale))
    skills(subject, report, rng, int(400 * options.scale))
    told_stories(subject, report, rng, int(200 * options.scale), "stories, held-out names")
    told_stories(subject, report, rng, int(200 * options.scale), "stories, unseen names", unseen.NAMES)
    report.note("stops by itself", sum(report.stops), len(report.stops))
    if options.out:
        options.out.write_text(json.dumps({"scores": report.scores, "samples": report.samples}, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
