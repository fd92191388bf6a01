"""Single facts that fit no table: a key that a right answer must hold, the answer, and direct questions; the last question is held out."""

_TEXT = """
Neil Armstrong|Neil Armstrong was the first person on the Moon.|who was the first [man|person|human] on the moon|who [walked|stepped|set foot] on the moon first|first man on the moon|who was the first to walk on the moon|whose footprints were the first on the moon
Yuri Gagarin|Yuri Gagarin was the first person in space.|who was the first [man|person|human] in space|who flew into space first|first man in space|which human being went to space before all others|what is the name of the first space traveler
1969|The first people landed on the Moon in 1969.|when did [people|humans|men|we] [first |]land on the moon|[what|which] year was the [first |]moon landing|year of the moon landing|in which year did humans reach the moon|tell me the year in which people came to the moon
George Washington|George Washington was the first president of the United States.|who was the first president of [the United States|the USA|America|the US]|first [US|American] president|who was president of the United States first|which man became the very first American president|name the first man who was president in America
1945|The Second World War ended in 1945.|when did [world war two|world war 2|the second world war|WW2|world war II] end|[what|which] year did [the second world war|world war two] end|end of world war 2|in which year was the second world war over|what year brought the end of world war two
1939|The Second World War began in 1939.|when did [world war two|world war 2|the second world war|WW2] [begin|start]|[what|which] year did [the second world war|world war two] [begin|start]|start of world war 2|in which year did the second world war break out|what year brought the start of world war two
1914|The First World War began in 1914.|when did [world war one|world war 1|the first world war|WW1] [begin|start]|[what|which] year did [the first world war|world war one] [begin|start]|start of world war 1|in which year did the first world war break out|what year brought the start of world war one
1918|The First World War ended in 1918.|when did [world war one|world war 1|the first world war|WW1] end|[what|which] year did [the first world war|world war one] end|end of world war 1|in which year was the first world war over|what year brought the end of world war one
1492|Columbus reached America in 1492.|when did [Columbus|Christopher Columbus] [reach|discover|sail to|find] America|[what|which] year did Columbus [reach|discover] America|Columbus America year|when was America discovered by Columbus|what year did Columbus arrive in America
1789|The French Revolution began in 1789.|when did the French Revolution [begin|start]|[what|which] year was the French Revolution|French Revolution year|when was the French Revolution|what year did the revolution in France start
1989|The Berlin Wall fell in 1989.|when did the Berlin Wall [fall|come down]|[what|which] year did the Berlin Wall fall|fall of the Berlin Wall year|in which year was the Berlin Wall opened|what year did the wall in Berlin come down
1912|The Titanic sank in 1912.|when did the Titanic sink|[what|which] year did the Titanic sink|Titanic sinking year|in which year did the Titanic go down|what year did the ship Titanic sink
1776|The United States declared independence in 1776.|when did [the United States|America] [declare independence|become independent]|[what|which] year was the Declaration of Independence|American independence year|when was the United States founded|what year did America become free
Christopher Columbus|Christopher Columbus reached America in 1492.|who [discovered|found|reached] America|who sailed to America in 1492|America discovered by|which sailor came to America in 1492|name the sailor who reached America
Ferdinand Magellan|The fleet of Ferdinand Magellan was the first to sail around the world.|who [first |]sailed around the world[ first|]|whose ships sailed around the world first|first voyage around the world|who led the first voyage around the globe|under which captain did ships first go around the world
Julius Caesar|Julius Caesar was a Roman general and ruler.|who [was|is] [Julius |]Caesar|tell me about Julius Caesar|Julius Caesar|what do you know about Julius Caesar|give me some words about Julius Caesar
Albert Einstein|Albert Einstein was a physicist who found the theory of relativity.|who [was|is] [Albert |]Einstein|tell me about Albert Einstein|Einstein|what do you know about Albert Einstein|give me some words about Albert Einstein
Isaac Newton|Isaac Newton was a scientist who described gravity.|who [was|is] [Isaac |]Newton|tell me about Isaac Newton|Newton scientist|what do you know about Isaac Newton|give me some words about Isaac Newton
William Shakespeare|William Shakespeare was an English poet who wrote plays such as Hamlet.|who [was|is] [William |]Shakespeare|tell me about William Shakespeare|Shakespeare|what do you know about William Shakespeare|give me some words about William Shakespeare
Mozart|Mozart was a composer from Salzburg in Austria.|who [was|is] [Mozart|Wolfgang Amadeus Mozart]|tell me about Mozart|Mozart|what do you know about Mozart|give me some words about Mozart
Beethoven|Beethoven was a German composer who wrote nine symphonies.|who [was|is] [Beethoven|Ludwig van Beethoven]|tell me about Beethoven|Beethoven|what do you know about Beethoven|give me some words about Beethoven
Marie Curie|Marie Curie was a scientist who discovered radium.|who [was|is] Marie Curie|tell me about Marie Curie|Marie Curie|what do you know about Marie Curie|give me some words about Marie Curie
Cleopatra|Cleopatra was a queen of ancient Egypt.|who [was|is] Cleopatra|tell me about Cleopatra|Cleopatra|what do you know about Cleopatra|give me some words about Cleopatra
Napoleon|Napoleon was an emperor of France.|who [was|is] Napoleon[ Bonaparte|]|tell me about Napoleon|Napoleon|what do you know about Napoleon|give me some words about Napoleon
300,000|Light travels about 300,000 kilometers per second.|how fast [is light|does light travel|does light move]|what is the speed of light|speed of light|at what speed does light travel|how many kilometers does light travel in a second
340|Sound travels about 340 meters per second in air.|how fast [is sound|does sound travel]|what is the speed of sound|speed of sound|at what speed does sound travel|how many meters does sound travel in a second
100 degrees|Water boils at 100 degrees Celsius.|at [what|which] temperature does water boil|what is the boiling point of water|boiling point of water|when does water boil|how hot must water be to boil|how many degrees does water need to boil
0 degrees|Water freezes at 0 degrees Celsius.|at [what|which] temperature does water freeze|what is the freezing point of water|freezing point of water|when does water freeze|how cold must it be for water to freeze|how many degrees does water need to freeze
150 million|The Earth is about 150 million kilometers away from the Sun.|how far [is|away is] the [sun|Sun]|what is the distance [to the sun|between the earth and the sun]|distance to the sun|how far is it from the earth to the sun|how many kilometers is the sun away
384,000|The Moon is about 384,000 kilometers away.|how far [is|away is] the [moon|Moon]|what is the distance to the moon|distance to the moon|how far is it from here to the moon|how many kilometers is the moon away
365 days|The Earth goes around the Sun in 365 days.|how long does the [earth|Earth] take [to go around the sun|around the sun]|how long is a year|orbit of the earth|how much time does the earth need to travel around the sun|how many days does the earth take to go around the sun
24 hours|The Earth turns around itself once in 24 hours.|how long does the [earth|Earth] take to [turn|rotate|spin]|how long is a day|rotation of the earth|how much time does the earth need to turn once|how many hours does the earth take to turn
round|The Earth is round, like a ball.|is the [earth|Earth] [flat|round|flat or round]|what shape [is|has] the [earth|Earth]|shape of the earth|what does our planet look like from space|do people live on a flat earth or a round earth
star|The Sun is a star.|is the [sun|Sun] a [star|planet]|what [kind of thing |]is the sun|sun star or planet|what sort of body is our sun|would you call the sun a star or a planet
mammal|A whale is a mammal, not a fish.|is a whale a [fish|mammal]|are whales [fish|mammals]|whale fish or mammal|to which group of animals do whales belong|would you call a whale a fish or a mammal
fruit|A tomato is a fruit, but we use it as a vegetable.|is a tomato a [fruit|vegetable]|are tomatoes [fruits|vegetables]|tomato fruit or vegetable|to which group do tomatoes belong|would you call a tomato a fruit or a vegetable
bird|A penguin is a bird, but it cannot fly.|is a penguin a bird|can penguins fly|can a penguin fly|penguin bird|do penguins belong to the birds|would you call a penguin a bird
eight legs|A spider is not an insect: it has eight legs.|is a spider an insect|are spiders insects|spider insect|do spiders belong to the insects|would you call a spider an insect
lungs|Humans breathe with their lungs.|[what do humans|what do we|what do people] breathe with|which organ do [we|humans] breathe with|organ for breathing|with which part of the body do people breathe|name the organ with which humans breathe
heart|The heart pumps the blood through the body.|what pumps [the |]blood[ through the body|]|which organ pumps blood|organ that pumps blood|what makes the blood move through our body|name the organ that pumps the blood
brain|Humans think with their brain.|what do [humans|we|people] think with|which organ do we think with|organ for thinking|with which part of the body do people think|name the organ with which humans think
37 degrees|The normal temperature of the human body is about 37 degrees Celsius.|what is the [normal |]temperature of the human body|how [warm|hot] is [the human body|a human]|normal body temperature|how warm is a healthy person|how many degrees is a human body warm
oxygen|Humans need the oxygen in the air to breathe.|[which|what] gas do [we|humans|people] [need|breathe]|what do we need to breathe|gas we breathe|which part of the air keeps us alive|name the gas that humans need to breathe
carbon dioxide|Plants take in carbon dioxide and give off oxygen.|[which|what] gas do plants [take in|need|breathe]|what do plants take from the air|gas plants need|which part of the air do plants use|name the gas that plants need
3.14|Pi is about 3.14.|what is pi|what is the value of pi|pi|how much is pi|tell me the value of pi
December 25|Christmas is on December 25.|when is Christmas|[what|which] day is Christmas|date of Christmas|on which date is Christmas Day|on what day do people have Christmas
January 1|New Year is on January 1.|when is New Year|[what|which] day is New Year|date of New Year|on which date does the new year begin|on what day do people have New Year
October 31|Halloween is on October 31.|when is Halloween|[what|which] day is Halloween|date of Halloween|on which date is Halloween|on what day do people have Halloween
red, yellow and blue|The primary colors are red, yellow and blue.|what are the primary colors|which colors are primary|primary colors|name the three primary colors|can you list the primary colors
green|Blue and yellow make green.|what color [do|does] [blue and yellow|yellow and blue] make|mix blue and yellow|blue and yellow|what do I get when I mix blue and yellow|which color comes from blue and yellow
orange|Red and yellow make orange.|what color [do|does] [red and yellow|yellow and red] make|mix red and yellow|red and yellow|what do I get when I mix red and yellow|which color comes from red and yellow
purple|Red and blue make purple.|what color [do|does] [red and blue|blue and red] make|mix red and blue|red and blue|what do I get when I mix red and blue|which color comes from red and blue
red, orange, yellow, green, blue, indigo and violet|The colors of the rainbow are red, orange, yellow, green, blue, indigo and violet.|what are the colors of the rainbow|which colors [are in|does] [a rainbow|the rainbow have]|colors of the rainbow|name the colors of the rainbow|can you list the rainbow colors
spring, summer, autumn and winter|The four seasons are spring, summer, autumn and winter.|what are the [four |]seasons|which seasons are there|seasons of the year|name the four seasons|can you list the seasons
Monday, Tuesday, Wednesday, Thursday, Friday, Saturday and Sunday|The days of the week are Monday, Tuesday, Wednesday, Thursday, Friday, Saturday and Sunday.|what are the days of the week|which days does a week have|days of the week|name the days of the week|can you list the days of the week
Mercury, Venus, Earth, Mars, Jupiter, Saturn, Uranus and Neptune|The planets are Mercury, Venus, Earth, Mars, Jupiter, Saturn, Uranus and Neptune.|what are the planets|which planets are there[ in the solar system|]|planets of the solar system|name the planets|can you list the planets
Africa, Antarctica, Asia, Australia, Europe, North America and South America|The continents are Africa, Antarctica, Asia, Australia, Europe, North America and South America.|what are the continents|which continents are there|list of continents|name the seven continents|can you list the continents
sight, hearing, smell, taste and touch|The five senses are sight, hearing, smell, taste and touch.|what are the [five |]senses|which senses do we have|the five senses|name the five senses|can you list the senses
50|The United States has 50 states.|how many states [are in|are there in|does] [the United States|the USA|America] [have|]|how many US states are there|number of US states|how many states belong to the United States|of how many states is the United States made
east|The sun rises in the east and sets in the west.|where does the sun [rise|come up|set|go down]|in which direction does the sun [rise|set]|sunrise direction|on which side does the sun come up|in the east or in the west, where does the sun rise
H2O|The chemical formula of water is H2O.|what is the [chemical |]formula of water|what is water in chemistry|what does H2O mean|what is H2O|H2O|formula of water|how do chemists write water|can you give me the formula for water
Mars|Mars is called the red planet.|what is the red planet|why is Mars called the red planet|red planet|which planet looks red|what planet has the name red planet
Saturn|Saturn is the planet with the big rings.|which planet has [rings|the rings|big rings|a ring]|what planet has [rings|a ring around it]|planet with rings|around which planet are there rings|what do we call the planet that has rings
Earth|People live on the planet Earth.|which planet do we live on|on which planet do [we|people|humans] live|what is our planet called|where do people live|what is the name of our own planet
a mouse|An elephant is bigger than a mouse.|which is bigger, [an elephant or a mouse|a mouse or an elephant]|is an elephant bigger than a mouse|what is larger, an elephant or a mouse|elephant or mouse, which one is bigger
Romeo|Romeo and Juliet are two young lovers in a play by Shakespeare.|who are Romeo and Juliet|what is Romeo and Juliet about|Romeo and Juliet|tell me what happens with Romeo and Juliet|can you say who Romeo and Juliet were
Java|Java is a programming language.|what is Java|what is Java in computing|Java language|tell me what Java is|can you say what Java is
Python|Python is a programming language, and also a snake.|what is [Python|python]|what is Python in computing|Python language|tell me what Python is|can you say what Python is
Linux|Linux is a free operating system.|what is Linux|explain Linux|Linux|tell me what Linux is|can you say what Linux is
"""


def _entries():
    for line in _TEXT.strip().splitlines():
        parts, depth = [""], 0
        for mark in line:  # a bar inside brackets is a choice, not a border
            depth += (mark == "[") - (mark == "]")
            if mark == "|" and depth == 0:
                parts.append("")
            else:
                parts[-1] += mark
        key, answer, *asks = parts
        yield key, answer, tuple(asks[:-1]), asks[-1]


ENTRIES = tuple(_entries())
