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
    (stories.exchange, 7), (facts.exchange, 52), (facts.choice, 6), (facts.about, 3), (arithmetic.exchange, 22), (arithmetic.in_words, 3), (arithmetic.number_question, 3),
    (words.exchange, 11), (talk.small_talk, 11), (talk.unknown, 10), (talk.repetition, 2), (weft_help.exchange, 8), (extract.exchange, 5),
)  # fmt: skip
THREADS = ((facts.thread, 6), (stories.thread, 2), (arithmetic.thread, 2))  # skills of several turns
_EXACT = (stories.exchange, talk.repetition, extract.exchange, facts.exchange, facts.choice, weft_help.exchange)  # these type as they want
_WHEEL = [skill for skill, share in SKILLS for _ in range(share)]
_THREAD_WHEEL = [skill for skill, share in THREADS for _ in range(share)]


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
            exchanges, waiting = [waiting], None
        elif waiting is None and rng.random() < 0.05:
            exchange, waiting = talk.memory(rng)
            exchanges = [exchange]
        elif rng.random() < 0.07:
            exchanges = pick(_THREAD_WHEEL, rng)(rng)
        else:
            skill = pick(_WHEEL, rng)
            user, assistant = skill(rng)
            exchanges = [(user if skill in _EXACT else untidy(user, rng), assistant)]
        said = "".join(turn(*exchange) for exchange in exchanges)
        parts.append(said)
        size += len(said)
    return "".join(parts)


def bare(rng):
    """A question and its answer without a chat, as `weft run -p` shows them to the model."""
    skill = pick((facts.exchange, facts.exchange, arithmetic.exchange, stories.exchange, talk.small_talk, weft_help.exchange), rng)
    user, assistant = skill(rng)
    return f"{user}\n{assistant}"


def prose(rng, length):
    """Plain text without a chat: stories, questions with answers, now and then some facts."""
    parts, size = [], 0
    while size < length:
        roll = rng.random()
        if roll < 0.35:
            text = stories.plain(rng)
        elif roll < 0.9:
            text = bare(rng)
        else:
            text = " ".join(facts.statement(rng) for _ in range(rng.randint(1, 5)))
        parts.append(text + END + "\n")
        size += len(parts[-1])
    return "".join(parts)


def document(rng, length):
    """One training row's text: nine in ten are chats."""
    return chat(rng, length) if rng.random() < 0.9 else prose(rng, length)
