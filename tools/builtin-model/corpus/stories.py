"""Short stories: a hero and a helper, a place, a trouble from `plots` and an end, with requests that ask for them."""

from corpus.grammar import article, capital, expand, lean, pick, untidy
from corpus.names import BOYS, GIRLS, person, pronoun
from corpus.plots import PLOTS

KINDS = {
    "animal": """fox rabbit bear mouse owl cat dog hedgehog squirrel duck frog turtle goat pony wolf badger otter beaver
penguin elephant lion tiger monkey sheep donkey bee parrot whale dolphin kitten puppy horse snail crow dinosaur cow pig hen zebra giraffe panda
koala kangaroo camel seal spider ant butterfly lizard crab octopus shark swan raven rooster hamster deer moose bat""".split(),
    "person": """girl boy baker farmer fisherman painter teacher sailor shepherd gardener doctor musician tailor miller princess king knight
pirate astronaut explorer inventor queen prince cook postman librarian carpenter scientist dancer clown detective nurse pilot student captain singer""".split(),
    "wonder": "dragon giant elf robot wizard cloud ghost unicorn fairy mermaid snowman dwarf witch alien monster troll vampire superhero phoenix".split(),
    "thing": """teapot spoon shoe pencil balloon train car boat tree flower potato carrot pumpkin cookie lamp clock book kite star moon chair umbrella
bus tractor rocket computer phone mountain river snowflake raindrop apple pebble sock button""".split(),
}
NOUNS = tuple(noun for kind in KINDS.values() for noun in kind)
NAMES = tuple(name for pair in zip(GIRLS, BOYS) for name in pair)
ADJECTIVES = "little young brave curious quiet clever kind cheerful gentle small funny old careful busy friendly sleepy".split()
PLACES = (
    "a small village", "the deep forest", "a town by the sea", "a quiet valley", "the big city", "a house on a hill",
    "an old castle", "a green island", "the high mountains", "a farm near the river", "a harbor full of boats",
    "the edge of the desert", "a snowy land in the north", "a garden behind a stone wall", "a village of wooden houses",
    "a lighthouse", "the old mill", "a meadow full of flowers", "a street with tall trees", "a little train station",
)  # fmt: skip
FOODS = (
    "warm bread", "apple pie", "vegetable soup", "honey cakes", "fresh cheese", "pancakes", "hot tea and cookies",
    "roasted nuts", "berry jam", "rice with beans", "tomato soup", "baked potatoes", "plum cake", "noodles",
)  # fmt: skip
COLORS = "red blue green yellow orange purple golden silver white pink".split()
SKILLS = (
    "swim", "fly a kite", "ride a bicycle", "play the flute", "climb the tall tree", "skate on the ice", "whistle",
    "bake bread", "read", "dance", "sail a boat", "juggle three apples", "sing in front of people", "ride a horse",
)  # fmt: skip
WEATHER = (
    "The sun was shining, and the air smelled of [grass|flowers|summer].",
    "It was a [cold|clear|bright] morning, and the [birds were singing|sky was blue].",
    "Soft rain fell on the roofs, and everything was [quiet|calm].",
    "A gentle wind moved the leaves.",
    "Snow lay on the fields, and smoke rose from the chimneys.",
    "It was [a warm evening|late summer], and the days were long.",
    "The fog was so thick that you could hardly see your own feet.",
)
OPENINGS = (
    "Once upon a time, there was {a_kind} named {n}. {He} lived in {a_place}.",
    "Once upon a time, {a_kind} named {n} lived in {a_place}.",
    "Long ago, in {a_place}, there lived {a_kind} called {n}.",
    "In {a_place} lived {a_kind}. {His} name was {n}.",
    "{n} was {a_kind} who lived in {a_place}.",
    "There was once {a_kind} whose name was {n}. {His} home was in {a_place}.",
    "Not far from here, in {a_place}, {a_kind} named {n} had a small house.",
    "Have you heard of {n}? {He} was {a_kind}, and {he} lived in {a_place}.",
    "This is the story of {n}, {a_kind} from {a_place}.",
)
HABITS = (
    "Every [morning|day], {n} [got up early|opened the window] and [ate some {food}|said hello to the sun].",
    "{n} liked {food}, long walks and [rainy days|sunny afternoons|old songs].",
    "{He} was known for {his} [big smile|warm heart|funny stories], and everybody liked {him}.",
    "{He} [loved to sing|loved to ask questions|always wore {a_color} coat|had {a_color} door and {a_color2} roof].",
    "In the evening {he} [liked to sit by the fire|counted the stars|wrote in a small {color} book].",
    "{n} was [small|quiet|young], but {he} had [big dreams|many ideas|a brave heart].",
    "{He} knew every [path|stone|tree] in {place}, and every [path|stone|tree] knew {him}.",
    "When visitors came, {n} gave them {food} and [told them a joke|asked them about far lands|showed them the view].",
    "On the wall of {his} room hung [{a_color} hat|a picture of the sea|a clock that was always late].",
    "{He} worked hard [all week|every day], and on Sundays {he} made {food}.",
    "Nobody in {place} [laughed as loudly|had as many questions|got up as early] as {n}.",
)
FRIENDS = (
    "{His} best friend was {m}, {m_kind} [who lived next door|with a good heart|who always had an idea].",
    "{n} had a friend named {m}. {mHe} was {m_kind}.",
    "Next door lived {m}, {m_kind} [who knew a lot of things|who never hurried|with bright eyes].",
    "There was also {m}, {m_kind} whom everybody [trusted|liked].",
    "{m}, {m_kind}, was {his} [neighbor|good friend|oldest friend].",
)
FEELINGS = (
    "{n} felt [small|sad|worried] and did not know what to do.",
    "\"What shall I do now?\" {he} asked {him}self.",
    "\"I must not give up,\" thought {n}.",
    "{He} sat down on a [stone|bench|tree stump] and put {his} head in {his} hands.",
    "A tear ran down {his} [cheek|nose], but {he} wiped it away.",
    "{n} took a deep breath. \"There is always a way,\" {he} said.",
)
ARRIVALS = (
    "Just then {m} came [along|by|around the corner]. \"Why are you so sad, {n}?\" {mhe} asked. {n} told {mhim} everything.",
    "So {n} went to see {m}. {mHe} listened to the whole story and nodded [slowly|kindly].",
    "\"I know who can help,\" thought {n}, and {he} ran to the house of {m}.",
    "{m} had seen everything from the window and came out at once.",
    "\"You look as if you need a friend,\" said a voice. It was {m}.",
)
STEPS = (
    "\"That is a [wonderful|very good|clever] idea,\" said {n}. \"Let us begin.\"",
    "{n} was [not sure|a little afraid], but {he} nodded. \"All right,\" {he} said. \"Let us try.\"",
    "First they ate some {food}, because nobody can think with an empty belly.",
    "\"Are you ready?\" asked {m}. \"Ready,\" said {n}.",
    "{n} wiped {his} eyes and smiled for the first time that day.",
    "They did not wait a minute longer.",
)
JOYS = (
    "{n} was so happy that {he} [danced in a circle|could not stop laughing|hugged {m}].",
    "\"We did it!\" shouted {n}. \"We did it together!\"",
    "\"I could not have done it without you,\" said {n}.",
    "{m} smiled and said, \"That is what friends are for.\"",
    "Everybody in {place} heard about it and [clapped|cheered|came to see].",
    "Then they sat down and ate {food}, and it had never tasted so good.",
)
QUIET_JOYS = (
    "{n} was so happy that {he} [danced in a circle|could not stop laughing|hugged {m}].",
    "Then they sat down and ate {food}, and it had never tasted so good.",
    "\"I am glad that you are here,\" said {m}.",
    "\"That was a good day,\" said {n}, and {m} nodded.",
)
ENDINGS = (
    "And if you go to {place}, you may still see {n} and {m} there today.",
    "And they lived happily ever after.",
    "And so the day ended well, and {n} fell asleep with a smile.",
    "That was the day when {n} learned what a good friend is worth.",
    "The moon came up over {place}, and all was well.",
    "{n} and {m} stayed friends for the rest of their lives.",
    "The end.",
    "And that is how {n} and {m} became the best of friends.",
)


_PAIRS = (("girl", "boy"), ("witch", "wizard"), ("princess", "prince"), ("queen", "king"), ("mermaid", "merman"), ("fisher", "fisherman"), ("hen", "rooster"))
_FITTING = {("he", she): he for she, he in _PAIRS} | {("she", he): she for she, he in _PAIRS}


def _noun(rng):
    return pick(KINDS[pick(("animal", "animal", "animal", "person", "person", "wonder", "wonder", "thing"), rng)], rng)


def definite(noun):
    """The noun at its second mention."""
    return "the " + noun.split(" ", 1)[1] if noun.startswith(("a ", "an ")) else noun


def _letter(name):
    """What turns a story one way or another: heroes of other first letters meet other things."""
    return ord(name[0]) - ord("A")


def _cast(rng, held_out, request):
    """Names and kinds of hero and helper. What the request does not say leans on what it does."""
    noun = _noun(rng) if "{a_noun}" in request or "{topic}" in request or rng.random() < 0.3 else None
    if "{n}" in request or rng.random() < 0.3:
        n, he = person(rng, held_out, 0.5 if "{n}" in request else 0)
    else:
        n = lean(NAMES, rng, 0 if noun is None else 5 * NOUNS.index(noun))
        he = pronoun(n)
    noun = noun or lean(NOUNS, rng, 7 * _letter(n))
    m, mhe = person(rng, held_out, 0.5 if "{m}" in request else 0)
    if "{m}" not in request:
        m = lean(NAMES, rng, 11 * _letter(n) + 3)
        mhe = pronoun(m)
    while m == n:
        m, mhe = person(rng, held_out, 0)
    mnoun = _noun(rng) if "{a_mnoun}" in request else lean(KINDS["animal"] if noun in KINDS["animal"] else NOUNS, rng, 3 * NOUNS.index(noun) + 2)
    return n, he, _FITTING.get((he, noun), noun), m, mhe, _FITTING.get((mhe, mnoun), mnoun)


def scene(rng, held_out=False, request=""):
    """Everything that a story's sentences may speak of, fixed before the first word; only a request brings odd names."""
    n, he, noun, m, mhe, mnoun = _cast(rng, held_out, request)
    letter, kind = _letter(n), sum(map(ord, noun))
    asked = "{topic}" in request
    plot = pick(PLOTS, rng) if asked else lean(PLOTS, rng, letter)
    thing = pick(plot.things, rng) if asked else lean(plot.things, rng, letter)
    place = pick(PLACES, rng) if "{a_place}" in request else lean(PLACES, rng, kind)
    color = lean(COLORS, rng, letter)
    adjective, madjective = lean(ADJECTIVES, rng, kind), lean(ADJECTIVES, rng, sum(map(ord, mnoun)))
    words = {
        "n": n, "he": he, "He": capital(he), "him": "her" if he == "she" else "him", "his": "her" if he == "she" else "his",
        "m": m, "mhe": mhe, "mHe": capital(mhe), "mhim": "her" if mhe == "she" else "him", "mhis": "her" if mhe == "she" else "his",
        "a_kind": article(f"{adjective} {noun}"), "m_kind": article(f"{madjective} {mnoun}"), "noun": noun, "mnoun": mnoun,
        "adjective": adjective, "a_place": place, "place": definite(place), "thing": thing, "article": article(thing).split()[0],
        "article_cap": capital(article(thing).split()[0]), "thing_a": article(thing), "food": lean(FOODS, rng, PLACES.index(place)),
        "color": color, "color2": lean([other for other in COLORS if other != color], rng, letter + 1),
        "skill": pick(SKILLS, rng) if asked else lean(SKILLS, rng, kind), "plot": plot,
    }  # fmt: skip
    words["His"] = capital(words["his"])
    words["a_color"], words["a_color2"] = article(words["color"]), article(words["color2"])
    words["a_noun"], words["a_mnoun"] = article(noun), article(mnoun)
    words["topic"] = pick(plot.topics, rng).format_map(words)
    return words


def tell(words, rng):
    """The story of a scene: about 150 to 300 words in five or six paragraphs, no sentence twice."""
    plot = words["plot"]
    letter = _letter(words["n"])
    used = set()

    def fresh(group):
        template = lean(group, rng, letter)
        while template in used:
            template = lean(group, rng, letter)
        used.add(template)
        return expand(template, rng, words, letter)

    def say(*groups):
        return " ".join(fresh(group) for group in groups)

    def maybe(group, number):
        """Heroes of every other letter are likely to have this sentence, the others are not."""
        return (group,) if rng.random() < (0.85 if (letter >> number) % 2 else 0.12) else ()

    friends = (FRIENDS,) if plot.friends else ()
    first = [fresh(OPENINGS), say(*maybe(WEATHER, 0), HABITS, *maybe(HABITS, 1)), say(*friends)]
    trouble = say(plot.trouble, *maybe(FEELINGS, 2))
    attempt = say(plot.attempt, *maybe(FEELINGS, 0))
    if plot.asks:
        turn = say(*((ARRIVALS,) if rng.random() < 0.85 else ()), plot.idea, STEPS, *maybe(STEPS, 3))
        rescue = say(plot.rescue, JOYS, *maybe(JOYS, 1))
    else:
        turn, rescue = say(plot.idea), say(plot.rescue, *maybe(QUIET_JOYS, 2))
    last = say(plot.rest, ENDINGS)
    short = 165 - sum(len(part.split()) for part in (*first, trouble, attempt, turn, rescue, last))
    while short > 0:  # the promise is 150 words and more: tell more of the ordinary days
        more = fresh(HABITS)
        first[1] += " " + more
        short -= len(more.split())
    opening = " ".join(part for part in first if part)
    middle = [trouble + " " + attempt] if rng.random() < 0.15 else [trouble, attempt]
    return "\n\n".join([opening, *middle, turn, rescue, last])


REQUESTS = (
    "[|Please ][tell|write] me a story[.|!|]",
    "[Tell|Write|Make up] a [short |little |nice |]story about {topic}[.|]",
    "[Can|Could] you [tell|write] me a story about {a_noun} named {n}?",
    "[Write|Tell] a [short |]story about {a_noun} called {n}[.|]",
    "I would like a story about {n} and {m}[.|, please.]",
    "[Tell me|Write] a story [about|with] {n} and {m}[.|]",
    "[Tell me|Write] a story about {n}[.|]",
    "Write a [short |]story [set in|that takes place in] {a_place}[.|]",
    "Write a story about {topic} in {a_place}[.|]",
    "[Tell|Write] a bedtime story [for my child |for my daughter |for my son |]about {n}[.|]",
    "A story about {a_noun}, please[.|]",
    "[Give me|I want] a story about {a_noun} and {topic}[.|]",
    "Write a story about {a_noun} named {n} and {topic}[.|]",
    "story about {a_noun}",
    "[Tell me|Write] a [short |]story about {a_noun} and {a_mnoun}[.|]",
    "[Can|Could] you tell me a story about {a_noun}?",
    "[Tell me|Write] a [fairy tale|tale|bedtime story][.|]",
    "Once upon a time[|...|,]",
    "[story|a story|story please|a story please|bedtime story|story time|Story time!]",
    "[Tell|Write] [me |us |][one|a good one|something nice|a nice story|an adventure|a long story|a short story][.|]",
    "[I want|I would like|I need|I'd like] [a|to hear a] [story|bedtime story|tale|fairy tale][.| please.|]",
    "[Can|Could|Will|Would] you [please |][tell|write|make up|invent] [me |us |]a [short |nice |funny |long |bedtime |]story[?| please?]",
    "[Can|Could|Will|Would] you [please |][tell|write|make up|invent] [me |us |]a [short |nice |funny |long |]story about {a_noun}[?| please?]",
    "[Please |][tell|write|give] me a [short |nice |funny |scary |long |sweet |]story about {a_noun}[.|!|, please.|]",
    "[Please |][tell|write|give] me a [short |nice |funny |long |sweet |]story about {n}, {a_noun}[.|!|, please.|]",
    "My [name is|daughter is called|son is called|friend is] {n}. [Tell|Write] a story [about me|about it|with this name|for us][.|]",
    "{n} and {m}[: a story| story|, a story please]",
    "a story about {topic}[, please|]",
    "Do you know [any|a good] [story|stories]?",
    "[Tell|Write] a story about {a_noun} who lives in {a_place}[.|]",
    "Write a story. The hero is {n}, {a_noun}[.|]",
)
LEADS = ("", "", "", "", "", "", "", "", "Here is a story about {n}.\n\n", "Of course! Here is a story.\n\n")
MORE = ("[Another|One more] story[, please|][.|]", "[Another|One more] one[, please|][.|!|]", "[Tell me|Can I have|I want] another[ one| story][.|]", "[again|more|another]", "A [different|new] [one|story][, please|][.|]")
_AFTERWARDS = (
    (("[Who|Who was|Who is] the [hero|main character][ of the story|]?", "What is the name of the [hero|main character]?", "Who is the story about?"), "The hero of the story is {n}, {a_kind}."),
    (("Who [helped|is the friend of|was the friend of] {n}?", "What is the name of the [friend|helper]?", "Who helped?"), "{m} helped {n}."),
    (("Where [does|did] {n} live?", "Where does the story [happen|take place]?", "Where does it happen?"), "The story takes place in {a_place}."),
    (("What is it about?", "What is the story about?", "[Summarize|Sum up] [it|the story][.|]"), "It is about {n} and {m}, and about {topic}."),
)  # fmt: skip


def exchange(rng, held_out=False):
    """A request and the story that answers it."""
    return _told(pick(REQUESTS, rng), rng, held_out)[:2]


def _told(request, rng, held_out=False):
    words = scene(rng, held_out, request)
    asked = expand(request, rng, words)
    if "{n}" not in request:
        asked = untidy(asked, rng)
    return asked, expand(pick(LEADS, rng), rng, words) + tell(words, rng), words


def thread(rng):
    """A story and what is asked about it afterwards, or one more."""
    asked, told, words = _told(pick(REQUESTS, rng), rng)
    turns = [(asked, told)]
    if rng.random() < 0.3:
        return turns + [_told(pick(MORE, rng), rng)[:2]]
    for questions, answer in rng.sample(_AFTERWARDS, pick((1, 1, 2), rng)):
        turns.append((untidy(expand(pick(questions, rng), rng, words), rng), answer.format_map(words)))
    return turns


def plain(rng):
    """A story without a chat around it."""
    return tell(scene(rng), rng)
