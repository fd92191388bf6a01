"""Questions and answers on the tables of `facttable`."""

from corpus import facttable as table
from corpus.facttable import Relation
from corpus.grammar import article, capital, one_of, pick

RELATIONS = {
    "capital": Relation(
        table.CAPITALS,
        ("What is the capital of {s}?", "What's the capital of {s}?", "Which city is the capital of {s}?", "Tell me the capital of {s}.",
         "Name the capital of {s}.", "capital of {s}", "Do you know the capital of {s}?", "What is the capital city of {s}?",
         "{s}: what is its capital?", "What is the name of the capital of {s}?"),
        ("Can you tell me what the capital of {s} is?", "I forgot the capital of {s}. What is it?"),
        ("The capital of {s} is {a}.",),
    ),
    "capital of": Relation(
        {city: country for country, city in table.CAPITALS.items() if country not in ("England", "Luxembourg")},
        ("{s} is the capital of which country?", "Which country has {s} as its capital?", "What country is {s} the capital of?",
         "Of which country is {s} the capital?", "{s} is the capital of what?", "Name the country whose capital is {s}."),
        ("Which country's capital is {s}?", "{s} is a capital. Of which country?"),
        ("{s} is the capital of {a}.",),
    ),
    "continent": Relation(
        table.CONTINENTS,
        ("Which continent is {s} in?", "On which continent is {s}?", "What continent is {s} in?", "On what continent does {s} lie?",
         "Name the continent of {s}.", "{s} is on which continent?", "Is {s} in Europe, Asia or on another continent?"),
        ("Tell me the continent that {s} belongs to.", "Do you know which continent {s} is on?"),
        ("{s} is in {a}.",),
    ),
    "language": Relation(
        table.LANGUAGES,
        ("What language do people speak in {s}?", "Which language is spoken in {s}?", "What language is spoken in {s}?", "Name the main language of {s}.",
         "What do people speak in {s}?", "What is the language of {s}?", "language of {s}", "What do the people in {s} speak?",
         "Which language do people use in {s}?", "What language do they speak in {s}?"),
        ("Which language do the people of {s} speak?", "Tell me the language that is spoken in {s}."),
        ("In {s}, people speak {a}.",),
    ),
    "money": Relation(
        table.MONEY,
        ("What is the currency of {s}?", "Which currency is used in {s}?", "What money do people use in {s}?", "What currency does {s} use?",
         "currency of {s}", "With which money do people pay in {s}?", "What are the coins and notes of {s} called?", "How do people pay in {s}?", "Name the currency of {s}."),
        ("Which money is used in {s}?", "Tell me the currency of {s}."),
        ("The currency of {s} is {a}.",),
    ),
    "symbol": Relation(
        table.SYMBOLS,
        ("What is the chemical symbol for {s}?", "What's the symbol of {s}?", "Which symbol stands for {s}?", "chemical symbol of {s}", "How is {s} written in the periodic table?", "Which letters stand for {s} in the periodic table?", "Tell me the chemical symbol for {s}.",
         "What is the symbol of the element {s}?", "How is {s} written in chemistry?"),
        ("Do you know the chemical symbol of {s}?", "What symbol does {s} have in the periodic table?"),
        ("The chemical symbol for {s} is {a}.",),
    ),
    "element": Relation(
        {symbol: element for element, symbol in table.SYMBOLS.items()},
        ("Which element has the symbol {s}?", "What element is {s}?", "What does the chemical symbol {s} stand for?", "Which element is written as {s}?",
         "Name the element with the symbol {s}.", "The symbol {s} stands for which element?"),
        ("Tell me which element has the symbol {s}.", "What is the element with the symbol {s}?"),
        ("The symbol {s} stands for {a}.",),
    ),
    "baby": Relation(
        table.BABIES,
        ("What is a baby {s} called?", "What do you call a baby {s}?", "What is the young of a {s} called?", "A baby {s} is called what?", "Name for a baby {s}?", "What are baby {p} called?", "What do you call baby {p}?",
         "What's the word for a young {s}?", "How do you call the young of a {s}?"),
        ("Tell me the name of a baby {s}.", "What is the word for a baby {s}?"),
        ("A baby {s} is called a {a}.",),
    ),
    "sound": Relation(
        table.SOUNDS,
        ("What sound does a {s} make?", "What does a {s} say?", "Which sound does a {s} make?", "How does a {s} sound?", "What noise does a {s} make?", "sound of a {s}", "What sound do {p} make?", "What do {p} say?", "What noise do {p} make?", "A {s} makes which sound?",
         "I want to know which sound a {s} makes.", "Which noise is it that a {s} makes?"),
        ("Tell me the sound that a {s} makes.", "Do you know what sound a {s} makes?"),
        ("A {s} {a}.",),
    ),
    "home": Relation(
        table.HOMES,
        ("Where does a {s} live?", "Where do you find a {s}?", "What is the home of a {s}?", "Where is the home of a {s}?", "In what place does a {s} live?", "Where can a {s} be found?", "Where do {p} live?", "Where do I find {p}?", "A {s} lives where?", "I want to know where a {s} lives."),
        ("Tell me where a {s} lives.", "Do you know where a {s} lives?"),
        ("A {s} lives {a}.",),
    ),
    "legs": Relation(
        table.LEGS,
        ("How many legs does a {s} have?", "How many legs has a {s}?", "What number of legs does a {s} have?", "Tell me how many legs a {s} has.", "number of legs of a {s}",
         "Does a {s} have legs, and how many?", "How many legs do {p} have?"),
        ("Do you know how many legs a {s} has?", "A {s} has how many legs?"),
        ("A {s} has {a} legs.",),
    ),
    "food": Relation(
        table.FOOD_OF,
        ("What does a {s} eat?", "What do you feed a {s}?", "What is the food of a {s}?", "What kind of food does a {s} eat?", "Which food does a {s} like?", "food of a {s}", "What do {p} eat?", "What do {p} like to eat?", "A {s} eats what?", "I want to know what a {s} eats.", "What is it that a {s} eats?"),
        ("Tell me what a {s} eats.", "Do you know what a {s} eats?"),
        ("A {s} eats {a}.",),
    ),
    "color": Relation(
        table.COLORS,
        ("What color is {s}?", "Which color is {s}?", "What is the color of {s}?", "What colour is {s}?", "color of {s}", "{s} has what color?", "What color does {s} have?"),
        ("Tell me the color of {s}.", "Do you know what color {s} is?"),
        ("{S} is {a}.",),
    ),
    "amount": Relation(
        table.AMOUNTS,
        ("How many {s}?", "Tell me how many {s}.", "Do you know how many {s}?", "How many {s}, please?", "how many {s}", "Please tell me: how many {s}?"),
        ("A question: how many {s}?", "I wonder how many {s}."),
        ("{amount}",),
    ),
    "author": Relation(
        table.MAKERS,
        ("Who wrote {s}?", "Who is the author of {s}?", "Who was the author of {s}?", "{s} was written by whom?", "Name the author of {s}.", "Which author wrote {s}?", "author of {s}"),
        ("Do you know who wrote {s}?", "Tell me who the author of {s} is."),
        ("{a} wrote {s}.",),
    ),
    "painter": Relation(
        table.PAINTERS,
        ("Who painted {s}?", "Which artist painted {s}?", "{S} was painted by whom?", "Who is the painter of {s}?", "Name the painter of {s}.", "painter of {s}"),
        ("Do you know who painted {s}?", "Tell me who painted {s}."),
        ("{a} painted {s}.",),
    ),
    "inventor": Relation(
        table.INVENTORS,
        ("Who invented {s}?", "Who created {s}?", "Who is the inventor of {s}?", "Who came up with {s}?", "Name the inventor of {s}.", "inventor of {s}", "{s} was invented by whom?"),
        ("Do you know who invented {s}?", "Tell me who invented {s}."),
        ("{S} was invented by {a}.",),
    ),
    "discoverer": Relation(
        table.DISCOVERERS,
        ("Who discovered {s}?", "Who found {s}?", "Who is known for {s}?", "Which scientist is linked to {s}?", "{s} was discovered by whom?", "Name the discoverer of {s}."),
        ("Do you know who discovered {s}?", "Tell me who discovered {s}."),
        ("The name to know for {s} is {a}.",),
    ),
    "planet": Relation(
        table.PLANETS,
        ("Which planet is {s}?", "What planet is {s}?", "Name the planet that is {s}.", "Tell me which planet is {s}.", "The planet that is {s} is which one?", "planet {s}"),
        ("Do you know which planet is {s}?", "What is the name of the planet that is {s}?"),
        ("The planet that is {s} is {a}.",),
    ),
    "record": Relation(
        table.RECORDS,
        ("What is the {s}?", "What's the {s} in the world?", "Which is the {s}?", "Name the {s}.", "What is the {s} in the world?", "Tell me the {s} of the world.", "{s}"),
        ("Do you know what the {s} is?", "Can you name the {s}?"),
        ("The {s} is {a}.",),
    ),
    "after": Relation(
        table.AFTER,
        ("What comes after {s}?", "What follows {s}?", "What is next after {s}?", "Which one comes after {s}?", "After {s} comes what?", "what comes directly after {s}"),
        ("Tell me what comes after {s}.", "Do you know what comes after {s}?"),
        ("After {s} comes {a}.",),
    ),
    "before": Relation(
        table.BEFORE,
        ("What comes before {s}?", "What is before {s}?", "What precedes {s}?", "Which one comes before {s}?", "Before {s} comes what?", "what comes directly before {s}"),
        ("Tell me what comes before {s}.", "Do you know what comes before {s}?"),
        ("Before {s} comes {a}.",),
    ),
    "place": Relation(
        table.PLACES,
        ("Where is {s}?", "Where can I see {s}?", "Where do I find {s}?", "In which place is {s}?", "location of {s}", "{s} is where?", "Where in the world is {s}?"),
        ("Do you know where {s} is?", "Tell me where {s} is."),
        ("{S} is in {a}.",),
    ),
    "meaning": Relation(
        table.MEANINGS,
        ("What is {s}?", "What's {s}?", "Explain {s}.", "What does {t} mean?", "Define {t}.", "Can you explain what {s} is?", "What do you know about {s}?", "Describe {s}."),
        ("Tell me what {s} is.", "Please explain to me what {s} is."),
        ("{S} is {a}.",),
    ),
    "form": Relation(
        table.FORMS,
        ("What happens to {s}?", "What will happen to {s}?", "What does happen to {s}?", "Tell me what happens to {s}.", "{S}: what happens?"),
        ("Do you know what happens to {s}?", "Please explain what happens to {s}."),
        ("{a}.",),
    ),
    "why": Relation(
        table.WHY,
        ("Why is {s}?", "Why are {s}?", "Explain this: why is {s}?", "What is the reason? Why is {s}?", "why is {s}", "Please tell me: why is {s}?"),
        ("Do you know this: why is {s}?", "My child asks: why is {s}?"),
        ("{a}.",),
    ),
    "ingredients": Relation(
        table.INGREDIENTS,
        ("What is {s} made of?", "What is {s} made from?", "What do you need to make {s}?", "From what is {s} made?", "What does {s} consist of?", "ingredients of {s}", "How is {s} made? From what?"),
        ("Tell me what {s} is made of.", "Do you know what {s} is made of?"),
        ("{S} is made of {a}.",),
    ),
}

BEFORE = ("", "", "", "", "", "", "Please: ", "Quick question: ", "Hi! ", "Hello, ", "A question: ", "I have a question. ", "Excuse me. ", "Hey, ", "Okay. ", "Now tell me: ", "Thanks. ")
AFTER = ("", "", "", "", "", "", " Thank you.", " Please answer.", " please", " I forgot.", " Thanks!")


def _amount(subject, answer):
    """"minutes are in an hour", "60" -> "There are 60 minutes in an hour."; "sides does a cube have" -> "A cube has six sides."."""
    if " does " in subject:
        what, owner = subject.removesuffix(" have").split(" does ")
        return capital(f"{owner} has {answer} {what}.")
    what, rest = subject.split(" are ", 1)
    rest = rest.removeprefix("there ")
    verb = "There is" if answer == "one" else "There are"
    return f"{verb} {answer} {what} {rest}."


_PLURALS = {"sheep": "sheep", "fish": "fish", "deer": "deer", "mouse": "mice", "goose": "geese", "wolf": "wolves"}


def plural(noun):
    if noun in _PLURALS:
        return _PLURALS[noun]
    if noun.endswith(("s", "x", "ch", "sh")):
        return noun + "es"
    return noun[:-1] + "ies" if noun.endswith("y") and noun[-2:-1] not in "aeiou" else noun + "s"


def slots(subject, answer):
    bare = subject.split(" ", 1)[1] if subject.startswith(("a ", "an ", "the ")) else subject
    return {"s": subject, "S": capital(subject), "a": answer, "t": bare, "p": plural(subject), "amount": ""}


def reply(relation, subject):
    entry = RELATIONS[relation]
    answer = entry.rows[subject]
    words = slots(subject, answer)
    if relation == "amount":
        words["amount"] = _amount(subject, answer)
    return correct_articles(capital(entry.answer[0].format_map(words)))


_AN = {f"a {noun}": article(noun) for rows in (table.BABIES, table.SOUNDS, table.HOMES, table.LEGS, table.FOOD_OF)
       for pair in rows.items() for noun in pair if noun[0] in "aeiou" and " " not in noun}  # fmt: skip


def correct_articles(text):
    """Templates say `a`; owls and eagles need `an`."""
    for wrong, right in _AN.items():
        if wrong in text or capital(wrong) in text:
            text = text.replace(wrong + " ", right + " ").replace(capital(wrong) + " ", capital(right) + " ")
            text = text.replace(wrong + ".", right + ".").replace(wrong + "?", right + "?")
    return text


def question(relation, subject, rng, phrasings=None):
    entry = RELATIONS[relation]
    asked = pick(phrasings or entry.ask, rng)
    return correct_articles(capital(asked.format_map(slots(subject, entry.rows[subject]))) if asked[0] == "{" else
                            correct_articles(asked.format_map(slots(subject, entry.rows[subject]))))  # fmt: skip


_OF_COUNTRIES, _OF_ANIMALS = ("capital", "continent", "language", "money"), ("food", "home", "sound", "legs", "baby")
_COUNTRIES = list(table.CAPITALS)
_ANIMALS = list(dict.fromkeys(animal for relation in _OF_ANIMALS for animal in RELATIONS[relation].rows))
_ALL = [(relation, subject) for relation, entry in RELATIONS.items() for subject in entry.rows]


def everything():
    return list(_ALL)


def exchange(rng):
    relation, subject = pick(_ALL, rng)
    asked = question(relation, subject, rng)
    if rng.random() < 0.5:
        asked = pick(BEFORE, rng) + asked + pick(AFTER, rng)
    return asked, reply(relation, subject)


def choice(rng):
    """A yes-or-no question with the right or a wrong answer of the same table."""
    relation = pick(("capital", "town", "continent", "language", "color", "author", "symbol", "baby"), rng)
    if relation == "town":
        return _town(rng)
    rows = RELATIONS[relation].rows
    subject = pick(list(rows), rng)
    offered = rows[subject] if rng.random() < 0.5 else pick(list(rows.values()), rng)
    claims = {
        "capital": "Is {o} the capital of {s}?", "continent": "Is {s} in {o}?", "language": "Do people in {s} speak {o}?",
        "color": "Is {s} {o}?", "author": "Did {o} write {s}?", "symbol": "Is {o} the symbol of {s}?", "baby": "Is a baby {s} called a {o}?",
    }  # fmt: skip
    asked = correct_articles(claims[relation].format(s=subject, o=offered))
    truth = reply(relation, subject)
    return asked, ("Yes. " if offered == rows[subject] else "No. ") + truth


def _town(rng):
    rows = RELATIONS["capital of"].rows
    town = pick(list(rows), rng)
    offered = rows[town] if rng.random() < 0.5 else pick(list(rows.values()), rng)
    return f"Is {town} in {offered}?", ("Yes. " if offered == rows[town] else "No. ") + reply("capital of", town)


_ASK_ABOUT = ("Tell me [something |a little |]about {s}[.|]", "What do you know about {s}?", "What can you tell me about {s}?", "Say something about {s}[.|]")
_ASK_ANY = ("Tell me [a fact|a fun fact|something interesting|something that I do not know|something new][.|]", "[Do you know|Give me] [a|an interesting|a fun] fact[.|]", "Teach me something[.|]")


def about(rng):
    """All that the tables say of a country or an animal; or, asked for nothing special, any fact."""
    if rng.random() < 0.25:
        return one_of(_ASK_ANY, rng), statement(rng)
    country = rng.random() < 0.5
    subject = pick(_COUNTRIES if country else _ANIMALS, rng)
    known = [reply(relation, subject) for relation in (_OF_COUNTRIES if country else _OF_ANIMALS) if subject in RELATIONS[relation].rows]
    named = subject if country else pick((article(subject), plural(subject), plural(subject)), rng)
    return one_of(_ASK_ABOUT, rng, {"s": named}), " ".join(known[:3])


def statement(rng):
    """A fact as a plain sentence."""
    relation, subject = pick(_ALL, rng)
    return reply(relation, subject)
