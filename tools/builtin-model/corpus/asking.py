"""Ways to put a question, whatever it is about: wrappers around the cores of `relations`, slips of the pen, and a held-out part.

A core has one of three shapes: a direct question ("what is the capital of France"), an indirect one ("what the capital of
France is") or a noun phrase ("the capital of France"). Wrappers in `HELD` are for the evaluation only.
"""

import re
from typing import NamedTuple

from corpus.grammar import capital, expand, pick
from corpus.plots import PLOTS
from corpus.relations import RELATIONS


class Wrappers(NamedTuple):
    direct: tuple
    indirect: tuple
    noun: tuple


_WHO = "[my|our] [son|daughter|friend|teacher|kid|child|boss|neighbor|wife|husband|mother|father|grandson|colleague]"

TRAINED = Wrappers(
    direct=(
        "[quick question|a quick one|one question|question|a question|next question|another question|easy question|small question|simple question|last question][:|,| -] {q}?",
        "[hi|hello|hey|hey there|hi there|good morning|good evening|dear model][!|,|.|] {q}?",
        "[please|pls|please tell me|tell me|tell me please|tell me quickly|say|answer me|answer this|answer|let me know|now tell me|go on, tell me|come on|please answer][:|,] {q}?",
        "[okay|ok|so|well|now|alright|right|hm|hmm|uh|um|wait|by the way|btw|just curious|out of curiosity|seriously|honestly|and|but|then][,|:|...|] {q}?",
        "{q}[,|] please?",
        "{q}? [please|thanks|thank you|thx|I forgot|I am curious|I need it for school|it is for a quiz|my son asked me|help me|help|any idea|do you know|can you tell me|tell me|please answer|I want to know][.|!|?|]",
        "[can|could|would|will] you [please |kindly |quickly |][answer|help me with|solve|take] this[ one| question| for me|]: {q}?",
        "[I have|I've got|here is|here's|this is] [a question|one question|a quick question|my question|something to ask|another question][ for you|][:|.] {q}?",
        "[I am|I'm] [curious|wondering|asking myself|not sure|trying to remember|trying to find out|doing my homework|doing a quiz|stuck|learning][:|.|,|...] {q}?",
        _WHO + " [asked me|asks|wants to know|is asking|keeps asking|wondered|has a question][:|,| -] {q}?",
        "[for school|for my homework|for a quiz|for a crossword|for a friend|general knowledge|trivia|quiz time|quiz|exam question|test question|homework][:|,| -] {q}?",
        "[any idea|any clue|guess|remind me|refresh my memory|help me out|think hard|try this][:|,| -| ...] {q}?",
        "[sorry|excuse me|pardon me|sorry to bother you|sorry to ask][,|.|!|] [but |]{q}?",
        "{q}? [answer in one sentence|keep it short|short answer please|be brief|one word is enough|just the answer|answer please][.|]",
        "[I always forget|I keep forgetting|I can never remember|I do not remember|I don't know|I have no idea|no idea][:|.|,] {q}?",
        "{q} [exactly|again|actually|really|then|in fact|by the way]?",
        "[I was asked|somebody asked me|they asked me in class|the quiz asks|it says here]: {q}?",
    ),
    indirect=(
        "do you [know|happen to know|remember|by any chance know] {q}?",
        "[can|could|would|will] you [please |kindly |][tell me|say|explain to me|remind me|let me know|tell us|tell] {q}[?|, please?]",
        "[please |][tell me|let me know|say|remind me|explain|tell us|show me|answer] {q}[.|!|, please.]",
        "[I want|I'd like|I would like|I need|I have|I wish|I would love] to [know|find out|learn|hear|understand] {q}.",
        "I [forgot|do not know|don't know|can't remember|cannot remember|do not remember|never know|never learned|wonder|wondered|have no idea|always wondered|often ask myself] {q}.",
        "[I am|I'm] [wondering|curious|not sure|trying to find out|trying to remember|asking myself|unsure|interested to know] {q}.",
        "any [idea|clue|chance you know] {q}?",
        "[does anybody|does anyone] [here |]know {q}?",
        _WHO + " [wants to know|would like to know|needs to know|asked me|is asking|asks|wonders] {q}.",
        "what I [want to know|need to know|am asking|would like to know] is {q}.",
        "[have you any idea|do you have any idea|are you able to tell me|would you know|may I ask|can I ask|could I ask|can you find out|are you sure you know] {q}?",
        "[maybe|perhaps|surely] you [know|can tell me|could tell me] {q}[.|?]",
        "you [surely |probably |]know {q}, [right|don't you]?",
        "help me [find out|remember|understand] {q}.",
        "[I bet|I hope|let's see if|let us see whether] you know {q}.",
        "[find out|guess|think about] {q}.",
    ),
    noun=(
        "[please |][name|tell me|give me|say|state|write|show me|find|guess|name me|write down] {q}[.|, please.|!|]",
        "[can|could|would|will] you [please |][name|tell me|give me|say|find|remind me of|write down] {q}?",
        "do you [know|remember|happen to know|have] {q}?",
        "[I need|I want|I'd like|I am looking for|I'm looking for|I forgot|I don't know|I need to know|I am trying to remember|I want to know|I would like to know|I'd love to know] {q}.",
        "I [forgot|can't remember|do not know|don't know|need|am looking for] {q}. [What is it|Can you help|Can you help me|Do you know it|Which one is it|Do you know]?",
        "{q}?",
        "{q}",
        "{q}[,|] please[.|!|]",
        "{q} is [what|which one]?",
        "[and|now|ok|next:|so,|hey,|again:] {q}?",
        "[what|how] about {q}?",
        "what [would|could|might|can] {q} be?",
        "[any idea about|any clue about|a question about|quick question about] {q}?",
        "[help me with|remind me of|this is about|I have a question about|I wonder about|tell me about] {q}.",
        "what was {q}[ again| called|]?",
        "so what is {q}[ again| exactly| really| then| called]?",
        _WHO + " [asked for|wants|asked about|needs|wants to know] {q}.",
        "is there a name for {q}?",
    ),
)
HELD = Wrappers(
    direct=("here goes: {q}?", "{q}, would you say?", "listen, {q}?", "the question on the card reads: {q}?", "since you are so clever, {q}?", "I just thought of something. {q}?"),
    indirect=("would you mind telling me {q}?", "it slipped my mind {q}.", "be so kind and tell me {q}.", "for a form I have to write {q}.", "I would be happy if you told me {q}.", "how am I supposed to know {q}?"),
    noun=("enlighten me about {q}.", "fill in the blank: {q} is ___.", "I would be glad to hear {q}.", "let me have {q}.", "what do people mean by {q}?", "now it is your turn: {q}."),
)  # fmt: skip
BOTH = Wrappers(*(ours + theirs for ours, theirs in zip(TRAINED, HELD)))

_ASKED = set(re.findall(r"[a-z]+", " ".join(str(entry[3:]) + " ".join(entry.rows).lower() + " ".join(entry.rows.values()).lower() for entry in RELATIONS.values())))
# words of the stories that no question about a fact needs
_ANY = tuple(sorted({word for plot in PLOTS for word in re.findall(r"(?<![A-Za-z])[a-z]{3,}(?![A-Za-z])", re.sub(r"\{\w+\}", "", str(plot))) if word not in _ASKED}))
_SMALL = {"the", "of", "is", "a", "an", "do", "does", "that", "to", "are", "what", "it", "in", "me"}
_FILLERS = "please actually exactly really again maybe just now then kindly quickly".split()
_PLAIN = {"direct": ("{q}?", "{q}?", "{q}?", "{q}?", "{q}"), "indirect": ("tell me {q}.", "do you know {q}?"), "noun": ("what is {q}?", "what's {q}?", "which is {q}?", "{q}")}


def wrapped(core, shape, rng, wrappers=TRAINED, plain=0.3, strange=0.12):
    """A core template of a shape inside a wrapper; slots for the subject stay open."""
    wrapper = expand(pick(_PLAIN[shape], rng) if rng.random() < plain else pick(getattr(wrappers, shape), rng), rng)
    if rng.random() < strange:
        wrapper = _strange(wrapper, rng)
    return wrapper.replace("{q}", expand(core, rng))


def _strange(wrapper, rng):
    """The wrapper with some words replaced by any others: what stands around a core must not matter."""
    words = wrapper.split(" ")
    return " ".join(word if "{" in word or rng.random() < 0.55 else pick(_ANY, rng) for word in words)


def any_words(rng, count):
    return " ".join(pick(_ANY, rng) for _ in range(count))


def _slip(word, rng):
    """One typing error."""
    if len(word) < 4 or not word.isalpha():
        return word
    at = 1 + int(rng.random() * (len(word) - 2))
    kind = rng.randrange(3)
    return (word[:at] + word[at + 1 :], word[:at] + word[at] + word[at:], word[:at] + word[at + 1] + word[at] + word[at + 2 :])[kind]


def careless(template, rng):
    """The template with dropped, added or misspelled words; slots stay whole. Most come back unchanged."""
    roll = rng.random()
    if roll > 0.24:
        return template
    words = re.findall(r"\S*\{[^}]*\}\S*|\S+", template)
    if roll < 0.08:
        words = [word for word in words if word.lower() not in _SMALL or rng.random() < 0.5] or words
    elif roll < 0.12:
        words.insert(int(rng.random() * len(words)), pick(_FILLERS, rng))
    elif roll < 0.2:
        at = int(rng.random() * len(words))
        words[at] = words[at] if "{" in words[at] else _slip(words[at], rng)
    else:
        kept = [word for word in words if "{" in word or len(word) > 3]
        words = kept if rng.random() < 0.7 else rng.sample(kept, len(kept))
    return " ".join(words)


_CHATTER = (
    "[I|we|my brother|my aunt|the kids|a friend|someone|my class|the neighbors|our dog] [just |][saw|bought|heard of|read|lost|need|needs|made|want|wants|forgot|like|opened|watched|wrote] [a|an old|the|some|this|another|one more] [hat|film|letter|box|song|lamp|ticket|coat|game|picture|bike|note|magazine|riddle|table|window|present] [today|yesterday|on the train|at work|last night|in the kitchen|this morning|at home|again|for fun|outside|].",
    "[it is|it was] [late|early|cold|warm|raining|Sunday|a long day|time for bed|quiet here|my turn|so nice outside].",
    "[I am|we are|I was] [tired|cooking|on the train|at home|waiting|having lunch|in a hurry|a bit slow today|playing a game|with my family|at my desk|new here|only testing you].",
    "[this|that|it] [may|might|must|will] [sound|be|seem] [odd|silly|easy|hard|simple|strange|boring][, but|:|...]",
)  # fmt: skip


def chatter(rng):
    """A sentence that has nothing to do with the question beside it; some are no sentence at all."""
    if rng.random() < 0.25:
        return any_words(rng, rng.randint(2, 7)) + pick((".", ",", "...", "!", ":", " -"), rng)
    return expand(pick(_CHATTER, rng), rng)


def typed(text, rng):
    """The question as people type it: most with a capital and a mark at the end, some without."""
    roll = rng.random()
    if roll < 0.58:
        return capital(text)
    if roll < 0.68:
        return text
    if roll < 0.78:
        return text.lower()
    if roll < 0.86:
        return text.lower().rstrip("?.! ")
    if roll < 0.91:
        return capital(text).rstrip("?.! ")
    if roll < 0.94:
        return capital(text.replace(",", "").replace("'", ""))
    if roll < 0.96:
        return capital(text.rstrip("?.!")) + pick(("??", "?!", " ?", "...", "!", "?  ", " ?"), rng)
    if roll < 0.97:
        return text.upper()
    return capital(text.lower())
