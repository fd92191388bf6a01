"""Sums, differences, products and divisions to three digits and now and then four, plain and in words; a tenth of all pairs beyond the times tables is held out."""

from corpus.grammar import article, expand, held_out, one_of, pick
from corpus.names import person

SIGNS = {"+": ("plus", "added to"), "-": ("minus",), "*": ("times", "multiplied by"), "/": ("divided by",)}
SHOWN = {"+": "+", "-": "-", "*": "**x×", "/": "//÷:"}
ASK = (
    "What is {a} {sign} {b}?", "What is {a} {word} {b}?", "{a} {sign} {b}", "{a} {sign} {b} =", "{a}{sign}{b}", "{a}{sign}{b}=?", "How much is {a} {sign} {b}?",
    "How much is {a} {word} {b}?", "Calculate {a} {sign} {b}.", "Compute {a} {word} {b}.", "{a} {word} {b}?", "Please calculate {a} {sign} {b}.",
    "Can you tell me what {a} {sign} {b} is?", "{a} {sign} {b} = ?", "What's {a} {sign} {b}?", "Solve: {a} {sign} {b}", "What do you get for {a} {sign} {b}?", "What's {a} {word} {b}?", "{a} {word} {b}", "{a}{sign}{b}?", "{a} {sign}{b}", "Do you know what {a} {word} {b} is?",
    "Tell me {a} {sign} {b}.", "Tell me what {a} {word} {b} is.", "I need {a} {sign} {b}.", "Result of {a} {sign} {b}?", "What does {a} {sign} {b} equal?", "{a} {word} {b} equals?", "{a} {word} {b} is", "Quick: {a} {sign} {b}?", "How much do I get for {a} {word} {b}?",
    "Can you calculate {a} {sign} {b}?", "Please solve {a} {word} {b}.", "What would {a} {word} {b} be?", "Hi, what is {a} {sign} {b}?", "Could you work out {a} {word} {b}?", "My homework says {a} {sign} {b}.", "and {a} {sign} {b}?", "And what is {a} {word} {b}?", "Evaluate {a} {sign} {b}",
)  # fmt: skip
ASK_SUM = ("Add {a} and {b}.", "What is the sum of {a} and {b}?", "Add {b} to {a}.", "What is {a} and {b} together?", "The sum of {a} and {b}?", "How much is {a} and {b}?", "Can you add {a} and {b}?", "add {a} {b}", "sum of {a} and {b}", "Put {a} and {b} together.")
ASK_DIFFERENCE = ("Subtract {b} from {a}.", "What is the difference between {a} and {b}?", "Take {b} away from {a}.", "What is left when I take {b} from {a}?", "The difference of {a} and {b}?", "How much is {a} without {b}?", "Can you subtract {b} from {a}?", "How much more is {a} than {b}?")
ASK_PRODUCT = ("Multiply {a} by {b}.", "What is the product of {a} and {b}?", "Multiply {a} and {b}.", "The product of {a} and {b}?", "Can you multiply {a} by {b}?", "How much is {a} times {b}?")
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
        return (rng.randrange(13), rng.randrange(13)) if digits < 2 or rng.random() < 0.25 and digits == 2 else (rng.randrange(10, 100), rng.randrange(2, 10))
    if sign == "/":
        by = rng.randrange(1, 13)
        return by * rng.randrange(13), by
    a, b = rng.randrange(top), rng.randrange(top if rng.random() < 0.7 else 10 ** rng.randint(1, digits))
    if rng.random() < 0.3:
        a, b = b, a
    if digits > 2 and rng.random() < 0.15:
        a = 10 ** (digits - 1) * rng.randrange(1, 10)
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
    """The equation; a product beyond the tables and a negative difference show the step that a small model needs on the way."""
    if sign == "-" and a < b:
        return f"{a} - {b} = -({b} - {a}) = {a - b}"
    shown = f"{a} {sign if sign != '*' else 'x'} {b} = "
    if sign == "*" and max(a, b) > 12 and min(a, b) > 1:
        tens = max(a, b) // 10 * 10
        shown += f"{tens * min(a, b)} + {(max(a, b) - tens) * min(a, b)} = "
    return f"{shown}{value(sign, a, b)}"


_ONES = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()


def spelled(number):
    """A number below 100 in words."""
    if number < 20:
        return _ONES[number]
    return _TENS[number // 10 - 2] + ("-" + _ONES[number % 10] if number % 10 else "")


def exchange(rng):
    roll = rng.random()
    if roll < 0.12:
        return pick((several, share, change, power, root, percent, mixed), rng)(rng)
    sign, a, b = problem(rng, sign=pick("+-", rng), digits=4) if roll < 0.18 else problem(rng)
    if max(a, b) < 100 and rng.random() < 0.12:
        template = pick(("What is {a} {w} {b}?", "{a} {w} {b}", "How much is {a} {w} {b}?", "What's {a} {w} {b}?", "Tell me what {a} {w} {b} is."), rng)
        return template.format(a=spelled(a), b=spelled(b), w=SIGNS[sign][0]), answer(sign, a, b)
    return ask(sign, a, b, rng), answer(sign, a, b)


def several(rng):
    """Three small numbers, added one after another."""
    a, b, c = (rng.randrange(1, 30) for _ in range(3)) if rng.random() < 0.8 else (100 * rng.randrange(1, 10) for _ in range(3))
    if withheld("+", a, b) or withheld("+", a + b, c):
        return several(rng)
    asked = one_of((f"[What is|What's|How much is|Calculate|] {a} + {b} + {c}[?|]", f"[Add|Sum up] {a}, {b} and {c}[.|]", f"{a}+{b}+{c}", f"{a} plus {b} plus {c}[?|]"), rng).strip()
    return asked, f"{a} + {b} + {c} = {a + b} + {c} = {a + b + c}"


def share(rng):
    """A division that may leave a rest, or cannot be done."""
    a, b = rng.randrange(1, 60), rng.randrange(0, 11)
    asked = one_of((f"[What is|What's|How much is|] {a} [/|divided by|:|÷] {b}[?|]", f"Divide {a} by {b}[.|]", f"{a}/{b}"), rng).strip()
    if b == 0:
        return asked, "A number cannot be divided by zero."
    return asked, f"{a} / {b} = {a // b}" + (f", remainder {a % b}" if a % b else "")


def change(rng):
    """Doubles and halves."""
    a = rng.randrange(1, 50)
    if rng.random() < 0.5:
        return one_of((f"[What is|What's|] [double|twice|two times] {a}[?|]", f"Double {a}[.|]", f"What is the double of {a}?"), rng).strip(), f"2 x {a} = {2 * a}"
    return one_of((f"[What is|What's|] half of {2 * a}[?|]", f"Halve {2 * a}[.|]", f"What is the half of {2 * a}?"), rng).strip(), f"{2 * a} / 2 = {a}"


def power(rng):
    a = rng.randrange(1, 13)
    asked = one_of((f"[What is|What's|] {a} squared[?|]", f"[What is the|The|] square of {a}[?|]", f"{a}^2", f"What is {a} to the power of 2?"), rng).strip()
    return asked, f"{a} x {a} = {a * a}"


def root(rng):
    a = rng.randrange(1, 21)
    return one_of((f"[What is|What's|] the square root of {a * a}[?|]", f"square root of {a * a}", f"sqrt({a * a})", f"root of {a * a}"), rng).strip(), f"The square root of {a * a} is {a}."


def percent(rng):
    share = pick((10, 10, 20, 25, 50, 50, 100, 5), rng)
    whole = 100 * rng.randrange(1, 11) if share in (5, 25) else 10 * rng.randrange(1, 31)
    return one_of((f"[What is|What's|How much is|] {share}[%| percent] of {whole}[?|]",), rng).strip(), f"{share}% of {whole} is {share * whole // 100}."


def mixed(rng):
    """A product before a sum."""
    a, b, c = rng.randrange(1, 30), rng.randrange(2, 11), rng.randrange(2, 11)
    asked = one_of((f"[What is|What's|How much is|] {a} + {b} [*|x|times] {c}[?|]", f"{a}+{b}*{c}"), rng).strip()
    return (asked, f"{a} + {b} x {c} = {a} + {b * c} = {a + b * c}") if not withheld("+", a, b * c) else mixed(rng)


def thread(rng):
    """A sum and sums that go on from its result."""
    sign, a, b = problem(rng, sign="+", digits=pick((1, 2), rng))
    turns, total = [(ask(sign, a, b, rng), answer(sign, a, b))], a + b
    for _ in range(pick((1, 2), rng)):
        sign = pick("+-", rng)
        more = rng.randrange(1, min(total, 100)) if total > 1 else 1
        if withheld(sign, total, more):
            break
        word = "plus" if sign == "+" else "minus"
        asked = one_of((f"[And|Now|And now|Then|and|] {word} {more}[?|]", f"{sign} {more}", f"{sign}{more}", f"[And|Now] {'add' if sign == '+' else 'subtract'} {more}[.|]", f"[And|] {more} {'more' if sign == '+' else 'less'}[?|]"), rng).strip()
        turns.append((asked, answer(sign, total, more)))
        total = value(sign, total, more)
    return turns


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
