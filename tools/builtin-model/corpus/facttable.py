"""Common facts as plain tables; `relations` has the ways to ask for them.

A row is `subject: answer`.
"""


def _rows(text):
    rows = {}
    for line in text.strip().replace("\n", "; ").split(";"):
        if line.strip():
            subject, answer = line.split(":", 1)
            rows[subject.strip()] = answer.strip()
    return rows


def _grouped(text):
    """Lines of `answer: subject, subject, ...`."""
    return {subject.strip(): answer for line in text.strip().splitlines() for answer, subjects in [line.split(": ", 1)] for subject in subjects.split(",")}


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
South Africa: Pretoria; Monaco: Monaco; Belarus: Minsk; Moldova: Chisinau; Bosnia: Sarajevo; Montenegro: Podgorica; North Macedonia: Skopje; Liechtenstein: Vaduz; Andorra: Andorra la Vella
Myanmar: Naypyidaw; Singapore: Singapore; Bhutan: Thimphu; the Maldives: Male; Oman: Muscat; Yemen: Sanaa; the United Arab Emirates: Abu Dhabi; Bahrain: Manama; Taiwan: Taipei
Turkmenistan: Ashgabat; Kyrgyzstan: Bishkek; Tajikistan: Dushanbe; Nicaragua: Managua; Honduras: Tegucigalpa; El Salvador: San Salvador; the Dominican Republic: Santo Domingo; the Bahamas: Nassau; Guyana: Georgetown; Suriname: Paramaribo
Cameroon: Yaounde; Ivory Coast: Yamoussoukro; Niger: Niamey; Chad: N'Djamena; Benin: Porto-Novo; Togo: Lome; Gabon: Libreville; the Congo: Kinshasa; Mozambique: Maputo; Malawi: Lilongwe; Mauritius: Port Louis; Liberia: Monrovia; Papua New Guinea: Port Moresby
""")

CONTINENTS = _grouped("""
Europe: France, Germany, Italy, Spain, Poland, Greece, Sweden, Norway, Ireland, Austria, Portugal, Hungary, Finland, Denmark, Belgium, Romania, Ukraine, Croatia, the Netherlands, Switzerland, the Czech Republic, Slovakia, Slovenia, Serbia, Bulgaria, Iceland, Estonia, Latvia, Lithuania, the United Kingdom, England, Scotland, Wales, Malta, Albania, Luxembourg, Belarus
South America: Brazil, Argentina, Chile, Peru, Colombia, Bolivia, Uruguay, Paraguay, Venezuela, Ecuador
North America: Canada, Mexico, the United States, Cuba, Panama, Jamaica, Costa Rica, Guatemala, Haiti
Asia: China, Japan, India, Thailand, Vietnam, Iran, Iraq, Nepal, Mongolia, Pakistan, South Korea, North Korea, Bangladesh, Indonesia, Malaysia, the Philippines, Cambodia, Laos, Israel, Jordan, Lebanon, Syria, Saudi Arabia, Qatar, Afghanistan, Kazakhstan, Uzbekistan, Singapore, Sri Lanka
Africa: Egypt, Kenya, Nigeria, Ghana, Morocco, Ethiopia, Senegal, Angola, Mali, Tanzania, Algeria, Tunisia, Libya, Sudan, Uganda, Rwanda, Zambia, Zimbabwe, Namibia, Botswana, Madagascar, Somalia, South Africa, Cameroon
Oceania: Australia, New Zealand, Fiji
""")

LANGUAGES = _grouped("""
French: France, Monaco
German: Germany, Austria
Italian: Italy
Spanish: Spain, Argentina, Mexico, Chile, Peru, Cuba, Colombia, Venezuela, Ecuador, Uruguay, Costa Rica, Guatemala, Panama
Portuguese: Portugal, Brazil, Angola
English: Australia, England, the United States, the United Kingdom, New Zealand, Jamaica
Arabic: Egypt, Morocco, Saudi Arabia, Iraq, Jordan, Lebanon, Syria, Tunisia, Libya, Qatar
Greek: Greece
Polish: Poland
Hungarian: Hungary
Swedish: Sweden
Norwegian: Norway
Finnish: Finland
Danish: Denmark
Dutch: the Netherlands
Romanian: Romania
Bulgarian: Bulgaria
Ukrainian: Ukraine
Russian: Russia
Turkish: Turkey
Icelandic: Iceland
Estonian: Estonia
Czech: the Czech Republic
Slovak: Slovakia
Slovenian: Slovenia
Latvian: Latvia
Lithuanian: Lithuania
Chinese: China
Japanese: Japan
Korean: South Korea, North Korea
Thai: Thailand
Vietnamese: Vietnam
Persian: Iran
Hebrew: Israel
Mongolian: Mongolia
Albanian: Albania
Croatian: Croatia
Serbian: Serbia
Nepali: Nepal
Georgian: Georgia
Armenian: Armenia
Khmer: Cambodia
Indonesian: Indonesia
Malay: Malaysia
Urdu: Pakistan
Bengali: Bangladesh
Amharic: Ethiopia
Somali: Somalia
""")

MONEY = _grouped("""
the euro: France, Germany, Italy, Spain, Ireland, Austria, Finland, Portugal, Greece, Belgium, the Netherlands, Slovakia, Slovenia, Estonia, Latvia, Lithuania, Malta, Luxembourg, Croatia
the dollar: the United States
the Canadian dollar: Canada
the Australian dollar: Australia
the New Zealand dollar: New Zealand
the pound: the United Kingdom, England
the Egyptian pound: Egypt
the yen: Japan
the yuan: China
the rupee: India, Pakistan, Nepal
the ruble: Russia
the zloty: Poland
the krona: Sweden
the krone: Norway, Denmark
the franc: Switzerland
the lira: Turkey
the peso: Mexico, Argentina, Chile, Colombia, Cuba, the Philippines
the real: Brazil
the won: South Korea
the baht: Thailand
the dong: Vietnam
the shekel: Israel
the forint: Hungary
the Czech koruna: the Czech Republic
the leu: Romania
the lev: Bulgaria
the hryvnia: Ukraine
the rand: South Africa
the naira: Nigeria
the dirham: Morocco
the rupiah: Indonesia
the ringgit: Malaysia
the rial: Iran
the riyal: Saudi Arabia
the taka: Bangladesh
the sol: Peru
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
goat: bleats; goose: honks; bear: growls; dolphin: clicks and whistles; chicken: clucks; turkey: gobbles; monkey: chatters; parrot: talks and squawks; tiger: roars; fox: barks and screams; cricket: chirps; pigeon: coos; hyena: laughs
""")

HOMES = _rows("""
bee: in a hive; bird: in a nest; spider: in a web; dog: in a kennel; horse: in a stable; lion: in a den; rabbit: in a burrow; fish: in water; ant: in an anthill; cow: in a barn
bear: in a cave or den; pig: in a sty; polar bear: in the Arctic; camel: in the desert; monkey: in the jungle; whale: in the ocean; beaver: in a lodge; penguin: mostly in Antarctica; kangaroo: in Australia
panda: in China; koala: in Australia; tiger: in Asia; zebra: in Africa; giraffe: in Africa; owl: in a hole in a tree; squirrel: in trees
cat: with people; duck: on ponds and lakes; frog: near ponds; sheep: on a farm; goat: on a farm or in the mountains; hen: in a henhouse; elephant: in Africa and Asia; wolf: in forests; fox: in a den; deer: in the forest; snake: in grass and under stones; mouse: in a hole; crocodile: in warm rivers
butterfly: in gardens and meadows; bat: in a cave; eagle: in a nest on a cliff; shark: in the ocean; octopus: in the sea; donkey: in a stable; crab: on the beach and in the sea; seal: in cold seas; hedgehog: in gardens and hedges; dolphin: in the ocean; parrot: in the rain forest; turtle: in the sea or on land; hippopotamus: in African rivers; gorilla: in the forests of Africa; worm: in the earth; chicken: in a henhouse; hamster: in a burrow or a cage; swan: on lakes
""")

LEGS = _rows("""
dog: four; cat: four; horse: four; cow: four; spider: eight; ant: six; bee: six; bird: two; duck: two; human: two; fly: six; butterfly: six; crab: ten; beetle: six; scorpion: eight; snake: no; fish: no; frog: four; elephant: four; chicken: two; octopus: no; lion: four; pig: four; sheep: four; goat: four; rabbit: four; mouse: four; tiger: four; worm: no; whale: no; lobster: ten; mosquito: six; lizard: four; turtle: four; monkey: four; kangaroo: four; penguin: two
bear: four; wolf: four; fox: four; deer: four; giraffe: four; zebra: four; camel: four; hedgehog: four; donkey: four; hamster: four; crocodile: four; polar bear: four; panda: four; koala: four; owl: two; eagle: two; parrot: two; hen: two; goose: two; swan: two; dolphin: no; shark: no; seal: no; hippopotamus: four; gorilla: four; squirrel: four; snail: no
""")

FOOD_OF = _rows("""
cow: grass; horse: grass and hay; rabbit: grass and vegetables; lion: meat; panda: bamboo; koala: eucalyptus leaves; bee: nectar and pollen; squirrel: nuts; spider: insects; frog: insects
owl: mice and other small animals; penguin: fish; sheep: grass; tiger: meat; caterpillar: leaves; giraffe: leaves; mosquito: nectar and blood; silkworm: mulberry leaves; bat: insects or fruit; whale: plankton, krill or fish
dog: meat and dog food; cat: meat and fish; elephant: grass, leaves and fruit; pig: roots, grain and scraps; hen: grain and worms; duck: water plants and snails; mouse: grain and cheese; monkey: fruit and leaves; bear: berries, fish and meat; wolf: meat; fox: mice and berries
kangaroo: grass; zebra: grass; camel: grass and desert plants; goat: grass and leaves; deer: grass and leaves; eagle: fish and small animals; snake: mice and other small animals; seal: fish; crocodile: meat; hedgehog: insects and worms; bird: seeds and insects; ant: seeds and insects
butterfly: nectar; donkey: grass and hay; parrot: seeds and fruit; shark: fish; turtle: plants and small animals; dolphin: fish; polar bear: seals; hamster: seeds and grain; hippopotamus: grass; gorilla: leaves and fruit; fly: sugar and old food; worm: earth and dead leaves; octopus: crabs and fish; crab: algae and small animals; beaver: bark and leaves; chicken: grain and worms
""")

COLORS = _rows("""
the sky: blue; grass: green; snow: white; coal: black; a banana: yellow; a tomato: red; a lemon: yellow; an orange: orange; a carrot: orange; blood: red; milk: white; chocolate: brown
a strawberry: red; a frog: green; a flamingo: pink; a swan: white; a raven: black; an emerald: green; a ruby: red; a sapphire: blue; the sun: yellow; the sea: blue; a leaf: green; a plum: purple; a polar bear: white; a pumpkin: orange; an eggplant: purple; gold: yellow; a cherry: red; salt: white
an elephant: gray; a tiger: orange with black stripes; a zebra: black and white; a panda: black and white; a pig: pink; a crow: black; a mouse: gray; a dolphin: gray; a penguin: black and white; a fox: red; a sheep: white; a rose: red; a sunflower: yellow; a blueberry: blue; broccoli: green; a cucumber: green; coffee: brown
the sky at night: black; a fire truck: red; Mars: red; ketchup: red; paper: white; a lime: green; an apple: red or green; a grape: purple or green; honey: golden; ink: blue or black; a lion: golden brown; a bear: brown; butter: yellow; rice: white; tea: brown; wood: brown; silver: gray; the moon: gray; a violet: purple; an olive: green or black
""")

AMOUNTS = _rows("""
minutes in an hour: 60; seconds in a minute: 60; hours in a day: 24; days in a week: seven; months in a year: 12; days in a year: 365; days in a leap year: 366
weeks in a year: 52; years in a century: 100; years in a decade: ten; years in a millennium: 1000; centimeters in a meter: 100; meters in a kilometer: 1000; millimeters in a centimeter: ten; grams in a kilogram: 1000
milliliters in a liter: 1000; inches in a foot: 12; feet in a yard: three; cents in a dollar: 100; bits in a byte: eight; bytes in a kilobyte: 1024; letters in the English alphabet: 26; vowels in the English alphabet: five; planets in the solar system: eight
continents on Earth: seven; oceans on Earth: five; sides of a triangle: three; sides of a square: four; sides of a pentagon: five; sides of a hexagon: six; sides of an octagon: eight; corners of a cube: eight; faces of a cube: six; edges of a cube: 12
colors in a rainbow: seven; strings of a violin: four; strings of a guitar: six; keys of a piano: 88; squares on a chessboard: 64; players on a soccer team: 11; players on a basketball team: five; fingers on one hand: five; teeth of an adult: 32; bones of an adult: 206; chambers of the heart: four
wings of a bee: four; arms of an octopus: eight; hearts of an octopus: three; humps of a dromedary: one; wheels of a bicycle: two; wheels of a tricycle: three; wheels of a car: four; seasons in a year: four; eggs in a dozen: 12; degrees in a circle: 360; degrees in a right angle: 90; zeros in a million: six; zeros in a thousand: three
days in January: 31; days in February: 28 or 29; days in March: 31; days in April: 30; days in May: 31; days in June: 30; days in July: 31; days in August: 31; days in September: 30; days in October: 31; days in November: 30; days in December: 31; hours in a week: 168; seconds in an hour: 3600; minutes in a day: 1440; quarters in a year: four; players on a volleyball team: six; toes on one foot: five; eyes of a spider: eight; kilograms in a ton: 1000; stomachs of a cow: four; sides of a circle: no; sides of a rectangle: four; letters in the Greek alphabet: 24; ears of a human: two; ounces in a pound: 16; days in a month: 30 or 31
""")

MAKERS = _rows("""
Romeo and Juliet: William Shakespeare; Hamlet: William Shakespeare; Macbeth: William Shakespeare; Don Quixote: Miguel de Cervantes; War and Peace: Leo Tolstoy; Anna Karenina: Leo Tolstoy; Crime and Punishment: Fyodor Dostoevsky; Faust: Johann Wolfgang von Goethe; The Odyssey: Homer; The Iliad: Homer
The Divine Comedy: Dante Alighieri; Pride and Prejudice: Jane Austen; Oliver Twist: Charles Dickens; Moby-Dick: Herman Melville; Alice in Wonderland: Lewis Carroll; Frankenstein: Mary Shelley; Dracula: Bram Stoker; Les Miserables: Victor Hugo; Pinocchio: Carlo Collodi; Peter Pan: J. M. Barrie; 1984: George Orwell; Animal Farm: George Orwell
The Little Prince: Antoine de Saint-Exupery; The Hobbit: J. R. R. Tolkien; Treasure Island: Robert Louis Stevenson; Robinson Crusoe: Daniel Defoe; The Jungle Book: Rudyard Kipling; Huckleberry Finn: Mark Twain; Tom Sawyer: Mark Twain; The Ugly Duckling: Hans Christian Andersen
Harry Potter: J. K. Rowling; The Lord of the Rings: J. R. R. Tolkien; Sherlock Holmes: Arthur Conan Doyle; Winnie-the-Pooh: A. A. Milne; The Great Gatsby: F. Scott Fitzgerald; To Kill a Mockingbird: Harper Lee; The Old Man and the Sea: Ernest Hemingway; Emma: Jane Austen; Othello: William Shakespeare; King Lear: William Shakespeare; A Christmas Carol: Charles Dickens
Dune: Frank Herbert; The Metamorphosis: Franz Kafka; The Time Machine: H. G. Wells; Around the World in Eighty Days: Jules Verne; Little Women: Louisa May Alcott; Jane Eyre: Charlotte Bronte; Wuthering Heights: Emily Bronte; Gulliver's Travels: Jonathan Swift; The Three Musketeers: Alexandre Dumas; Ulysses: James Joyce; Brave New World: Aldous Huxley; Lord of the Flies: William Golding; The Catcher in the Rye: J. D. Salinger; Charlotte's Web: E. B. White; Matilda: Roald Dahl; Pippi Longstocking: Astrid Lindgren
""")

PAINTERS = _rows("""
the Mona Lisa: Leonardo da Vinci; The Last Supper: Leonardo da Vinci; The Starry Night: Vincent van Gogh; Sunflowers: Vincent van Gogh; The Scream: Edvard Munch; Guernica: Pablo Picasso; Girl with a Pearl Earring: Johannes Vermeer; The Night Watch: Rembrandt; The Birth of Venus: Sandro Botticelli; Water Lilies: Claude Monet; The Kiss: Gustav Klimt; the ceiling of the Sistine Chapel: Michelangelo
""")

INVENTORS = _rows("""
the telephone: Alexander Graham Bell; the printing press: Johannes Gutenberg; dynamite: Alfred Nobel; the World Wide Web: Tim Berners-Lee; the steam engine: Thomas Newcomen, and James Watt improved it; the first airplane: the Wright brothers; the phonograph: Thomas Edison; the radio: Guglielmo Marconi; the lightning rod: Benjamin Franklin; the diesel engine: Rudolf Diesel; the battery: Alessandro Volta; the Java language: James Gosling; the C language: Dennis Ritchie; the Python language: Guido van Rossum; Linux: Linus Torvalds; the Braille alphabet: Louis Braille; the periodic table: Dmitri Mendeleev
the light bulb: Thomas Edison; the car: Carl Benz; the television: Philo Farnsworth; paper: Cai Lun; the bicycle: Karl von Drais; the telescope: Hans Lippershey; the helicopter: Igor Sikorsky; the sewing machine: Elias Howe; basketball: James Naismith; Facebook: Mark Zuckerberg; Wikipedia: Jimmy Wales and Larry Sanger; Git: Linus Torvalds; the ballpoint pen: Laszlo Biro; the computer: Charles Babbage, who designed the first one
""")

DISCOVERERS = _rows("""
penicillin: Alexander Fleming; radium: Marie Curie and Pierre Curie; the law of gravity: Isaac Newton; the theory of relativity: Albert Einstein; the theory of evolution: Charles Darwin; X-rays: Wilhelm Roentgen; the moons of Jupiter: Galileo Galilei; the planet Uranus: William Herschel
oxygen: Joseph Priestley; vaccination: Edward Jenner; the electron: J. J. Thomson; DNA: James Watson and Francis Crick; the planet Neptune: Johann Galle
""")

PLANETS = _rows("""
closest to the Sun: Mercury; farthest from the Sun: Neptune; known for its rings: Saturn; called the red planet: Mars; our home: Earth; the third from the Sun: Earth; the second from the Sun: Venus; the fourth from the Sun: Mars; the fifth from the Sun: Jupiter; the sixth from the Sun: Saturn; the seventh from the Sun: Uranus
""")

RECORDS = _rows("""
largest planet: Jupiter; smallest planet: Mercury; hottest planet: Venus; largest animal: the blue whale; fastest land animal: the cheetah; tallest animal: the giraffe; largest land animal: the elephant; largest ocean: the Pacific Ocean; longest river in Africa: the Nile; longest river in South America: the Amazon; highest mountain: Mount Everest; largest continent: Asia; smallest continent: Australia; largest country: Russia; smallest country: Vatican City; largest hot desert: the Sahara; largest bird: the ostrich; smallest bird: the bee hummingbird; coldest continent: Antarctica; hardest natural material: diamond; largest island: Greenland; deepest lake: Lake Baikal; largest rain forest: the Amazon rain forest; longest wall: the Great Wall of China; largest organ of the human body: the skin; longest bone of the human body: the thighbone; lightest element: hydrogen; most spoken first language: Chinese; largest cat: the tiger; slowest mammal: the sloth; fastest bird: the peregrine falcon; largest city of Japan: Tokyo; highest mountain of Europe: Mount Elbrus; highest mountain of Africa: Kilimanjaro; longest river in Europe: the Volga; highest waterfall: Angel Falls; deepest ocean: the Pacific Ocean; largest fish: the whale shark; largest reptile: the saltwater crocodile; closest star: the Sun; largest moon of Saturn: Titan; hardest part of the body: the enamel of the teeth; largest city: Tokyo; tallest building: the Burj Khalifa; longest river: the Nile; largest lake: the Caspian Sea; most populated country: India; largest state of the United States: Alaska; heaviest animal: the blue whale; longest snake: the reticulated python; largest dinosaur: the Argentinosaurus; largest spider: the Goliath birdeater; tallest tree: the coast redwood; smallest ocean: the Arctic Ocean; hottest continent: Africa; fastest fish: the sailfish; loudest animal: the sperm whale
""")

AFTER = _rows("""
Monday: Tuesday; Tuesday: Wednesday; Wednesday: Thursday; Thursday: Friday; Friday: Saturday; Saturday: Sunday; Sunday: Monday
January: February; February: March; March: April; April: May; May: June; June: July; July: August; August: September; September: October; October: November; November: December; December: January
spring: summer; summer: autumn; autumn: winter; winter: spring
""")
BEFORE = {following: first for first, following in AFTER.items()}

PLACES = _rows("""
the Eiffel Tower: Paris, France; the Colosseum: Rome, Italy; Big Ben: London, England; the Statue of Liberty: New York; the Great Wall: China; the Taj Mahal: Agra, India; the Acropolis: Athens, Greece; the Kremlin: Moscow, Russia; Machu Picchu: Peru; the Great Pyramid: Egypt; Mount Fuji: Japan; the Golden Gate Bridge: San Francisco; the Louvre: Paris, France; the Sagrada Familia: Barcelona, Spain; the Brandenburg Gate: Berlin, Germany; the Grand Canyon: Arizona; Niagara Falls: Canada and the United States; Mount Everest: Nepal and China; the Leaning Tower: Pisa, Italy; the Sydney Opera House: Sydney, Australia; the Panama Canal: Panama; the Suez Canal: Egypt; Hagia Sophia: Istanbul, Turkey; Victoria Falls: Zambia and Zimbabwe; Kilimanjaro: Tanzania
Stonehenge: England; the Parthenon: Athens, Greece; the White House: Washington, D.C.; Hollywood: Los Angeles; Petra: Jordan; Angkor Wat: Cambodia; the Alps: Europe; the Himalayas: Asia; the Andes: South America; the Sahara: Africa; the Amazon: South America; the Nile: Africa; Mount Rushmore: South Dakota; Times Square: New York; the Tower Bridge: London, England; Loch Ness: Scotland; the Vatican: Rome, Italy; the Burj Khalifa: Dubai
""")

MEANINGS = _rows("""
photosynthesis: the way plants make food from sunlight, water and air; gravity: the force that pulls things toward the Earth; a volcano: a mountain that can throw out hot melted rock; an island: land with water all around it; a desert: a very dry place where little rain falls; an atom: a very small piece of matter; a cell: the smallest living part of a body; the moon: the natural satellite of the Earth; a star: a huge ball of hot, shining gas; a planet: a large round body that moves around a star
a compiler: a program that turns source code into code that a machine can run; an algorithm: a list of clear steps that solves a problem; a browser: a program that shows web pages; a keyboard: a set of keys for typing; a database: a place where data is stored in order; the internet: a network that connects computers all over the world; a bug: a mistake in a program; a variable: a name for a value in a program; a loop: a part of a program that runs again and again; a byte: a group of eight bits; an operating system: the program that runs a computer and its other programs
a thermometer: a tool that measures temperature; a compass: a tool that shows where north is; a telescope: a tool that makes far things look near; a microscope: a tool that makes small things look big; a clock: a tool that shows the time; a ruler: a tool that measures length; a scale: a tool that measures weight; a barometer: a tool that measures the pressure of the air; a mammal: an animal that feeds its young with milk; a reptile: a cold-blooded animal with scales; an insect: a small animal with six legs; a noun: a word that names a person, a place or a thing; a verb: a word that says what somebody does; an adjective: a word that describes a noun; a synonym: a word that means the same as another word; a fable: a short story that teaches a lesson; a poem: a text whose words have rhythm and often rhyme; democracy: a system in which the people choose who governs them; an orchestra: a large group of people who play music together; a baker: a person who makes bread; a dentist: a doctor for teeth; an author: a person who writes books; a pilot: a person who flies an airplane; an architect: a person who plans buildings; a language model: a program that predicts the next word of a text; a token: a small piece of text that a language model reads or writes; a neural network: a program made of many simple units that learn from examples
love: a strong and warm feeling for somebody; friendship: the bond between people who like and help each other; happiness: the feeling when all is well; time: what a clock measures; music: sound that is ordered so that it is nice to hear; war: a fight between countries; peace: a time without war; a robot: a machine that can do work by itself; artificial intelligence: the work of programs that do what needs thinking; a computer: a machine that follows programs; a galaxy: a huge group of stars; a comet: a ball of ice and dust that moves around the Sun; a rainbow: an arc of colors that sunlight makes in rain; an earthquake: a shaking of the ground; a glacier: a slow river of ice; a river: a long stream of water that flows to the sea; a lake: water with land all around it; oxygen: a gas in the air that we need to breathe; energy: what is needed to do work; electricity: a form of energy that flows through wires; DNA: the molecule that holds the plan of a living thing; a vaccine: a medicine that teaches the body to fight an illness; inflation: a rise of prices over time; a philosopher: a person who thinks about the great questions; a carpenter: a person who makes things of wood; a surgeon: a doctor who operates
""")

FORMS = _rows("""
water at 0 degrees Celsius: It freezes and becomes ice; water at 100 degrees Celsius: It boils and becomes steam; ice in the sun: It melts and becomes water; iron in wet air: It rusts; wood in a fire: It burns; a caterpillar: It becomes a butterfly; a tadpole: It becomes a frog; a seed with water and sun: It grows into a plant; milk in a warm place: It turns sour; paper in water: It gets soft and tears
""")

WHY = _rows("""
the sky is blue: Air scatters blue light more than other colors; the sea is salty: Rivers carry salt from the rocks into it; grass is green: It contains chlorophyll, which reflects green light
there is day and night: The Earth turns around itself once a day; there are seasons: The axis of the Earth is tilted while it moves around the Sun; ice is lighter than water: Its molecules are arranged with more space between them
the moon is bright: It reflects the light of the Sun; blood is red: It contains iron in the hemoglobin; flamingos are pink: The small shrimps that they eat give them the color; deserts are dry: Very little rain falls there; sunsets are red: The low light crosses more air, which takes the blue out of it
""")

INGREDIENTS = _rows("""
bread: flour, water, salt and yeast; butter: cream; cheese: milk; paper: wood; glass: sand; wine: grapes; chocolate: cocoa beans; an omelet: eggs; honey: nectar that bees collect; flour: grain; ketchup: tomatoes and sugar; pasta: flour and water or eggs; steel: iron and carbon; bronze: copper and tin; water: hydrogen and oxygen; salt: sodium and chlorine; concrete: cement, sand, stones and water; sushi: rice and fish; hummus: chickpeas; tofu: soybeans; wool: the hair of sheep; silk: the threads of silkworms; leather: the skin of animals; jam: fruit and sugar; yogurt: milk; cotton cloth: the cotton plant; a raisin: a dried grape
""")
