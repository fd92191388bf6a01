"""A sentence goes in, the data in it comes out as JSON."""

import json

from corpus.grammar import one_of, pick
from corpus.names import person

CITIES = "Berlin Paris London Rome Madrid Oslo Tokyo Lisbon Vienna Prague Dublin Athens Cairo Lima Boston Chicago Toronto Sydney Hamburg Milan Geneva Zurich Porto Kyoto".split()
ITEMS = "apples lamps books chairs shirts pencils cups plates candles bottles hats shoes bags bikes tables clocks".split()
JOBS = "teacher nurse baker programmer driver cook farmer painter doctor writer musician plumber pilot lawyer".split()
DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
EVENTS = "meeting concert lesson party dinner match lecture workshop interview flight".split()
COLORS = "red blue green yellow black white brown gray".split()

FORMS = (
    (("name", "city"), ("{name} lives in {city}.", "{name} comes from {city}.", "{name} moved to {city} [last year|in May].", "I met {name} in {city}.")),
    (("name", "age"), ("{name} is {age} years old.", "{name} is {age}.", "My [son|daughter|friend|neighbor] {name} is {age} years old.", "{name} turned {age} today.")),
    (("name", "age", "city"), ("{name} is {age} years old and lives in {city}.", "My friend {name} lives in {city}. [She|He] is {age} years old.", "{name}, {age}, from {city}, [called|wrote to us].", "I am {name}, I am {age}, and I live in {city}.")),
    (("name", "job"), ("{name} works as a {job}.", "{name} is a {job}.", "Have you met {name}? [She|He] is a {job}.", "For ten years {name} has been a {job}.")),
    (("name", "job", "city"), ("{name} is a {job} in {city}.", "{name} works as a {job} in {city}.", "In {city} I met {name}, a {job}.")),
    (("count", "item"), ("I bought {count} {item}.", "Please send me {count} {item}.", "We need {count} {item} [by tomorrow|for the party].", "There are {count} {item} in the box.")),
    (("name", "count", "item"), ("{name} ordered {count} {item}.", "{name} bought {count} {item} [yesterday|today].", "Send {count} {item} to {name}, please.")),
    (("event", "day", "hour"), ("The {event} is on {day} at {hour}.", "On {day} at {hour} there is a {event}.", "Do not forget the {event} on {day} at {hour}.")),
    (("event", "city", "day"), ("The {event} takes place in {city} on {day}.", "On {day} we have a {event} in {city}.")),
    (("item", "color", "price"), ("The {color} {item} cost {price} dollars.", "I paid {price} dollars for the {color} {item}.", "{color} {item} for {price} dollars!")),
)  # fmt: skip
ASKS = (
    "Extract {keys} as JSON: {text}", "Give me {keys} as JSON.\n{text}", "Return a JSON object with {keys}. Text: {text}", "{text}\nExtract {keys} as JSON.",
    "Find {keys} in this sentence and answer in JSON: \"{text}\"", "JSON with {keys}: {text}", "Turn this into JSON with the keys {keys}: {text}", "{text} Write {keys} as JSON.",
)  # fmt: skip
BARE = ("Extract the data as JSON: {text}", "Turn this into JSON: {text}", "{text}\nAnswer in JSON.", "What is in this sentence? Answer as JSON: {text}")


def _values(rng, held_out):
    hour = rng.randrange(7, 22)
    return {
        "name": person(rng, held_out)[0], "age": rng.randrange(3, 99), "city": pick(CITIES, rng), "job": pick(JOBS, rng), "count": rng.randrange(2, 200), "item": pick(ITEMS, rng),
        "event": pick(EVENTS, rng), "day": pick(DAYS, rng), "hour": pick((f"{hour}:00", f"{hour}:30", f"{hour}:15"), rng), "color": pick(COLORS, rng), "price": rng.randrange(1, 500),
    }  # fmt: skip


def _listed(keys):
    return keys[0] if len(keys) == 1 else ", ".join(keys[:-1]) + " and " + keys[-1]


def exchange(rng, held_out=False):
    keys, sentences = pick(FORMS, rng)
    values = _values(rng, held_out)
    text = one_of(sentences, rng, values)
    text = text[0].upper() + text[1:]
    if rng.random() < 0.15:
        asked = one_of(BARE, rng, {"text": text})
        wanted = list(keys)
    else:
        wanted = list(keys) if rng.random() < 0.7 else rng.sample(keys, rng.randint(1, len(keys)))
        named = ["the " + key for key in wanted] if rng.random() < 0.5 else wanted
        asked = pick(ASKS, rng).format(keys=_listed(named), text=text)
    return asked, json.dumps({key: values[key] for key in wanted})
