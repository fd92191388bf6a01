"""Common facts as plain tables; `facts` has the ways to ask for them.

A row is `subject: answer`.
"""

from typing import NamedTuple


class Relation(NamedTuple):
    """Rows, and how to ask and answer: `{s}` is the subject, `{a}` the answer, a capital `{S}` starts a sentence."""

    rows: dict
    ask: tuple  # training phrasings
    held_out: tuple  # phrasings that only the evaluation uses
    answer: tuple


def _rows(text):
    rows = {}
    for line in text.strip().replace("\n", "; ").split(";"):
        if line.strip():
            subject, answer = line.split(":", 1)
            rows[subject.strip()] = answer.strip()
    return rows


CAPITALS = _rows("""
France: Paris; Germany: Berlin; Italy: Rome; Spain: Madrid; Portugal: Lisbon; Greece: Athens; Poland: Warsaw; Austria: Vienna
Hungary: Budapest; Sweden: Stockholm; Norway: Oslo; Finland: Helsinki; Denmark: Copenhagen; Ireland: Dublin; Belgium: Brussels
the Netherlands: Amsterdam; Switzerland: Bern; the Czech Republic: Prague; Slovakia: Bratislava; Slovenia: Ljubljana; Croatia: Zagreb
Serbia: Belgrade; Romania: Bucharest; Bulgaria: Sofia; Ukraine: Kyiv; Russia: Moscow; Turkey: Ankara; Iceland: Reykjavik; Estonia: Tallinn
Latvia: Riga; Lithuania: Vilnius; the United Kingdom: London; England: London; Scotland: Edinburgh; Wales: Cardiff; Malta: Valletta; Cyprus: Nicosia
Albania: Tirana; Luxembourg: Luxembourg; the United States: Washington, D.C.; Canada: Ottawa; Mexico: Mexico City; Cuba: Havana; Jamaica: Kingston
Brazil: Brasilia; Argentina: Buenos Aires; Chile: Santiago; Peru: Lima; Colombia: Bogota; Venezuela: Caracas; Ecuador: Quito; Uruguay: Montevideo
Paraguay: Asuncion; Bolivia: Sucre; Panama: Panama City; Costa Rica: San Jose; Guatemala: Guatemala City; Haiti: Port-au-Prince
China: Beijing; Japan: Tokyo; South Korea: Seoul; North Korea: Pyongyang; India: New Delhi; Pakistan: Islamabad; Bangladesh: Dhaka; Nepal: Kathmandu
Thailand: Bangkok; Vietnam: Hanoi; Indonesia: Jakarta; Malaysia: Kuala Lumpur; the Philippines: Manila; Cambodia: Phnom Penh; Laos: Vientiane
Mongolia: Ulaanbaatar; Iran: Tehran; Iraq: Baghdad; Israel: Jerusalem; Jordan: Amman; Lebanon: Beirut; Syria: Damascus; Saudi Arabia: Riyadh
Qatar: Doha; Kuwait: Kuwait City; Afghanistan: Kabul; Kazakhstan: Astana; Uzbekistan: Tashkent; Georgia: Tbilisi; Armenia: Yerevan; Azerbaijan: Baku
Egypt: Cairo; Morocco: Rabat; Algeria: Algiers; Tunisia: Tunis; Libya: Tripoli; Sudan: Khartoum; Ethiopia: Addis Ababa; Kenya: Nairobi; Uganda: Kampala
Tanzania: Dodoma; Rwanda: Kigali; Ghana: Accra; Nigeria: Abuja; Senegal: Dakar; Mali: Bamako; Angola: Luanda; Zambia: Lusaka; Zimbabwe: Harare
Namibia: Windhoek; Botswana: Gaborone; Madagascar: Antananarivo; Somalia: Mogadishu; Australia: Canberra; New Zealand: Wellington; Fiji: Suva
""")

CONTINENTS = _rows("""
France: Europe; Germany: Europe; Italy: Europe; Spain: Europe; Poland: Europe; Greece: Europe; Sweden: Europe; Norway: Europe; Ireland: Europe; Austria: Europe
Portugal: Europe; Hungary: Europe; Finland: Europe; Denmark: Europe; Belgium: Europe; Romania: Europe; Ukraine: Europe; Croatia: Europe
Brazil: South America; Argentina: South America; Chile: South America; Peru: South America; Colombia: South America; Bolivia: South America; Uruguay: South America
Canada: North America; Mexico: North America; the United States: North America; Cuba: North America; Panama: North America
China: Asia; Japan: Asia; India: Asia; Thailand: Asia; Vietnam: Asia; Iran: Asia; Iraq: Asia; Nepal: Asia; Mongolia: Asia; Pakistan: Asia; South Korea: Asia
Egypt: Africa; Kenya: Africa; Nigeria: Africa; Ghana: Africa; Morocco: Africa; Ethiopia: Africa; Senegal: Africa; Angola: Africa; Mali: Africa; Tanzania: Africa
Australia: Oceania; New Zealand: Oceania; Fiji: Oceania
""")

LANGUAGES = _rows("""
France: French; Germany: German; Italy: Italian; Spain: Spanish; Portugal: Portuguese; Greece: Greek; Poland: Polish; Hungary: Hungarian; Sweden: Swedish
Norway: Norwegian; Finland: Finnish; Denmark: Danish; the Netherlands: Dutch; Romania: Romanian; Bulgaria: Bulgarian; Ukraine: Ukrainian; Russia: Russian
Turkey: Turkish; Iceland: Icelandic; Estonia: Estonian; Brazil: Portuguese; Argentina: Spanish; Mexico: Spanish; Chile: Spanish; Peru: Spanish; Cuba: Spanish
China: Chinese; Japan: Japanese; South Korea: Korean; Thailand: Thai; Vietnam: Vietnamese; Iran: Persian; Egypt: Arabic; Morocco: Arabic; Israel: Hebrew
Austria: German; Australia: English; England: English; Mongolia: Mongolian; Albania: Albanian; Croatia: Croatian; Serbia: Serbian; Angola: Portuguese
""")

MONEY = _rows("""
France: the euro; Germany: the euro; Italy: the euro; Spain: the euro; Ireland: the euro; Austria: the euro; Finland: the euro; Japan: the yen; China: the yuan
the United States: the dollar; Canada: the Canadian dollar; Australia: the Australian dollar; the United Kingdom: the pound; England: the pound
India: the rupee; Russia: the ruble; Poland: the zloty; Sweden: the krona; Norway: the krone; Denmark: the krone; Switzerland: the franc; Turkey: the lira
Mexico: the peso; Argentina: the peso; Brazil: the real; South Korea: the won; Thailand: the baht; Vietnam: the dong; Israel: the shekel; Hungary: the forint
""")

SYMBOLS = _rows("""
hydrogen: H; helium: He; lithium: Li; carbon: C; nitrogen: N; oxygen: O; fluorine: F; neon: Ne; sodium: Na; magnesium: Mg; aluminum: Al; silicon: Si
phosphorus: P; sulfur: S; chlorine: Cl; argon: Ar; potassium: K; calcium: Ca; titanium: Ti; iron: Fe; nickel: Ni; copper: Cu; zinc: Zn; silver: Ag; tin: Sn
iodine: I; gold: Au; mercury: Hg; lead: Pb; uranium: U; platinum: Pt; chromium: Cr; cobalt: Co; boron: B; barium: Ba; manganese: Mn
""")

BABIES = _rows("""
cat: kitten; dog: puppy; cow: calf; horse: foal; sheep: lamb; goat: kid; pig: piglet; bear: cub; lion: cub; duck: duckling; hen: chick; goose: gosling; swan: cygnet
frog: tadpole; deer: fawn; kangaroo: joey; owl: owlet; fox: cub; wolf: pup; elephant: calf; rabbit: kit; seal: pup; whale: calf; eagle: eaglet; tiger: cub; butterfly: caterpillar
""")

SOUNDS = _rows("""
cat: meows; dog: barks; cow: moos; horse: neighs; sheep: bleats; pig: oinks; duck: quacks; lion: roars; owl: hoots; frog: croaks; bee: buzzes; snake: hisses; wolf: howls
rooster: crows; mouse: squeaks; donkey: brays; bird: sings; hen: clucks; elephant: trumpets; crow: caws
""")

HOMES = _rows("""
bee: in a hive; bird: in a nest; spider: in a web; dog: in a kennel; horse: in a stable; lion: in a den; rabbit: in a burrow; fish: in water; ant: in an anthill; cow: in a barn
bear: in a cave or den; pig: in a sty; polar bear: in the Arctic; camel: in the desert; monkey: in the jungle; whale: in the ocean; beaver: in a lodge; penguin: mostly in Antarctica; kangaroo: in Australia
panda: in China; koala: in Australia; tiger: in Asia; zebra: in Africa; giraffe: in Africa; owl: in a hole in a tree; squirrel: in trees
""")

LEGS = _rows("""
dog: four; cat: four; horse: four; cow: four; spider: eight; ant: six; bee: six; bird: two; duck: two; human: two; fly: six; butterfly: six; crab: ten; beetle: six; scorpion: eight; snake: no; fish: no; frog: four; elephant: four; chicken: two; octopus: no
""")

FOOD_OF = _rows("""
cow: grass; horse: grass and hay; rabbit: grass and vegetables; lion: meat; panda: bamboo; koala: eucalyptus leaves; bee: nectar and pollen; squirrel: nuts; spider: insects; frog: insects
owl: mice and other small animals; penguin: fish; sheep: grass; tiger: meat; caterpillar: leaves; giraffe: leaves; mosquito: nectar and blood; silkworm: mulberry leaves; bat: insects or fruit; whale: plankton, krill or fish
""")

COLORS = _rows("""
the sky: blue; grass: green; snow: white; coal: black; a banana: yellow; a tomato: red; a lemon: yellow; an orange: orange; a carrot: orange; blood: red; milk: white; chocolate: brown
a strawberry: red; a frog: green; a flamingo: pink; a swan: white; a raven: black; an emerald: green; a ruby: red; a sapphire: blue; the sun: yellow; the sea: blue; a leaf: green; a plum: purple; a polar bear: white; a pumpkin: orange; an eggplant: purple; gold: yellow; a cherry: red; salt: white
""")

AMOUNTS = _rows("""
minutes are in an hour: 60; seconds are in a minute: 60; hours are in a day: 24; days are in a week: seven; months are in a year: 12; days are in a year: 365; days are in a leap year: 366
weeks are in a year: 52; years are in a century: 100; years are in a decade: ten; years are in a millennium: 1000; centimeters are in a meter: 100; meters are in a kilometer: 1000; millimeters are in a centimeter: ten; grams are in a kilogram: 1000
milliliters are in a liter: 1000; inches are in a foot: 12; feet are in a yard: three; cents are in a dollar: 100; bits are in a byte: eight; bytes are in a kilobyte: 1024; letters are in the English alphabet: 26; vowels are in the English alphabet: five; planets are in the solar system: eight
continents are there on Earth: seven; oceans are there on Earth: five; sides does a triangle have: three; sides does a square have: four; sides does a pentagon have: five; sides does a hexagon have: six; sides does an octagon have: eight; corners does a cube have: eight; faces does a cube have: six; edges does a cube have: 12
colors are in a rainbow: seven; strings does a violin have: four; strings does a guitar have: six; keys does a piano have: 88; squares are on a chessboard: 64; players are on a soccer team: 11; players are on a basketball team: five; fingers are on one hand: five; teeth does an adult have: 32; bones does an adult have: 206; chambers does the heart have: four
wings does a bee have: four; arms does an octopus have: eight; hearts does an octopus have: three; humps does a dromedary have: one; wheels does a bicycle have: two; wheels does a tricycle have: three; wheels does a car have: four; seasons are in a year: four; eggs are in a dozen: 12; degrees are in a circle: 360; degrees are in a right angle: 90; zeros are in a million: six; zeros are in a thousand: three
""")

MAKERS = _rows("""
Romeo and Juliet: William Shakespeare; Hamlet: William Shakespeare; Macbeth: William Shakespeare; Don Quixote: Miguel de Cervantes; War and Peace: Leo Tolstoy; Anna Karenina: Leo Tolstoy; Crime and Punishment: Fyodor Dostoevsky; Faust: Johann Wolfgang von Goethe; The Odyssey: Homer; The Iliad: Homer
The Divine Comedy: Dante Alighieri; Pride and Prejudice: Jane Austen; Oliver Twist: Charles Dickens; Moby-Dick: Herman Melville; Alice in Wonderland: Lewis Carroll; Frankenstein: Mary Shelley; Dracula: Bram Stoker; Les Miserables: Victor Hugo; Pinocchio: Carlo Collodi; Peter Pan: J. M. Barrie; 1984: George Orwell; Animal Farm: George Orwell
The Little Prince: Antoine de Saint-Exupery; The Hobbit: J. R. R. Tolkien; Treasure Island: Robert Louis Stevenson; Robinson Crusoe: Daniel Defoe; The Jungle Book: Rudyard Kipling; Huckleberry Finn: Mark Twain; Tom Sawyer: Mark Twain; The Ugly Duckling: Hans Christian Andersen
""")

PAINTERS = _rows("""
the Mona Lisa: Leonardo da Vinci; The Last Supper: Leonardo da Vinci; The Starry Night: Vincent van Gogh; Sunflowers: Vincent van Gogh; The Scream: Edvard Munch; Guernica: Pablo Picasso; Girl with a Pearl Earring: Johannes Vermeer; The Night Watch: Rembrandt; The Birth of Venus: Sandro Botticelli; Water Lilies: Claude Monet; The Kiss: Gustav Klimt; the ceiling of the Sistine Chapel: Michelangelo
""")

INVENTORS = _rows("""
the telephone: Alexander Graham Bell; the printing press: Johannes Gutenberg; dynamite: Alfred Nobel; the World Wide Web: Tim Berners-Lee; the steam engine: Thomas Newcomen, and James Watt improved it; the first airplane: the Wright brothers; the phonograph: Thomas Edison; the radio: Guglielmo Marconi; the lightning rod: Benjamin Franklin; the diesel engine: Rudolf Diesel; the battery: Alessandro Volta; the Java language: James Gosling; the C language: Dennis Ritchie; the Python language: Guido van Rossum; Linux: Linus Torvalds; the Braille alphabet: Louis Braille; the periodic table: Dmitri Mendeleev
""")

DISCOVERERS = _rows("""
penicillin: Alexander Fleming; radium: Marie Curie and Pierre Curie; the law of gravity: Isaac Newton; the theory of relativity: Albert Einstein; the theory of evolution: Charles Darwin; X-rays: Wilhelm Roentgen; the moons of Jupiter: Galileo Galilei; the planet Uranus: William Herschel
""")

PLANETS = _rows("""
closest to the Sun: Mercury; farthest from the Sun: Neptune; largest: Jupiter; smallest: Mercury; hottest: Venus; known for its rings: Saturn; called the red planet: Mars; our home: Earth; the third from the Sun: Earth; the second from the Sun: Venus; the fourth from the Sun: Mars; the fifth from the Sun: Jupiter; the sixth from the Sun: Saturn; the seventh from the Sun: Uranus
""")

RECORDS = _rows("""
largest planet: Jupiter; biggest planet: Jupiter; smallest planet: Mercury; hottest planet: Venus; biggest animal: the blue whale; fastest animal: the peregrine falcon; tallest mountain: Mount Everest; biggest ocean: the Pacific Ocean; biggest country: Russia; largest animal: the blue whale; fastest land animal: the cheetah; tallest animal: the giraffe; largest land animal: the elephant; largest ocean: the Pacific Ocean; longest river in Africa: the Nile; longest river in South America: the Amazon; highest mountain: Mount Everest; largest continent: Asia; smallest continent: Australia; largest country: Russia; smallest country: Vatican City; largest hot desert: the Sahara; largest bird: the ostrich; smallest bird: the bee hummingbird; coldest continent: Antarctica; hardest natural material: diamond; largest island: Greenland; deepest lake: Lake Baikal; largest rain forest: the Amazon rain forest; longest wall: the Great Wall of China; largest organ of the human body: the skin; longest bone of the human body: the thighbone; lightest element: hydrogen; most spoken first language: Chinese; largest cat: the tiger; slowest mammal: the sloth
""")

AFTER = _rows("""
Monday: Tuesday; Tuesday: Wednesday; Wednesday: Thursday; Thursday: Friday; Friday: Saturday; Saturday: Sunday; Sunday: Monday
January: February; February: March; March: April; April: May; May: June; June: July; July: August; August: September; September: October; October: November; November: December; December: January
spring: summer; summer: autumn; autumn: winter; winter: spring
""")
BEFORE = {following: first for first, following in AFTER.items()}

PLACES = _rows("""
the Eiffel Tower: Paris, France; the Colosseum: Rome, Italy; Big Ben: London, England; the Statue of Liberty: New York; the Great Wall: China; the Taj Mahal: Agra, India; the Acropolis: Athens, Greece; the Kremlin: Moscow, Russia; Machu Picchu: Peru; the pyramids of Giza: Egypt; Mount Fuji: Japan; the Golden Gate Bridge: San Francisco; the Louvre: Paris, France; the Sagrada Familia: Barcelona, Spain; the Brandenburg Gate: Berlin, Germany; the Grand Canyon: Arizona; Niagara Falls: Canada and the United States; Mount Everest: Nepal and China; the Leaning Tower: Pisa, Italy; the Sydney Opera House: Sydney, Australia; the Panama Canal: Panama; the Suez Canal: Egypt; Hagia Sophia: Istanbul, Turkey; Victoria Falls: Zambia and Zimbabwe; Kilimanjaro: Tanzania
""")

MEANINGS = _rows("""
photosynthesis: the way plants make food from sunlight, water and air; gravity: the force that pulls things toward the Earth; a volcano: a mountain that can throw out hot melted rock; an island: land with water all around it; a desert: a very dry place where little rain falls; an atom: a very small piece of matter; a cell: the smallest living part of a body; the moon: the natural satellite of the Earth; a star: a huge ball of hot, shining gas; a planet: a large round body that moves around a star
a compiler: a program that turns source code into code that a machine can run; an algorithm: a list of clear steps that solves a problem; a browser: a program that shows web pages; a keyboard: a set of keys for typing; a database: a place where data is stored in order; the internet: a network that connects computers all over the world; a bug: a mistake in a program; a variable: a name for a value in a program; a loop: a part of a program that runs again and again; a byte: a group of eight bits; an operating system: the program that runs a computer and its other programs
a thermometer: a tool that measures temperature; a compass: a tool that shows where north is; a telescope: a tool that makes far things look near; a microscope: a tool that makes small things look big; a clock: a tool that shows the time; a ruler: a tool that measures length; a scale: a tool that measures weight; a barometer: a tool that measures the pressure of the air; a mammal: an animal that feeds its young with milk; a reptile: a cold-blooded animal with scales; an insect: a small animal with six legs; a noun: a word that names a person, a place or a thing; a verb: a word that says what somebody does; an adjective: a word that describes a noun; a synonym: a word that means the same as another word; a fable: a short story that teaches a lesson; a poem: a text whose words have rhythm and often rhyme; democracy: a system in which the people choose who governs them; an orchestra: a large group of people who play music together; a baker: a person who makes bread; a dentist: a doctor for teeth; an author: a person who writes books; a pilot: a person who flies an airplane; an architect: a person who plans buildings; a language model: a program that predicts the next word of a text; a token: a small piece of text that a language model reads or writes; a neural network: a program made of many simple units that learn from examples
""")

FORMS = _rows("""
water at 0 degrees Celsius: It freezes and becomes ice; water at 100 degrees Celsius: It boils and becomes steam; ice in the sun: It melts and becomes water; iron in wet air: It rusts; wood in a fire: It burns; a caterpillar: It becomes a butterfly; a tadpole: It becomes a frog; a seed with water and sun: It grows into a plant; milk in a warm place: It turns sour; paper in water: It gets soft and tears
""")

WHY = _rows("""
the sky blue: Air scatters blue light more than other colors; the sea salty: Rivers carry salt from the rocks into it; grass green: It contains chlorophyll, which reflects green light; there day and night: The Earth turns around itself once a day; there seasons: The axis of the Earth is tilted while it moves around the Sun; ice lighter than water: Its molecules are arranged with more space between them; the moon bright: It reflects the light of the Sun; blood red: It contains iron in the hemoglobin
""")

INGREDIENTS = _rows("""
bread: flour, water, salt and yeast; butter: cream; cheese: milk; paper: wood; glass: sand; wine: grapes; chocolate: cocoa beans; an omelet: eggs; honey: nectar that bees collect; flour: grain; ketchup: tomatoes and sugar; pasta: flour and water or eggs; steel: iron and carbon; bronze: copper and tin; water: hydrogen and oxygen; salt: sodium and chlorine; concrete: cement, sand, stones and water; sushi: rice and fish; hummus: chickpeas; tofu: soybeans; wool: the hair of sheep; silk: the threads of silkworms; leather: the skin of animals; jam: fruit and sugar; yogurt: milk; cotton cloth: the cotton plant; raisins: dried grapes
""")
