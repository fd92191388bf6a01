"""Names of people: a list, a held-out list that training never shows, and names made of syllables."""

from corpus.grammar import capital, pick

GIRLS = """Anna Mia Lily Rosa Ella Nora Clara Ivy Ruby Alice Emma Grace Hana Lena Maya Zoe Iris Lucy Sara Olga Tina Vera
Wendy Amina Bella Carla Daisy Eva Fatima Greta Helen Ines Jana Kira Layla Mara Nina Paula Rita Sofia Tara Uma Yuki Zara
Beth Cora Dora Elsa Freya Gina Hazel Ida Joan Kate Leila Molly Nadia Opal Pearl Rosie Stella Thea Willa Yara""".split()
BOYS = """Tom Ben Leo Max Sam Jack Oscar Finn Noah Adam Omar Luca Paul Erik Hugo Ivan Jonas Karl Liam Milo Nico Otto Pedro
Ravi Simon Theo Umar Victor Will Yusuf Zack Alex Bruno Carlos Dan Elias Felix George Henry Isaac Jamal Kenji Louis Marco
Nils Oliver Peter Rafael Stefan Tim Uri Vito Walter Abel Boris Cyrus David Emil Frank Gus Harry Igor Joel Kurt""".split()
HELD_OUT_GIRLS = "Bianca Delia Esther Flora Gwen Heidi Junia Lotte Mira Petra Selma Tilda".split()
HELD_OUT_BOYS = "Anton Bjorn Casper Dario Edgar Fritz Gavin Hector Jasper Lars Magnus Rupert".split()

_STARTS = "b br c ch d dr f fl g gr h j k kl l m n p pr qu r s sh sk st t tr v w y z".split() + ["", "", ""]
_VOWELS = "a e i o u ai ee ia o a e i u".split()
_MIDDLES = "b d f g k l ll m mm n nn nd p r rr rl s ss sh t tt v x z lm rt st".split()
_ENDS = {"she": "a ie ey ina elle ette is ora yn".split(), "he": "o us an er on ek in ard ix old".split()}
_CODAS = "b ck d f g k l ld lf ll lm m mp n nd ng nn nt p r rd rk rn rs rt s sk ss st t th tz v x z".split()
_LETTERS = "aaabcdeeefghiijklmnnoopqrrsttuuvwxyz"


def _made(gender, rng):
    """Names of three builds, the last one any letters at all: only what is copied letter by letter comes out right."""
    build = rng.random()
    if build < 0.2:
        name = "".join(pick(_LETTERS, rng) for _ in range(rng.randint(3, 8)))
    else:
        name = pick(_STARTS, rng) + pick(_VOWELS, rng)
        for _ in range(pick((0, 1, 1, 2), rng)):
            name += pick(_MIDDLES, rng) + pick(_VOWELS, rng)
        name += pick(_CODAS, rng) + (pick(_ENDS[gender], rng) if build < 0.6 else "")
    name = capital(name)
    return name if name not in _RESERVED else _made(gender, rng)


_RESERVED = set(HELD_OUT_GIRLS + HELD_OUT_BOYS)


def person(rng, held_out=False, made_up=0.45):
    """A name and its pronoun, he or she; made-up names teach copying, so that a new name is no surprise."""
    gender = "she" if rng.random() < 0.5 else "he"
    if held_out:
        return pick(HELD_OUT_GIRLS if gender == "she" else HELD_OUT_BOYS, rng), gender
    if rng.random() < made_up:
        return _made(gender, rng), gender
    return pick(GIRLS if gender == "she" else BOYS, rng), gender


def known_names():
    return set(GIRLS + BOYS + HELD_OUT_GIRLS + HELD_OUT_BOYS)
