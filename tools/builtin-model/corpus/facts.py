"""Questions and answers on the tables: a core from `relations`, wrapped by `asking`, about one row."""

from corpus import asking
from corpus.grammar import article, capital, expand, one_of, pick
from corpus.relations import OPENERS, RELATIONS
from corpus.trivia import ENTRIES

ALIASES = {
    "the United States": ("the USA", "the US", "America", "USA", "the United States of America", "United States"), "the United Kingdom": ("the UK", "Britain", "Great Britain", "UK"),
    "the Netherlands": ("Holland", "Netherlands"), "the Czech Republic": ("Czechia", "Czech Republic"), "Bosnia": ("Bosnia and Herzegovina",), "Ivory Coast": ("the Ivory Coast",),
    "Turkey": ("Turkiye",), "Myanmar": ("Burma",), "South Korea": ("Korea",), "the Philippines": ("Philippines",), "the United Arab Emirates": ("the UAE", "UAE"), "Washington, D.C.": ("Washington", "Washington DC"),
    "aluminum": ("aluminium",), "sulfur": ("sulphur",), "hen": ("chicken",), "autumn": ("fall",), "the Leaning Tower": ("the Leaning Tower of Pisa",), "the Great Wall": ("the Great Wall of China",), "the Great Pyramid": ("the pyramids", "the pyramids of Giza", "the Great Pyramid of Giza"),
    "the Mona Lisa": ("Mona Lisa",), "the World Wide Web": ("the web", "the WWW"), "the first airplane": ("the airplane", "the plane"), "Les Miserables": ("Les Misérables",), "the Java language": ("Java", "the programming language Java"),
    "the Python language": ("Python", "the programming language Python"), "the C language": ("C", "the programming language C"), "hippopotamus": ("hippo",),
}  # fmt: skip
_SUPERLATIVES = {"largest": ("biggest", "greatest"), "highest": ("tallest",), "fastest": ("quickest",), "smallest": ("tiniest", "littlest"), "tallest": ("highest",), "closest": ("nearest",)}
_PLURALS = {"sheep": "sheep", "fish": "fish", "deer": "deer", "mouse": "mice", "goose": "geese", "wolf": "wolves", "octopus": "octopuses"}
_CARRIED = {"wheels", "wings", "humps", "arms", "strings"}  # these are on a thing, others in it


def plural(noun):
    if noun in _PLURALS:
        return _PLURALS[noun]
    if noun.endswith(("s", "x", "ch", "sh")):
        return noun + "es"
    return noun[:-1] + "ies" if noun.endswith("y") and noun[-2:-1] not in "aeiou" else noun + "s"


def _possessive(noun):
    return noun + ("'" if noun.endswith("s") else "'s")


def _parts(relation, subject):
    if relation == "amount":
        preposition = next(word for word in (" in ", " on ", " of ") if word in subject)
        x, y = subject.split(preposition, 1)
        inside = preposition.strip() if preposition != " of " else "on" if x in _CARRIED else "in"
        return {"x": x, "y": y, "in": inside, "yown": _possessive(y)}
    if relation == "why":
        verb = " is " if " is " in subject else " are "
        x, y = subject.split(verb, 1)
        return {"x": x, "is": verb.strip(), "y": y}
    if relation == "caller":
        return {"do": " ".join(word.removesuffix("es") if word.endswith(("ses", "zes")) else word.removesuffix("s") for word in subject.split())}
    if relation == "record":
        first = "most spoken" if subject.startswith("most spoken") else subject.split()[0]
        noun, rest = subject.removeprefix(first + " "), ""
        for word in (" in ", " of "):
            if word in noun:
                noun, rest = noun.split(word, 1)
                rest = word + rest
        return {"adj": first, "noun": noun, "rest": rest, "world": rest and ""}
    return {}


def slots(relation, subject, answer, rng=None):
    """The words for a template; with a random source, now and then another name of the subject."""
    if rng and subject in ALIASES and rng.random() < 0.35:
        subject = pick(ALIASES[subject], rng)
    if rng and relation == "record" and subject.split()[0] in _SUPERLATIVES and rng.random() < 0.45:
        first, rest = subject.split(" ", 1)
        subject = pick(_SUPERLATIVES[first], rng) + " " + rest
    bare = subject.split(" ", 1)[1] if subject.startswith(("a ", "an ", "the ")) else subject
    one = article(subject)
    words = {"s": subject, "S": capital(subject), "a": answer, "an": article(answer), "An": capital(article(answer)), "t": bare, "p": plural(subject), "one": one, "One": capital(one), "own": _possessive(subject)}
    if RELATIONS[relation].topic == "animal":
        words["own"] = _possessive(one)
    words |= _parts(relation, subject)
    if words.get("world") == "":
        words["world"] = "" if words["rest"] else pick(("", " in the world", " on Earth", " in the whole world"), rng) if rng else ""
    return words


def reply(relation, subject):
    entry = RELATIONS[relation]
    words = slots(relation, subject, entry.rows[subject])
    if relation != "amount":
        return capital(entry.answer.format_map(words)).replace("D.C..", "D.C.")
    answer = entry.rows[subject]
    if " of " in subject:
        return capital(f"{words['y']} has {answer} {words['x'] if answer != 'one' else words['x'][:-1]}.")
    return f"There are {answer} {subject}."


def core(cores, shape, rng, who="what"):
    """A core of the shape: direct and indirect ones may be built from a noun phrase."""
    turned = [pair[shape == "indirect"] for pair in cores.turned]
    own = (*cores.same, *turned)
    if shape == "noun" or not own or (cores.nouns and rng.random() < 0.35):
        noun = pick(cores.nouns, rng) if cores.nouns else None
        if shape == "noun" or noun is None:
            return noun
        if noun.startswith(("what ", "why ")):
            return pick(own, rng)
        return f"{who} {noun} is" if shape == "indirect" else pick((f"{who} is ", f"{who} is ", f"{who}'s ", "which is " if who == "what" else "who was "), rng) + noun
    return pick(own, rng)


def template(entry, rng, held_cores=False, held_wrappers=False):
    """A question with open slots."""
    cores = entry.held if held_cores else entry.trained
    wrappers = asking.HELD if held_wrappers else asking.TRAINED
    roll = 0.1 + 0.65 * rng.random() if held_cores or held_wrappers else rng.random()
    if roll < 0.1 and cores.it:
        asked = asking.wrapped(pick(cores.it, rng), "direct", rng, plain=0.75)
        return expand(pick(OPENERS[entry.topic], rng), rng) + " " + (capital(asked) if rng.random() < 0.7 else asked)
    if roll < 0.4:
        shape = "direct"
    elif roll < 0.6:
        shape = "indirect"
    elif roll < 0.75 or not cores.terse:
        shape = "noun"
    elif roll < 0.89:
        return expand(pick(cores.terse, rng), rng)
    elif roll < 0.95:
        return expand(pick(cores.stems, rng), rng) + pick(("", "", "...", " ...", " ___", ":", "?", " what?"), rng)
    else:
        shape = "direct"
    asked = core(cores, shape, rng, "who" if entry.topic in ("work", "invention") else "what")
    if held_cores or held_wrappers:
        return asking.wrapped(asked, shape, rng, wrappers, plain=0 if held_wrappers else 0.3, strange=0)
    return asking.wrapped(asked, shape, rng, plain=0.4 if shape == "direct" else 0.15)


def question(relation, subject, rng, asked=None):
    """A tidy question; `asked` is a template, or a new one is made."""
    entry = RELATIONS[relation]
    return capital((asked or template(entry, rng)).format_map(slots(relation, subject, entry.rows[subject])))


_ALL = [(relation, subject) for relation, entry in RELATIONS.items() for subject in entry.rows]


def everything():
    return list(_ALL)


def _asked(relation, subject, rng):
    entry = RELATIONS[relation]
    words = slots(relation, subject, entry.rows[subject], rng)
    text = asking.careless(template(entry, rng), rng).format_map(words)
    if rng.random() < 0.12:
        said = asking.chatter(rng)
        text = f"{capital(said)} {text}" if rng.random() < 0.75 else f"{text.rstrip('.')}{'' if text[-1] in '?!' else '.'} {said}"
    return text if words["s"].isupper() or relation == "element" else asking.typed(text, rng)


def exchange(rng):
    if rng.random() < 0.08:
        return trivia(rng)
    relation, subject = pick(_ALL, rng)
    return _asked(relation, subject, rng), reply(relation, subject)


def trivia(rng):
    _, answer, asks, _ = pick(ENTRIES, rng)
    return asking.typed(asking.careless(asking.wrapped(pick(asks, rng), "direct", rng, plain=0.5), rng), rng), answer


_CLAIMS = {
    "capital": (("is", "{o}", "the capital of {s}"), ("is", "the capital of {s}", "{o}")), "continent": (("is", "{s}", "in {o}"),), "language": (("do", "people in {s}", "speak {o}"),), "color": (("is", "{s}", "{o}"),),
    "author": (("did", "{o}", "write {s}"), ("is", "{o}", "the author of {s}")), "symbol": (("is", "{o}", "the symbol of {s}"),), "baby": (("is", "a baby {s}", "called {on}"),), "money": (("is", "{o}", "the currency of {s}"),),
    "legs": (("does", "{one}", "have {o} legs"),), "capital of": (("is", "{s}", "in {o}"), ("is", "{s}", "the capital of {o}")), "painter": (("did", "{o}", "paint {s}"),), "food": (("does", "{one}", "eat {o}"),), "ingredients": (("is", "{s}", "made of {o}"),),
}  # fmt: skip
_STATED = {"write": "wrote", "paint": "painted", "have": "has", "eat": "eats"}


def choice(rng):
    """A claim with the right or a wrong answer of the same table, as a question or a statement to be checked."""
    relation = pick(list(_CLAIMS), rng)
    rows = RELATIONS[relation].rows
    subject = pick(list(rows), rng)
    offered = rows[subject] if rng.random() < 0.5 else pick(list(rows.values()), rng)
    words = slots(relation, subject, rows[subject], rng) | {"o": offered, "on": article(offered)}
    verb, who, what = pick(_CLAIMS[relation], rng)
    first, rest = what.split(" ", 1) if " " in what else (what, "")
    stated = f"{who} {verb} {what}" if verb == "is" else f"{who} {what}" if verb == "do" else f"{who} {_STATED[first]} {rest}"
    form = pick(("{v} {w} {x}?", "{v} {w} {x}?", "{v} {w} {x}?", "is it true that {t}?", "{t}, [right|correct|isn't it|yes|no|true]?", "true or false: {t}[.|?]", "I think {t}. [Is that right|Am I right|Is that true|Right]?", "do you think that {t}?", "{t}?", "am I right that {t}?"), rng)
    text = expand(form.replace("{v}", verb).replace("{w}", who).replace("{x}", what).replace("{t}", stated), rng).format_map(words)
    return asking.typed(text, rng), ("Yes. " if offered == rows[subject] else "No. ") + reply(relation, subject)


_ASK_ABOUT = ("Tell me [something |a little |more |]about {s}[.|]", "What do you know about {s}?", "What can you tell me about {s}?", "Say something about {s}[.|]", "[Do you know|Have you heard of] {s}?", "{s}", "facts about {s}", "What is {s}?", "Describe {s}.", "Give me [a fact|some facts] about {s}.")
_ASK_ANY = ("Tell me [a fact|a fun fact|something interesting|something that I do not know|something new|something][.|]", "[Do you know|Give me] [a|an interesting|a fun|another] fact[.|]", "Teach me something[.|]", "[fun fact|random fact|surprise me|Surprise me!]")
_OF_COUNTRIES, _OF_ANIMALS = ("capital", "continent", "language", "money"), ("food", "home", "sound", "legs", "baby")
_COUNTRIES = list(RELATIONS["capital"].rows)
_ANIMALS = list(dict.fromkeys(animal for relation in _OF_ANIMALS for animal in RELATIONS[relation].rows))


def about(rng):
    """All that the tables say of a country or an animal; or, asked for nothing special, any fact."""
    if rng.random() < 0.25:
        return one_of(_ASK_ANY, rng), statement(rng)
    country = rng.random() < 0.5
    subject = pick(_COUNTRIES if country else _ANIMALS, rng)
    known = [reply(relation, subject) for relation in (_OF_COUNTRIES if country else _OF_ANIMALS) if subject in RELATIONS[relation].rows]
    named = subject if country else pick((article(subject), plural(subject), plural(subject)), rng)
    return asking.typed(one_of(_ASK_ABOUT, rng, {"s": named}), rng), " ".join(known[:3])


_NEXT = ("[And|And for|What about|How about|and|what about|Now|And now] {s}[?|]", "{s}?", "And what about {s}?", "The same for {s}[.|, please.]", "[Ok|Okay|Thanks], and {s}?")
_AGAIN = ("{q}?", "[And|Ok, and|Thanks. And|Also,] {q}?", "{q}, [please|then]?")


def thread(rng):
    """A question and one to three that lean on it: the same of another subject, or something else of the same one."""
    relation, subject = pick(_ALL, rng)
    turns = [(_asked(relation, subject, rng), reply(relation, subject))]
    for _ in range(pick((1, 1, 2, 3), rng)):
        others = [name for name, entry in RELATIONS.items() if name != relation and entry.topic == RELATIONS[relation].topic and subject in entry.rows and entry.trained.it]
        if others and rng.random() < 0.5:
            relation = pick(others, rng)
            asked = expand(pick(_AGAIN, rng).replace("{q}", pick(RELATIONS[relation].trained.it, rng)), rng)
        elif relation in ("amount", "why", "form", "planet", "element"):
            relation, subject = pick(_ALL, rng)
            asked = _asked(relation, subject, rng)
        else:
            subject = pick(list(RELATIONS[relation].rows), rng)
            words = slots(relation, subject, RELATIONS[relation].rows[subject], rng)
            named = pick((words["one"], words["p"]), rng) if RELATIONS[relation].topic == "animal" else "the " + words["s"] if relation == "record" else words["s"]
            asked = one_of(_NEXT, rng, {"s": named})
        turns.append((asking.typed(asked, rng), reply(relation, subject)))
    return turns


def statement(rng):
    """A fact as a plain sentence."""
    relation, subject = pick(_ALL, rng)
    return reply(relation, subject)


_FAILED = ("do not know", "don't know", "cannot know", "do not understand")


def holds(text, relation, subject):
    """Whether a reply says the right answer and none of the table's wrong ones, in whatever words around it."""
    rows = RELATIONS[relation].rows
    right, told = rows[subject].lower(), text.lower()
    if any(words in told for words in _FAILED) or not _within(right, told):
        return False
    expected = reply(relation, subject).lower()
    wrong = {answer.lower() for answer in rows.values()} - {right}
    return not any(_within(answer, told) and not _within(answer, expected) for answer in wrong)


def _within(part, text):
    """Whole words only: "cat" is not in "caterpillar"."""
    at = text.find(part)
    while at >= 0:
        end = at + len(part)
        if not (at and text[at - 1].isalnum()) and not (end < len(text) and text[end].isalnum()):
            return True
        at = text.find(part, at + 1)
    return False
