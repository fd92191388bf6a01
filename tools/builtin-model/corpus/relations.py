"""The relations of `facttable`: how each is answered, and the cores of the questions for it.

Slots: {s} the subject, {own} its possessive, {one} with an article, {p} its plural, {t} without an article; {a} the answer,
{an} with an article. A capital first letter starts a sentence. Some subjects have parts: {x} {in} {y} of an amount, {x} {is} {y}
of a why, {adj} {noun} {rest} of a record, {do} the plural of a sound. `held` cores are for the evaluation only.
"""

from typing import NamedTuple

from corpus import facttable as table


class Cores(NamedTuple):
    nouns: tuple = ()  # "the capital of {s}"
    same: tuple = ()  # questions that are the same when indirect: "who wrote {s}"
    turned: tuple = ()  # (direct, indirect): ("what does {one} eat", "what {one} eats")
    terse: tuple = ()  # "capital {s}"
    stems: tuple = ()  # "the capital of {s} is"
    it: tuple = ()  # direct questions after the subject was named: "what is its capital"


class Relation(NamedTuple):
    topic: str  # which openers fit
    rows: dict
    answer: str
    trained: Cores
    held: Cores


RELATIONS = {
    "capital": Relation(
        "country", table.CAPITALS, "The capital of {s} is {a}.",
        Cores(
            nouns=("the capital[ city|] of {s}", "{own} capital[ city|]", "the name of the capital[ city|] of {s}", "the capital in {s}", "the city that is the capital of {s}"),
            same=("[which|what] [city|town] is the capital of {s}", "[which|what] [city|town] is {own} capital", "what capital does {s} have", "[which|what] city serves as the capital of {s}"),
            turned=(("what is the capital of {s} called", "what the capital of {s} is called"), ("where is the government of {s}", "where the government of {s} is")),
            terse=("capital {s}", "{s} capital", "{s} capital city", "capital city {s}", "{s}: capital?", "capital? {s}"),
            stems=("the capital of {s} is", "{own} capital is", "the capital city of {s} is called", "the capital of {s} is the city of"),
            it=("what is its capital", "what is the capital[| there| called| city]", "which city is the capital", "what's the capital there", "which city is its capital", "what capital does it have"),
        ),
        Cores(nouns=("the city from which {s} is governed as its capital",), same=("what is known as the capital of {s}",), turned=(("which capital do you associate with {s}", "which capital goes with {s}"),)),
    ),
    "capital of": Relation(
        "town", {city: country for country, city in table.CAPITALS.items() if country not in ("England", "Luxembourg", "Monaco", "Singapore")}, "{s} is the capital of {a}.",
        Cores(
            nouns=("the country whose capital is {s}", "the country with the capital {s}", "the country of which {s} is the capital", "the country that has {s} as its capital"),
            same=("[which|what] [country|nation|state] has {s} as [its |a ][capital|capital city]", "[which|what] [country|nation] has the capital {s}", "{s} is the capital of [which country|what country|what|which nation]", "which [country's|nation's] capital is {s}"),
            turned=(("[of which country|of what country] is {s} the capital", "of which country {s} is the capital"), ("[what|which] country is {s} the capital of", "which country {s} is the capital of"), ("what is {s} the capital of", "what {s} is the capital of"),
                    ("in which country is {s}", "in which country {s} is"), ("which country is {s} in", "which country {s} is in"), ("where is {s}", "where {s} is"), ("in what country is {s} located", "in what country {s} is located")),
            terse=("{s} capital of", "{s} capital of which country", "country of {s}", "{s} which country", "{s} country", "capital {s}: which country?"),
            stems=("{s} is the capital of", "the country with the capital {s} is"),
            it=("which country is it the capital of", "what is it the capital of", "of which country is it the capital", "which country is that in", "in which country is it"),
        ),
        Cores(nouns=("the land that is governed from its capital {s}",), same=("whose capital is {s}",), turned=(("to which country does the capital {s} belong", "to which country the capital {s} belongs"),)),
    ),
    "continent": Relation(
        "country", table.CONTINENTS, "{s} is in {a}.",
        Cores(
            nouns=("the continent of {s}", "{own} continent", "the continent that {s} [is in|belongs to|is part of|lies in]", "the continent where {s} is", "the name of {own} continent"),
            same=("[which|what] continent has {s} in it", "{s} is on [which|what] continent", "{s} is part of which continent", "which continent is home to {s}"),
            turned=(("[which|what] continent is {s} [in|on|part of|located in]", "[which|what] continent {s} is [in|on|part of]"), ("on [which|what] continent [is {s}|does {s} lie|do I find {s}|can I find {s}]", "on [which|what] continent {s} [is|lies]"),
                    ("[which|what] continent does {s} belong to", "[which|what] continent {s} belongs to"), ("is {s} in Europe, Asia or [Africa|on another continent]", "whether {s} is in Europe or on another continent"),
                    ("in [which|what] [part of the world|continent] is {s}", "in [which|what] [part of the world|continent] {s} is"), ("where in the world is {s}", "where in the world {s} is"), ("where is {s}", "where {s} is")),
            terse=("continent {s}", "{s} continent", "{s} which continent", "{s}: continent?"),
            stems=("{s} is on the continent", "the continent of {s} is", "{s} is in"),
            it=("[which|what] continent is it [in|on]", "on which continent is it", "what is its continent", "[which|what] continent is that", "where in the world is it"),
        ),
        Cores(nouns=("the continent on whose map {s} is drawn",), same=("which of the continents includes {s}",), turned=(("on which of the seven continents would you place {s}", "on which of the seven continents you would place {s}"),)),
    ),
    "language": Relation(
        "country", table.LANGUAGES, "In {s}, people speak {a}.",
        Cores(
            nouns=("the [main |official |national |][language|tongue] of {s}", "{own} [main |official |][language|tongue]", "the language [spoken|they speak|people speak|that is spoken|people use] in {s}", "the language of the people [in|of] {s}"),
            same=("[which|what] language is [spoken|used|the main one|official] in {s}", "what is spoken in {s}", "[which|what] language people speak in {s}"),
            turned=(("[which|what] language do [people|they|the people|the locals|most people] [speak|use|talk] in {s}", "[which|what] language [people|they|the locals] [speak|use] in {s}"), ("what do [people|they|the people|you] speak in {s}", "what [people|they] speak in {s}"),
                    ("[which|what] language do the people of {s} speak", "[which|what] language the people of {s} speak"), ("[which|what] language does {s} [speak|have|use]", "[which|what] language {s} [speaks|has|uses]"), ("how do people talk in {s}", "how people talk in {s}"),
                    ("[which|what] language [should|must|do] I [learn|need|speak] [for|in] {s}", "[which|what] language I [should learn|need] for {s}"), ("[which|what] language will I hear in {s}", "[which|what] language I will hear in {s}")),
            terse=("language {s}", "{s} language", "language spoken in {s}", "{s} language spoken", "{s}: language?"),
            stems=("in {s}, people speak", "the language of {s} is", "people in {s} speak", "the official language of {s} is"),
            it=("what language do [people|they] speak there", "what is [the|its] language", "which language is spoken there", "what do they speak there", "what language do they speak"),
        ),
        Cores(nouns=("the language in which the newspapers of {s} are printed",), same=("what language would be heard on the radio in {s}",), turned=(("in which language do children learn to read in {s}", "in which language children learn to read in {s}"),)),
    ),
    "money": Relation(
        "country", table.MONEY, "The currency of {s} is {a}.",
        Cores(
            nouns=("the [currency|money|national currency] of {s}", "{own} [currency|money]", "the [currency|money] [in|used in|people use in|they use in] {s}", "the name of the [currency|money] [in|of] {s}"),
            same=("[which|what] [currency|money|kind of money] is used in {s}", "[which|what] [currency|money] is [valid|common|accepted] in {s}", "[which|what] [currency|money] {s} uses"),
            turned=(("[which|what] [currency|money] does {s} [use|have]", "[which|what] [currency|money] {s} [uses|has]"), ("[which|what] [currency|money|kind of money] do [people|they|the people|you] [use|have|spend|pay with] in {s}", "[which|what] [currency|money] [people|they] [use|have] in {s}"),
                    ("[with which money|with which currency|how|with what] do [people|they|you|I] pay in {s}", "[with which money|how|with what] [people|they] pay in {s}"), ("what are the coins [and notes |]of {s} called", "what the coins of {s} are called"),
                    ("[which|what] [currency|money] do I need [in|for] {s}", "[which|what] [currency|money] I need [in|for] {s}"), ("what is the [money|currency] [in|of] {s} called", "what the [money|currency] [in|of] {s} is called"), ("what do people pay with in {s}", "what people pay with in {s}")),
            terse=("currency {s}", "{s} currency", "money {s}", "{s} money", "{s}: currency?", "{s} coins", "currency in {s}"),
            stems=("the currency of {s} is", "{own} currency is", "in {s} you pay with", "the money of {s} is called", "people in {s} pay with"),
            it=("what is its currency", "what currency [do they use|is used|do I need|do people use] there", "what money do [they|people] use[ there|]", "how do people pay there", "what is the currency[ there|]"),
        ),
        Cores(nouns=("the money that a shop in {s} takes",), same=("what currency comes out of a bank machine in {s}",), turned=(("in which currency are prices shown in {s}", "in which currency prices are shown in {s}"),)),
    ),
    "symbol": Relation(
        "element", table.SYMBOLS, "The chemical symbol for {s} is {a}.",
        Cores(
            nouns=("the [chemical |][symbol|sign|abbreviation|letters|notation] [of|for] {s}", "the [chemical |][symbol|sign] of the element {s}", "{own} [chemical |][symbol|sign]", "the symbol of {s} in [the periodic table|chemistry]", "the [element |chemistry |atomic ]symbol [of|for] {s}", "the short [form|name|sign] [of|for] {s} in chemistry"),
            same=("[which|what] [symbol|sign|letters] [stands for|is used for|represents|means] {s}", "[which|what] letters stand for {s}[ in the periodic table| in chemistry|]", "[which|what] symbol belongs to {s}"),
            turned=(("how is {s} [written|abbreviated|shortened|shown] in [the periodic table|chemistry|a formula|formulas]", "how {s} is [written|abbreviated] in [the periodic table|chemistry|a formula]"), ("[which|what] symbol does {s} have[ in the periodic table|]", "[which|what] symbol {s} has"),
                    ("how do [you|chemists|I|we] [write|abbreviate] {s}[ in chemistry| as a symbol|]", "how [you|chemists] [write|abbreviate] {s}[ in chemistry|]"), ("[which|what] [chemical |][symbol|sign] do chemists use for {s}", "[which|what] symbol chemists use for {s}")),
            terse=("symbol {s}", "{s} symbol", "chemical symbol {s}", "{s} chemical symbol", "{s}: symbol?", "element symbol {s}", "periodic table {s}", "{s} periodic table symbol"),
            stems=("the chemical symbol for {s} is", "the symbol of {s} is", "{s} is written as", "in the periodic table {s} is"),
            it=("what is its [chemical |]symbol", "what is the [chemical |]symbol", "how is it written in [chemistry|the periodic table]", "which symbol does it have"),
        ),
        Cores(nouns=("the one or two letters that chemists write for {s}",), same=("what is printed in the periodic table for {s}",), turned=(("what do I put in a formula for {s}", "what I put in a formula for {s}"),)),
    ),
    "element": Relation(
        "symbol", {symbol: element for element, symbol in table.SYMBOLS.items()}, "The symbol {s} stands for {a}.",
        Cores(
            nouns=("the [chemical |]element [with|that has|behind] the [chemical |][symbol|sign] {s}", "the element {s}", "the meaning of the [chemical |]symbol {s}", "the [chemical |]element [written|abbreviated] as {s}", "the name of the element {s}"),
            same=("[which|what] [chemical |]element has the [chemical |][symbol|sign] {s}", "[which|what] element is [written|abbreviated] [as |]{s}", "[which|what] element is {s}", "[the symbol |]{s} stands for [which|what] element", "{s} is the symbol of [which|what] element", "{s} is [which|what] element"),
            turned=(("what does the [chemical |]symbol {s} [stand for|mean]", "what the [chemical |]symbol {s} [stands for|means]"), ("what does {s} [stand for|mean] in [chemistry|the periodic table]", "what {s} [stands for|means] in [chemistry|the periodic table]"),
                    ("[which|what] element does {s} stand for", "[which|what] element {s} stands for"), ("what is {s} in [chemistry|the periodic table]", "what {s} is in chemistry"), ("of which element is {s} the symbol", "of which element {s} is the symbol")),
            terse=("element {s}", "{s} element", "symbol {s} element", "{s} in chemistry", "{s} periodic table", "{s} chemical element", "chemical symbol {s}"),
            stems=("the symbol {s} stands for", "the element with the symbol {s} is", "in chemistry {s} means", "{s} is the symbol of"),
            it=("which element is it", "what element is that", "what does it stand for", "which element does it stand for"),
        ),
        Cores(nouns=("the element that chemists shorten to {s}",), same=("which entry of the periodic table is called {s}",), turned=(("which substance do chemists write as {s}", "which substance chemists write as {s}"),)),
    ),
    "baby": Relation(
        "animal", table.BABIES, "A baby {s} is called {an}.",
        Cores(
            nouns=("the [name|word|term] [of|for] [a baby {s}|a young {s}|the young of {one}|baby {p}|the baby of {one}|a little {s}]", "the baby of {one}", "a baby {s}", "the young of {one}", "{one} baby's name"),
            same=("what {own} baby is called", "what is a [baby|young|newborn|little] {s} called", "what are [baby|young] {p} called", "what is the [baby|young] of {one} called", "what are the [babies|young] of {one} called"),
            turned=(("what do [you|we|people|they] call [a baby {s}|a young {s}|baby {p}|the young of {one}|{own} baby|the baby of {one}]", "what [you|we|people] call [a baby {s}|a young {s}|baby {p}]"), ("how [do you call|is] [the young of {one}|a baby {s}|a young {s}] called", "how [a baby {s}|the young of {one}] is called"),
                    ("how do you [call|say] a [baby|young] {s}", "how you call a [baby|young] {s}"), ("which [name|word] does a [baby|young] {s} have", "which name a baby {s} has"), ("which [name|word] is used for a [baby|young] {s}", "which name is used for a [baby|young] {s}")),
            terse=("baby {s}", "{s} baby", "baby {s} name", "young {s} called", "{s} baby name", "{s} young", "baby of {one}"),
            stems=("a baby {s} is called", "the young of {one} is called", "a young {s} is", "we call a baby {s}"),
            it=("what is its baby called", "what are its babies called", "what do you call its young", "what is the young called", "what are the babies called"),
        ),
        Cores(nouns=("the child of {one}",), same=("what is born when {one} becomes a mother",), turned=(("by which name do we know a very young {s}", "by which name we know a very young {s}"),)),
    ),
    "sound": Relation(
        "animal", table.SOUNDS, "{One} {a}.",
        Cores(
            nouns=("the [sound|noise|call|cry] [of {one}|{one} makes|that {one} makes|{p} make]", "{own} [sound|noise|call]", "the word for the [sound|noise] of {one}"),
            same=("[which|what] [sound|noise] comes from {one}", "{one} makes [which|what] [sound|noise]", "[which|what] [sound|noise] {one} makes", "[which|what] [sound|noise] is made by {one}", "what is the [sound|noise] of {one} called"),
            turned=(("[which|what] [sound|noise|kind of sound|kind of noise|sounds] does {one} make", "[which|what] [sound|noise] {one} makes"), ("[which|what] [sound|noise|sounds|noises] do {p} make", "[which|what] [sound|noise] {p} make"), ("what does {one} say", "what {one} says"), ("what do {p} say", "what {p} say"),
                    ("how does {one} [sound|go|talk|call]", "how {one} [sounds|goes|calls]"), ("how do {p} sound", "how {p} sound"), ("what do I hear from {one}", "what I hear from {one}"), ("[which|what] [sound|noise] can you hear from {one}", "[which|what] [sound|noise] you can hear from {one}")),
            terse=("{s} sound", "sound {s}", "{s} noise", "{s} says", "sound of {one}", "noise of {p}", "{s}: sound?", "{p} sound"),
            stems=("the sound of {one} is that it", "{one} says", "the noise that {one} makes:", "when {one} makes a sound, it"),
            it=("what sound does it make", "what does it say", "what noise does it make", "how does it sound", "which sound does it make"),
        ),
        Cores(nouns=("the voice of {one}",), same=("what noise would tell me that {one} is near",), turned=(("how does {one} make itself heard", "how {one} makes itself heard"),)),
    ),
    "caller": Relation(
        "none", {sound: animal for animal, sound in table.SOUNDS.items() if list(table.SOUNDS.values()).count(sound) == 1}, "{An} {s}.",
        Cores(
            nouns=("the animal that {s}", "an animal that {s}", "the name of the animal that {s}"),
            same=("[which|what] [animal|creature] {s}", "[which|what] [animal|creature] [always |often |]{s}", "who {s}", "[which|what] animal is it that {s}", "[which|what] animals {do}"),
            turned=(("what do you call the animal that {s}", "what the animal is called that {s}"), ("[which|what] kind of animal {s}", "[which|what] kind of animal {s}")),
            terse=("{s} animal", "animal {s}", "who {s}?", "what {s}", "{s}"),
            stems=("the animal that {s} is", "the one that {s} is"),
        ),
        Cores(nouns=("the beast that {s}",), same=("what creature on a farm or in the wild {s}",), turned=(("about which animal do we say that it {s}", "about which animal we say that it {s}"),)),
    ),
    "home": Relation(
        "animal", table.HOMES, "{One} lives {a}.",
        Cores(
            nouns=("the [home|house|place|habitat] of {one}", "{own} [home|house|habitat]", "the place where {one} lives", "the place where {p} live", "the natural home of {p}"),
            same=("{one} lives where", "{p} live where", "where {one} is at home", "what is the [home|habitat|house] of {one}[ called|]", "where the home of {one} is"),
            turned=(("where does {one} [live|sleep|stay|have its home|make its home|belong]", "where {one} [lives|sleeps|stays]"), ("where do {p} live", "where {p} live"), ("where [do you|can you|can I|do I|could I|would I|do we] [find|see|meet|look for] [{one}|{p}]", "where [you|I|we] [find|can find|can see] [{one}|{p}]"),
                    ("where [is|can] {one} [at home|be found|live]", "where {one} [is at home|can be found]"), ("in [what|which] [place|kind of place|home|habitat] [does {one} live|do {p} live]", "in [what|which] [place|kind of place] {one} lives"), ("where are {p} [found|at home]", "where {p} are found"), ("in what does {one} live", "in what {one} lives")),
            terse=("{s} home", "home of {one}", "{s} lives where", "{s} habitat", "where {s} live", "habitat of {p}", "{p} live", "{s} house"),
            stems=("{one} lives", "the home of {one} is", "{p} live", "you find {one}"),
            it=("where does it live", "where is its home", "where can I find it", "where do they live", "where can I find one"),
        ),
        Cores(nouns=("the surroundings in which {one} spends its life",), same=("what address would {one} give",), turned=(("where must I go to watch {p}", "where I must go to watch {p}"),)),
    ),
    "legs": Relation(
        "animal", table.LEGS, "{One} has {a} legs.",
        Cores(
            nouns=("the number of legs [of|on] {one}", "the number of legs {one} has", "the [amount|count] of legs of {one}", "{own} number of legs", "{own} leg count"),
            same=("how many legs {one} has", "{one} has how many legs", "{p} have how many legs", "how many legs are on {one}"),
            turned=(("how many [legs|feet] [does {one} have|do {p} have|has {one} got|has {one}|have {p}|have {p} got]", "how many legs [{one} has|{p} have|{one} has got]"), ("[what|which] number of legs does {one} have", "what number of legs {one} has"), ("on how many legs does {one} [walk|stand|run|go]", "on how many legs {one} [walks|stands|runs]"),
                    ("does {one} have legs, and how many", "whether {one} has legs and how many"), ("how many legs are there on {one}", "how many legs there are on {one}"), ("how many legs can [you|I|we] count on {one}", "how many legs [you|I] can count on {one}")),
            terse=("{s} legs", "legs {s}", "number of legs {s}", "legs of {one}", "{s} how many legs", "how many legs {s}", "leg count {s}", "count the legs of {one}"),
            stems=("{one} has", "the number of legs of {one} is", "{p} have"),
            it=("how many legs does it have", "how many legs has it got", "how many legs do they have", "what is its number of legs"),
        ),
        Cores(nouns=("the count you get when you add up the legs of {one}",), same=("what is the right number of legs for a drawing of {one}",), turned=(("how many shoes would {one} need for all its legs", "how many legs {one} puts on the ground"),)),
    ),
    "food": Relation(
        "animal", table.FOOD_OF, "{One} eats {a}.",
        Cores(
            nouns=("the [food|diet|meal|favorite food|usual food] of {one}", "{own} [food|diet]", "the food [that |]{one} eats", "the [food|diet] of {p}", "the right food for {one}"),
            same=("what food is right for {one}", "{one} eats what", "{p} eat what", "what is eaten by {one}", "what {one} eats", "what is on the menu of {one}"),
            turned=(("what [does {one}|do {p}] [eat|like to eat|feed on|live on|mostly eat|usually eat|have for dinner]", "what [{one} eats|{p} eat|{one} feeds on|{p} feed on|{one} likes to eat]"), ("what [do you|do I|can I|should I|can you|must I] [feed|give] [to |][{one}|{p}][ to eat|]", "what [I|you] [should|can|must] [feed|give] [{one}|{p}]"),
                    ("[what kind of|which] food [does {one}|do {p}] [eat|like|need]", "[what kind of|which] food [{one} eats|{p} eat]"), ("what is {one} fed with", "what {one} is fed with")),
            terse=("{s} food", "food {s}", "{s} diet", "{s} eats", "what {s} eat", "food of {one}", "diet of {p}", "{s} eat"),
            stems=("{one} eats", "{p} eat", "the food of {one} is", "{one} feeds on"),
            it=("what does it eat", "what do they eat", "what is its food", "what should I feed it", "what does it feed on", "what can I give it to eat"),
        ),
        Cores(nouns=("the breakfast of {one}",), same=("what would make a hungry {s} happy",), turned=(("what does {one} look for when it is hungry", "what {one} looks for when it is hungry"),)),
    ),
    "color": Relation(
        "thing", table.COLORS, "{S} is {a}.",
        Cores(
            nouns=("the [color|colour] of {s}", "{own} [color|colour]", "the [color|colour] {s} has", "the [usual|normal|typical] [color|colour] of {s}"),
            same=("[which|what] [color|colour] {s} is", "{s} is [which|what] [color|colour]", "{s} has [which|what] [color|colour]"),
            turned=(("[which|what] [color|colour] is {s}", "[which|what] [color|colour] {s} is"), ("[which|what] [color|colour] does {s} have", "[which|what] [color|colour] {s} has"), ("in [which|what] [color|colour] is {s}", "in [which|what] [color|colour] {s} is"), ("how is {s} colored", "how {s} is colored"),
                    ("[which|what] [color|colour] would you [give|paint|use for] {s}", "[which|what] [color|colour] you would use for {s}"), ("what [color|colour] do I [need|take] to [paint|draw] {s}", "what [color|colour] I need to [paint|draw] {s}")),
            terse=("{s} color", "color {s}", "{s} colour", "color of {s}", "{t} color", "{s}: color?", "{t} colour"),
            stems=("the color of {s} is", "{s} is colored", "{s} has the color"),
            it=("[which|what] color is it", "what is its color", "[which|what] color does it have", "what colour is it"),
        ),
        Cores(nouns=("the crayon to pick for {s}",), same=("what color comes to mind for {s}",), turned=(("what shade would a child paint {s}", "what color a child would paint {s}"),)),
    ),
    "amount": Relation(
        "amount", table.AMOUNTS, "",
        Cores(
            nouns=("the number of {x} {in} {y}", "the [amount|count] of {x} {in} {y}", "{yown} number of {x}"),
            same=("how many {x} {in} {y}", "{y} has how many {x}", "how many {x} make up {y}", "how many {x} {y} has"),
            turned=(("how many {x} [are|are there] {in} {y}", "how many {x} [are|there are] {in} {y}"), ("how many {x} does {y} have", "how many {x} {y} has"), ("how many {x} has {y}[ got|]", "how many {x} {y} has got"), ("how many {x} do [you|we|I] [have|count|find|get] {in} {y}", "how many {x} [you|we] [have|find|count] {in} {y}"),
                    ("what is the number of {x} {in} {y}", "what the number of {x} {in} {y} is"), ("{in} {y}, how many {x} are there", "how many {x} there are {in} {y}"), ("what number of {x} does {y} have", "what number of {x} {y} has")),
            terse=("{x} {in} {y}", "number of {x} {in} {y}", "{y} {x}", "{y}: how many {x}?", "{y} how many {x}", "how many {x} {y}"),
            stems=("the number of {x} {in} {y} is", "the number of {x} that {y} has is"),
            it=(),
        ),
        Cores(nouns=("the total of {x} that you find {in} {y}",), same=("what do I get when I count all {x} {in} {y}",), turned=(("how many {x} belong to {y}", "how many {x} belong to {y}"),)),
    ),
    "author": Relation(
        "work", table.MAKERS, "{a} wrote {s}.",
        Cores(
            nouns=("the [author|writer] of [{s}|the book {s}]", "{own} author", "the name of the [author|writer] of {s}", "the person who wrote {s}", "the one who wrote {s}", "the creator of {s}"),
            same=("who [wrote|has written|is the author of|was the author of|is the writer of|authored|penned] [{s}|the book {s}]", "[which|what] [author|writer|poet] wrote {s}", "{s} [was|is] [written by whom|by whom|by who|by which author|from whom]", "whose [book|work] is {s}", "who is known for writing {s}"),
            turned=(("by whom [is|was] {s}[ written|]", "by whom {s} was written"), ("by [which|what] [author|writer] is {s}", "by which author {s} is"), ("[which|what] author do I look for to find {s}", "which author wrote {s}")),
            terse=("author {s}", "{s} author", "{s} written by", "{s} writer", "author of {s}", "{s} by", "who wrote {s} book"),
            stems=("{s} was written by", "the author of {s} is", "the book {s} is by", "the writer of {s} is called"),
            it=("who wrote it", "who is the author", "who wrote that[ book|]", "who is it by", "by whom is it", "which author wrote it"),
        ),
        Cores(nouns=("the name printed on the cover of {s}",), same=("whose pen produced {s}",), turned=(("to which writer do we owe {s}", "to which writer we owe {s}"),)),
    ),
    "painter": Relation(
        "work", table.PAINTERS, "{a} painted {s}.",
        Cores(
            nouns=("the [painter|artist|creator|maker] of [{s}|the painting {s}]", "the [artist|painter] who [painted|made|created] {s}", "the name of the painter of {s}", "the person who painted {s}"),
            same=("who [painted|has painted|made|created|drew] [{s}|the painting {s}|the picture {s}]", "[which|what] [artist|painter] [painted|made|created] {s}", "{s} [was|is] [painted by whom|by whom|by which painter|a painting by whom]", "whose [painting|picture|work|work of art] is {s}", "who is the [painter|artist] of {s}"),
            turned=(("by whom [is|was] {s}[ painted|]", "by whom {s} was painted"), ("by which [artist|painter] is {s}", "by which [artist|painter] {s} is")),
            terse=("painter {s}", "{s} painter", "{s} artist", "{s} painted by", "artist of {s}", "who painted {s} picture"),
            stems=("{s} was painted by", "the painter of {s} is", "{s} is a painting by"),
            it=("who painted it", "who is the painter", "which artist painted it", "who made it", "by whom is it"),
        ),
        Cores(nouns=("the hand behind {s}",), same=("whose brush made {s}",), turned=(("to which artist do we owe {s}", "to which artist we owe {s}"),)),
    ),
    "inventor": Relation(
        "invention", table.INVENTORS, "{S} was invented by {a}.",
        Cores(
            nouns=("the [inventor|creator|father|maker] of {s}", "{own} inventor", "the person who [invented|created|made] {s}", "the name of the inventor of {s}", "the person behind {s}"),
            same=("who [invented|created|made|developed|designed|came up with|built|had the idea for|thought up|first made|was the first to build] {s}", "who [is|was] the [inventor|creator|father] of {s}", "{s} [was|is] [invented|created|made] by [whom|who]", "whose [invention|idea] [was|is] {s}", "[which|what] [inventor|person] [invented|created] {s}", "who gave us {s}", "who is credited with {s}"),
            turned=(("by whom was {s} [invented|created]", "by whom {s} was [invented|created]"), ("whom do we [thank|have to thank] for {s}", "whom we thank for {s}"), ("to whom do we owe {s}", "to whom we owe {s}"), ("where does {s} come from, who made it", "who came up with {s}")),
            terse=("inventor {s}", "{s} inventor", "{s} invented by", "creator of {s}", "who {s} invented", "{t} inventor", "inventor of {t}"),
            stems=("{s} was invented by", "the inventor of {s} is", "{s} is an invention of"),
            it=("who invented it", "who is the inventor", "who came up with it", "who made it", "whose idea was it", "who created it"),
        ),
        Cores(nouns=("the brain behind {s}",), same=("whose name stands on the patent for {s}",), turned=(("from whom did the world get {s}", "from whom the world got {s}"),)),
    ),
    "discoverer": Relation(
        "invention", table.DISCOVERERS, "The name to know for {s} is {a}.",
        Cores(
            nouns=("the [discoverer of|father of|scientist behind|finder of] {s}", "the [person|scientist|man or woman] who [discovered|found] {s}", "the name of the discoverer of {s}", "the scientist who is known for {s}"),
            same=("who [discovered|found|first discovered|first described|came up with|is known for|is famous for|was behind|first saw|developed|is behind] {s}", "who [is|was] the discoverer of {s}", "[which|what] scientist [is linked to|discovered|found|is known for|is famous for|stands for] {s}", "{s} was [discovered|found] by [whom|who]", "whose [discovery|idea|work] [was|is] {s}", "who is credited with {s}"),
            turned=(("by whom was {s} [discovered|found]", "by whom {s} was discovered"), ("whom do we [thank|connect with|associate with] {s}", "whom we connect with {s}"), ("to whom do we owe {s}", "to whom we owe {s}")),
            terse=("discoverer {s}", "{s} discovered by", "{s} discoverer", "who {s} discovered", "{s} scientist", "discovery of {s}"),
            stems=("{s} was discovered by", "the discoverer of {s} is", "{s} is linked to the name"),
            it=("who discovered it", "who found it", "whose discovery was it", "who is known for it", "which scientist discovered it"),
        ),
        Cores(nouns=("the great mind connected with {s}",), same=("whose fame rests on {s}",), turned=(("which researcher do the books name for {s}", "which researcher the books name for {s}"),)),
    ),
    "planet": Relation(
        "none", table.PLANETS, "The planet that is {s} is {a}.",
        Cores(
            nouns=("the planet [that is|which is] {s}", "the name of the planet [that is|which is] {s}", "the planet {s}"),
            same=("[which planet|what planet|which of the planets|which one of the planets] is {s}", "[which|what] planet [in the solar system|of the solar system|of our solar system] is {s}", "what is the planet called that is {s}", "of all planets, which one is {s}", "which of the eight planets is {s}"),
            turned=(("what do we call the planet that is {s}", "what we call the planet that is {s}"), ("[which|what] planet do you think is {s}", "[which|what] planet is {s}")),
            terse=("planet {s}", "{s} planet", "which planet {s}", "planet: {s}", "{s}, planet"),
            stems=("the planet that is {s} is", "the planet which is {s} is called"),
        ),
        Cores(nouns=("that planet of ours which is {s}",), same=("what planet would an astronomer name as the one that is {s}",), turned=(("about which planet can I say that it is {s}", "about which planet I can say that it is {s}"),)),
    ),
    "record": Relation(
        "none", table.RECORDS, "The {s} is {a}.",
        Cores(
            nouns=("the {s}", "the {s}", "the {s}{world}", "the name of the {s}{world}"),
            same=("[which|what] [is|would be] the {s}{world}", "what is [called |known as |considered ]the {s}{world}", "[which|what] is the {s} [of all|that exists|there is|we know|ever]", "what the {s} is called", "who or what is the {s}"),
            turned=(("[which|what] {noun} is the {adj}{rest}", "[which|what] {noun} is the {adj}{rest}"), ("what do you call the {s}{world}", "what you call the {s}"), ("what is the {s} called", "what the {s} is called"), ("which one is the {s}{world}", "which one the {s} is")),
            terse=("{s}", "{s}{world}", "the {s}", "{s}?", "{s} name"),
            stems=("the {s} is", "the {s}{world} is"),
        ),
        Cores(nouns=("the record holder: the {s}",), same=("what goes down in the books as the {s}",), turned=(("which name do I write down for the {s}", "which name I write down for the {s}"),)),
    ),
    "after": Relation(
        "none", table.AFTER, "After {s} comes {a}.",
        Cores(
            nouns=("the [day|month|one|thing|next one] [after|that follows|that comes after] {s}", "what comes after {s}"),
            same=("what [comes|is|goes] [after|next after|right after|directly after|behind] {s}", "what follows [{s}|after {s}|on {s}]", "which one [comes after|follows|is after] {s}", "what is next after {s}", "what comes next, after {s}", "after {s} comes what", "what [day|month|time of the year|one] [comes after|follows|is after] {s}", "what will come after {s}"),
            turned=(("what do we have after {s}", "what we have after {s}"), ("when {s} is over, what [comes|is next]", "what comes when {s} is over"), ("if [today|now] is {s}, what comes [next|tomorrow|then]", "what comes next if it is {s} now")),
            terse=("after {s}", "{s} then", "next after {s}", "{s}, next?", "following {s}", "what after {s}", "after {s} ?"),
            stems=("after {s} comes", "{s} is followed by", "the one after {s} is"),
        ),
        Cores(nouns=("the successor of {s}",), same=("what takes over when {s} has gone",), turned=(("what does {s} give way to", "what {s} gives way to"),)),
    ),
    "before": Relation(
        "none", {following: first for first, following in table.AFTER.items()}, "Before {s} comes {a}.",
        Cores(
            nouns=("the [day|month|one|thing] [before|that precedes|that comes before] {s}", "what comes before {s}"),
            same=("what [comes|is|goes] [before|right before|directly before|just before|ahead of] {s}", "what precedes {s}", "which one [comes before|precedes|is before] {s}", "before {s} comes what", "what [day|month|time of the year|one] [comes before|precedes|is before] {s}", "what came before {s}", "what was before {s}", "{s} follows what", "what is {s} preceded by"),
            turned=(("what do we have before {s}", "what we have before {s}"), ("what did we have before {s}", "what we had before {s}"), ("if [today|now] is {s}, what was [before|yesterday]", "what was before if it is {s} now")),
            terse=("before {s}", "previous to {s}", "{s}, before?", "preceding {s}", "what before {s}", "before {s} ?"),
            stems=("before {s} comes", "{s} comes after", "the one before {s} is"),
        ),
        Cores(nouns=("the predecessor of {s}",), same=("what has just ended when {s} begins",), turned=(("what must pass before it is {s}", "what must pass before it is {s}"),)),
    ),
    "place": Relation(
        "sight", table.PLACES, "{S} is in {a}.",
        Cores(
            nouns=("the [location|place|address|position] of {s}", "{own} location", "the [city|place|country|city or country] where {s} [is|stands]", "the place to see {s}"),
            same=("{s} is [where|in which place|in which city|in which country|located where]", "where {s} is", "which [city|place|country] has {s}", "what is the location of {s}", "which [city|place] is home to {s}"),
            turned=(("where [is|stands|lies] {s}[ located| exactly|]", "where {s} [is|is located|stands|lies]"), ("where [can|do|could|must|should] [I|you|we] [see|find|visit|go to see|go for|look for] {s}", "where [I|you|we] [can|could|must] [see|find|visit] {s}"), ("in [which|what] [place|city|country|town] is {s}", "in [which|what] [place|city|country] {s} is"),
                    ("where in the world is {s}", "where in the world {s} is"), ("where do I have to [go|travel|fly] to see {s}", "where I have to [go|travel] to see {s}"), ("[which|what] [city|country] is {s} in", "[which|what] [city|country] {s} is in"), ("where was {s} built", "where {s} was built")),
            terse=("{s} location", "location {s}", "{s} where", "where {s}", "{s} city", "{s}: where?", "{t} location"),
            stems=("{s} is in", "{s} stands in", "you find {s} in", "{s} is located in"),
            it=("where is it", "where can I see it", "where is that", "in which [city|country] is it", "where do I find it", "where is it located"),
        ),
        Cores(nouns=("the spot on the map where {s} is",), same=("what place would a postcard of {s} come from",), turned=(("to which place do tourists go for {s}", "to which place tourists go for {s}"),)),
    ),
    "meaning": Relation(
        "concept", table.MEANINGS, "{S} is {a}.",
        Cores(
            nouns=("the [meaning|definition] of [{s}|{t}|the word {t}]", "{s}", "a [definition|short explanation] of {s}"),
            same=("what [{s}|{t}] [is|means]", "what is meant by [{s}|{t}]", "what [exactly |actually |really |]is {s}", "what is the [meaning|definition] of [{t}|the word {t}]"),
            turned=(("what is {s}", "what {s} is"), ("what's {s}", "what {s} is"), ("what does [{t}|the word {t}|the term {t}] mean", "what [{t}|the word {t}] means"), ("how would you [explain|define|describe] {s}", "how you would [explain|define] {s}"), ("what do [you|people|we] mean by {t}", "what people mean by {t}"), ("what kind of thing is {s}", "what kind of thing {s} is")),
            terse=("{t} meaning", "define {t}", "{t} definition", "definition of {t}", "meaning of {t}", "explain {s}", "describe {s}", "{t} explained", "explain {t} to me", "explain the word {t}", "{s} is what?"),
            stems=("{s} is", "{t} means", "the meaning of {t} is"),
            it=("what is it", "what is that", "what does it mean", "what does that mean", "can you explain it"),
        ),
        Cores(nouns=("the thing that people call {t}",), same=("what does a dictionary say about {t}",), turned=(("how do you explain {t} to a child", "how you explain {t} to a child"),)),
    ),
    "form": Relation(
        "none", table.FORMS, "{a}.",
        Cores(
            nouns=("what happens to {s}", "the [result|change|fate] of {s}"),
            same=("what [happens|will happen|would happen|is going to happen] [to|with] {s}", "what [becomes|will become] of {s}", "what takes place with {s}", "what is the [result|effect] for {s}"),
            turned=(("what does {s} [do|turn into|become|change into]", "what {s} [does|turns into|becomes]"), ("what can [you|I|we] [see|watch] happen to {s}", "what [you|we] can see happen to {s}"), ("how does {s} change", "how {s} changes"), ("what will {s} [become|turn into|do]", "what {s} will become")),
            terse=("{s}", "{s}: what happens?", "{s} happens what", "what happens {s}", "{s} result"),
            stems=("what happens to {s}:", "when you look at {s}, you see that"),
        ),
        Cores(nouns=("the outcome for {s}",), same=("what do we notice about {s} after a while",), turned=(("what change does {s} go through", "what change {s} goes through"),)),
    ),
    "why": Relation(
        "none", table.WHY, "{a}.",
        Cores(
            nouns=("the reason why {x} {is} {y}", "the [reason|cause|explanation] [that|why] {x} {is} {y}", "why {x} {is} {y}"),
            same=("how come {x} {is} {y}", "what makes it so that {x} {is} {y}", "why it is that {x} {is} {y}", "for what reason {x} {is} {y}", "what is the reason that {x} {is} {y}"),
            turned=(("why {is} {x} {y}", "why {x} {is} {y}"), ("what is the reason that {x} {is} {y}", "what the reason is that {x} {is} {y}"), ("why do we say that {x} {is} {y}", "why {x} {is} {y}"), ("how can it be that {x} {is} {y}", "how it can be that {x} {is} {y}")),
            terse=("why {x} {y}", "why {x} {is} {y}", "{x} {y} why", "reason {x} {is} {y}", "{x} {is} {y}. why?", "{x} {is} {y}, but why?"),
            stems=("{x} {is} {y} because", "the reason why {x} {is} {y} is that"),
        ),
        Cores(nouns=("the story behind the fact that {x} {is} {y}",), same=("what explains that {x} {is} {y}",), turned=(("on what account {is} {x} {y}", "on what account {x} {is} {y}"),)),
    ),
    "ingredients": Relation(
        "stuff", table.INGREDIENTS, "{S} is made of {a}.",
        Cores(
            nouns=("the [ingredients|parts|components|raw material|materials] [of|for|in] {s}", "{own} ingredients", "the stuff {s} is made of", "the recipe for {s}", "the things in {s}"),
            same=("what {s} is [made of|made from|made out of]", "{s} is made [of|from] what", "what goes into {s}", "what is used to [make|produce] {s}", "what [things |]are in {s}", "what is in {s}", "which [things|ingredients|materials] are in {s}", "what is needed for {s}"),
            turned=(("what is {s} [made of|made from|made out of|produced from]", "what {s} is [made of|made from]"), ("[of|from|out of] what is {s} made", "[of|from|out of] what {s} is made"), ("what do [you|I|we|people] [need|use|take] [to make|for|for making] {s}", "what [you|I|we|people] [need|use] [to make|for] {s}"), ("what does {s} [consist of|contain]", "what {s} [consists of|contains]"), ("how is {s} made, from what", "what {s} is made from"), ("where does {s} come from", "where {s} comes from")),
            terse=("{s} ingredients", "ingredients {s}", "{s} made of", "{t} ingredients", "{s} contains", "made of {s}", "{s}: ingredients?", "recipe {s}"),
            stems=("{s} is made of", "{s} is made from", "{s} consists of", "the ingredients of {s} are"),
            it=("what is it made of", "what is in it", "what do I need for it", "what does it consist of", "what is it made from"),
        ),
        Cores(nouns=("the shopping list for {s}",), same=("what raw materials give {s}",), turned=(("from which things do people produce {s}", "from which things people produce {s}"),)),
    ),
}  # fmt: skip

OPENERS = {
    "country": ("[I am|I'm|we are] [going|traveling|flying|moving|driving] to {s}[ next week| soon| in summer|].", "[I am|we are] planning a [trip|holiday|visit] to {s}.", "[my friend|my sister|my uncle|somebody I know] [lives in|comes from|is in] {s}.", "[we learn|I am learning|I read|I am writing|I am reading] about {s}[ at school|].", "[take|let's take|think of] {s}.", "{s} [is a nice country|is on my list|is beautiful].", "I [love|like|want to visit] {s}."),
    "town": ("I am [going to|in|flying to] {s}.", "[I read|I heard] about {s}.", "[take|think of] {s}.", "{s} is a [capital|big city]."),
    "animal": ("[I saw|I have seen|I found|we have|my aunt has] {one}[ today| at the zoo|].", "[look|see], {one}[!|.]", "[my child|my daughter|my son] likes {p}.", "[think of|take|let's talk about|here is] {one}.", "I like {p}.", "{one} [came by|is outside|is in the book]."),
    "element": ("[think of|take|let's talk about|we learn about] {s}.", "[the element is|I need] {s}.", "[today we had|in chemistry we had] {s}."),
    "symbol": ("[on the table|in the formula|there] it says {s}.", "[the symbol is|I see the symbol|take] {s}."),
    "thing": ("[think of|look at|take|I see|I want to draw|I am painting] {s}.",),
    "work": ("[I am reading|I read|I like|I know|I love|have you heard of|my teacher talked about|I heard about] {s}.", "[think of|take|let's talk about] {s}."),
    "invention": ("[I read about|I like|think of|take|let's talk about|we learn about|my teacher talked about] {s}.", "{s} changed the world."),
    "sight": ("I [want|would like|plan|hope] to [see|visit] {s}.", "[I like|I have heard of|my friend saw|think of|I saw a picture of] {s}.", "{s} is [beautiful|famous]."),
    "concept": ("[my teacher talked about|I read about|I heard about|the text speaks of|somebody mentioned|they keep talking about] {s}.", "[take|think of] {s}.", "I do not [know|understand] {s}."),
    "stuff": ("[I like|I want to make|we need|think of|take|I bought|we use] {s}.",),
}  # fmt: skip
