"""Sentence templates: `[a|b|c]` is a choice (nestable, `[|x]` an option), `{slot}` a value from the scene."""

from bisect import bisect
from functools import lru_cache


@lru_cache(maxsize=None)
def _parse(template):
    def sequence(at, closing):
        parts, text = [], at
        while at < len(template):
            mark = template[at]
            if mark == "[":
                if at > text:
                    parts.append(template[text:at])
                options = []
                at += 1
                while True:
                    option, at = sequence(at, "|]")
                    options.append(option)
                    at += 1
                    if template[at - 1] == "]":
                        break
                parts.append(tuple(options))
                text = at
                continue
            if mark in closing:
                break
            at += 1
        if at > text:
            parts.append(template[text:at])
        return parts, at

    parts, _ = sequence(0, "")
    return parts


def _write(parts, rng, out, turn):
    for part in parts:
        if isinstance(part, str):
            out.append(part)
        else:
            _write(part[int(rng.random() * len(part))] if turn is None else lean(part, rng, turn), rng, out, turn)


def expand(template, rng, scene=None, turn=None):
    """One sentence of the template; slots come from the dictionary `scene`. With a `turn`, choices lean as in `lean`."""
    out = []
    _write(_parse(template), rng, out, turn)
    text = "".join(out)
    return text.format_map(scene) if scene is not None else text


def pick(options, rng):
    return options[int(rng.random() * len(options))]


@lru_cache(maxsize=None)
def _shares(count):
    weights = [(rank + 1) ** -1.5 for rank in range(count)]
    return tuple(sum(weights[: rank + 1]) / sum(weights) for rank in range(count))


def lean(options, rng, turn=0):
    """An uneven draw, so that a model has a clear favorite: the option at `turn` is likeliest, those after it ever less."""
    return options[(bisect(_shares(len(options)), rng.random()) + turn) % len(options)]


def one_of(templates, rng, scene=None):
    return expand(pick(templates, rng), rng, scene)


def capital(text):
    return text[:1].upper() + text[1:]


def article(noun):
    """The noun with a or an before it; numerals and abbreviations do not occur."""
    return ("an " if noun[0] in "aeiouAEIOU" and not noun.startswith("uni") else "a ") + noun


def untidy(text, rng):
    """The same question as a hurried person types it."""
    roll = rng.random()
    if roll < 0.06:
        return text.lower()
    if roll < 0.12:
        return text[0] + text[1:].lower()
    if roll < 0.18:
        return text.rstrip("?.")
    if roll < 0.24:
        return text.lower().rstrip("?.")
    return text


def held_out(*key, share=10):
    """Whether the example named by the key belongs to the held-out tenth; the same on every machine and run."""
    value = 2166136261
    for byte in repr(key).encode():
        value = (value ^ byte) * 16777619 & 0xFFFFFFFF
    value ^= value >> 15
    value = value * 2246822519 & 0xFFFFFFFF
    return (value >> 13) % share == 0
