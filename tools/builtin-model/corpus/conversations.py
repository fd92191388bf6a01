"""Whole conversations: an optional system prompt, then turns of mixed skills, as ChatML text."""

from corpus import arithmetic, extract, facts, stories, talk, weft_help, words
from corpus.grammar import expand, pick, untidy

START, END = "<|im_start|>", "<|im_end|>"
SYSTEMS = (
    "You are a helpful assistant.", "You are a helpful assistant. Answer briefly.", "You are Weft Tiny, a small and friendly model.", "Answer in one short sentence.", "You are a kind teacher.",
    "You tell stories to children.", "Be polite and short.", "You are a careful assistant that answers simple questions.", "You are a calculator and a storyteller.",
    "You are [a|the] [wise|funny|patient|quiet|cheerful|clever] [teacher|robot|friend|assistant|librarian|pirate|captain|guide].", "[Answer|Reply|Write] [shortly|politely|clearly|in plain words|like a friend|in full sentences][.|, please.]",
    "You [help|assist|talk to] [children|students|travelers|users of Weft|beginners|people]. Be [kind|brief|honest|exact].", "Answer the question. If you do not know the answer, say so.", "You are the assistant of the Weft command line.", "You are an AI assistant.", "Reply in English.",
)  # fmt: skip

# skill, share of turns; stories are long, so a small share of turns is a large share of tokens
SKILLS = (
    (stories.exchange, 9), (facts.exchange, 28), (facts.choice, 4), (facts.about, 3), (arithmetic.exchange, 25), (arithmetic.in_words, 4), (arithmetic.number_question, 4),
    (words.exchange, 12), (talk.small_talk, 7), (talk.unknown, 4), (talk.repetition, 3), (weft_help.exchange, 5), (extract.exchange, 6),
)  # fmt: skip
_EXACT = (stories.exchange, talk.repetition, extract.exchange)  # here the case of a letter matters
_WHEEL = [skill for skill, share in SKILLS for _ in range(share)]


def turn(user, assistant):
    return f"{START}user\n{user}{END}\n{START}assistant\n{assistant}{END}\n"


def chat(rng, length):
    """A conversation of at least `length` characters."""
    parts = []
    if rng.random() < 0.4:
        parts.append(f"{START}system\n{expand(pick(SYSTEMS, rng), rng)}{END}\n")
    size, waiting = 0, None
    while size < length:
        if waiting is not None and rng.random() < 0.4:
            exchange, waiting = waiting, None
        elif waiting is None and rng.random() < 0.06:
            exchange, waiting = talk.memory(rng)
        else:
            skill = pick(_WHEEL, rng)
            user, assistant = skill(rng)
            exchange = (user if skill in _EXACT else untidy(user, rng)), assistant
        parts.append(turn(*exchange))
        size += len(parts[-1])
    return "".join(parts)


def prose(rng, length):
    """Plain text without a chat: stories, now and then some facts."""
    parts, size = [], 0
    while size < length:
        if rng.random() < 0.8:
            text = stories.plain(rng)
        else:
            text = " ".join(facts.statement(rng) for _ in range(rng.randint(1, 5)))
        parts.append(text + END + "\n")
        size += len(parts[-1])
    return "".join(parts)


def document(rng, length):
    """One training row's text: nine in ten are chats."""
    return chat(rng, length) if rng.random() < 0.9 else prose(rng, length)
