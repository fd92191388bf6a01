"""Sums, differences, products and even divisions to three digits, plain and in words; a tenth of all pairs beyond the times tables is held out."""

from corpus.grammar import article, expand, held_out, one_of, pick
from corpus.names import person

SIGNS = {"+": ("plus", "added to"), "-": ("minus",), "*": ("times", "multiplied by"), "/": ("divided by",)}
SHOWN = {"+": "+", "-": "-", "*": "**x×", "/": "//÷:"}
ASK = (
    "What is {a} {sign} {b}?", "What is {a} {word} {b}?", "{a} {sign} {b}", "{a} {sign} {b} =", "{a}{sign}{b}", "{a}{sign}{b}=?", "How much is {a} {sign} {b}?",
    "How much is {a} {word} {b}?", "Calculate {a} {sign} {b}.", "Compute {a} {word} {b}.", "{a} {word} {b}?", "Please calculate {a} {sign} {b}.",
    "Can you tell me what {a} {sign} {b} is?", "{a} {sign} {b} = ?", "What's {a} {sign} {b}?", "Solve: {a} {sign} {b}", "What do you get for {a} {sign} {b}?",
)  # fmt: skip
ASK_SUM = ("Add {a} and {b}.", "What is the sum of {a} and {b}?", "Add {b} to {a}.", "What is {a} and {b} together?")
ASK_DIFFERENCE = ("Subtract {b} from {a}.", "What is the difference between {a} and {b}?", "Take {b} away from {a}.", "What is left when I take {b} from {a}?")
ASK_PRODUCT = ("Multiply {a} by {b}.", "What is the product of {a} and {b}?", "Multiply {a} and {b}.")
ASK_QUOTIENT = ("Divide {a} by {b}.", "What do you get when you divide {a} by {b}?", "How often does {b} go into {a}?")
THINGS = "apples coins books stamps cookies marbles eggs pencils flowers stones cards shells".split()
STORIES_SUM = (
    "{n} has {a} {things}. {He} [gets|finds|buys] {b} more. How many {things} does {n} have now?",
    "There are {a} {things} in one box and {b} {things} in another. How many {things} are there in all?",
    "{n} has {a} {things} and {m} has {b} {things}. How many {things} do they have together?",
)
STORIES_DIFFERENCE = (
    "{n} has {a} {things}. {He} [loses|gives away|sells] {b} of them. How many {things} are left?",
    "There were {a} {things} on the table. {n} took {b}. How many {things} are left?",
)


def withheld(sign, a, b):
    """Held-out pairs of numbers; a sum's two orders share one fate, and single digits and the times tables are never held out."""
    if sign in "+*":
        a, b = min(a, b), max(a, b)
    return sign != "/" and max(a, b) > (12 if sign == "*" else 9) and held_out(sign, a, b)


def _numbers(sign, rng, digits):
    top = 10**digits
    if sign == "*":
        return (rng.randrange(13), rng.randrange(13)) if digits < 3 else (rng.randrange(10, 100), rng.randrange(2, 10))
    if sign == "/":
        by = rng.randrange(1, 13)
        return by * rng.randrange(13), by
    a, b = rng.randrange(top), rng.randrange(top if rng.random() < 0.7 else 10 ** rng.randint(1, digits))
    if rng.random() < 0.3:
        a, b = b, a
    return (max(a, b), min(a, b)) if sign == "-" and rng.random() < 0.88 else (a, b)


def value(sign, a, b):
    return {"+": a + b, "-": a - b, "*": a * b}[sign] if sign != "/" else a // b


def problem(rng, held_out_pairs=False, sign=None, digits=None):
    sign = sign or pick("+++++++----***/", rng)
    digits = digits or pick((1, 2, 2, 2, 3, 3), rng)
    a, b = _numbers(sign, rng, digits)
    while withheld(sign, a, b) != held_out_pairs:
        a, b = _numbers(sign, rng, digits)
    return sign, a, b


def ask(sign, a, b, rng):
    special = {"+": ASK_SUM, "-": ASK_DIFFERENCE, "*": ASK_PRODUCT, "/": ASK_QUOTIENT}[sign]
    template = pick(special, rng) if rng.random() < 0.2 else pick(ASK, rng)
    return template.format(a=a, b=b, sign=pick(SHOWN[sign], rng), word=pick(SIGNS[sign], rng))


def answer(sign, a, b):
    return f"{a} {sign if sign != '*' else 'x'} {b} = {value(sign, a, b)}"


def exchange(rng):
    sign, a, b = problem(rng)
    return ask(sign, a, b, rng), answer(sign, a, b)


def in_words(rng):
    """A short word problem whose answer names the numbers."""
    sign = pick("+-", rng)
    sign, a, b = problem(rng, sign=sign, digits=2)
    if a < b and sign == "-":
        a, b = b, a
        if withheld(sign, a, b):
            return in_words(rng)
    n, he = person(rng)
    m, _ = person(rng)
    things = pick(THINGS, rng)
    scene = {"n": n, "m": m, "He": he.capitalize(), "a": a, "b": b, "things": things}
    asked = one_of(STORIES_SUM if sign == "+" else STORIES_DIFFERENCE, rng, scene)
    result = value(sign, a, b)
    return asked, f"{answer(sign, a, b)}, so the answer is {result} {things if result != 1 else things[:-1]}."


def compare(rng):
    a, b = rng.randrange(1000), rng.randrange(1000)
    while a == b:
        b = rng.randrange(1000)
    larger = rng.random() < 0.5
    word = pick(("larger", "bigger", "greater") if larger else ("smaller", "less"), rng)
    asked = expand(f"[Which|Which number] is {word}, {a} or {b}?", rng)
    return asked, f"{max(a, b) if larger else min(a, b)} is {word} than {min(a, b) if larger else max(a, b)}."


def count(rng):
    start, step, number = rng.randrange(1, 60), pick((1, 1, 1, 2, 5, 10), rng), rng.randrange(4, 10)
    if rng.random() < 0.3:
        start, step, number = 1, 1, rng.randrange(3, 21)
    series = [start + step * i for i in range(number)]
    if start == 1 and step == 1 and rng.random() < 0.5:
        asked = one_of((f"Count to {number}.", f"[Can you count|Please count|Count up] to {number}[?|]"), rng)
    elif step == 1:
        asked = one_of((f"Count from {series[0]} to {series[-1]}.", f"[Please count|Count] from {series[0]} up to {series[-1]}"), rng)
    else:
        asked = one_of((f"Count from {series[0]} to {series[-1]} in steps of {step}.", f"Count by {step} from {series[0]} to {series[-1]}."), rng)
    return asked, ", ".join(map(str, series))


def neighbor(rng):
    """The number before or after, and whether a number is even."""
    number = rng.randrange(1, 999)
    kind = rng.randrange(3)
    if kind == 0:
        return one_of((f"What number comes after {number}?", f"Which number follows {number}?"), rng), f"After {number} comes {number + 1}."
    if kind == 1:
        return one_of((f"What number comes before {number}?", f"Which number is right before {number}?"), rng), f"Before {number} comes {number - 1}."
    word = "even" if number % 2 == 0 else "odd"
    return one_of((f"Is {number} even or odd?", f"Is {number} an odd or an even number?"), rng), f"{number} is {article(word).split()[0]} {word} number."


def number_question(rng):
    return pick((compare, count, neighbor), rng)(rng)
