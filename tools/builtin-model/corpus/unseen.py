"""Questions for the evaluation only, written before the run that ships and never used to change the corpus.

Four phrasings a relation, each in the voice of another person: chatty, formal, hurried, a foreign speaker. Slots as in `relations`.
"""

PHRASINGS = {
    "capital": ("My pen pal is from {s} and I'd love to impress her: which city is the capital over there?", "Kindly indicate the capital of {s}.", "whats {s} capital again??", "Which one the capital city is in {s}, you know it?"),
    "capital of": ("So if I land in {s}, which country's capital am I standing in?", "Kindly indicate the country that has {s} for a capital.", "{s} - capital of??", "The city {s}, of which country it is capital?"),
    "continent": ("Geography test tomorrow, argh. {s} is on what continent?", "Would {s} be counted as part of Europe, Asia, or some other continent?", "{s} what continent", "In which continent we can find {s}?"),
    "language": ("I'm hoping to chat with the locals in {s}, so which language should I brush up on?", "Kindly state the language commonly spoken in {s}.", "what lang do they speak in {s}", "The people from {s}, what is the language of them?"),
    "money": ("If I buy an ice cream in {s}, what currency do I hand over?", "Kindly state which currency circulates in {s}.", "{s} what currency", "What money I must change before I go in {s}?"),
    "symbol": ("Chemistry class was ages ago, what was the symbol for {s} again?", "Kindly provide the chemical symbol corresponding to {s}.", "{s} chem symbol", "How we write {s} with the symbol of chemistry?"),
    "element": ("There's a big {s} on my chemistry poster. Which element is that?", "Kindly identify the element denoted by the symbol {s}.", "{s} = which element", "The symbol {s} is from what element?"),
    "baby": ("My toddler wants to know what we call a teeny tiny baby {s}!", "What is the proper term for the offspring of {one}?", "{s} babies are called?", "How it is named, the baby of {one}?"),
    "sound": ("We're playing a guessing game: what noise would {one} make?", "Kindly name the sound typically produced by {one}.", "what sound {s} make", "When {one} speaks, what sound it does?"),
    "caller": ("Guess the animal! Which one {s}?", "Kindly name the animal which {s}.", "what animal {s} lol", "It {s}, which animal it is?"),
    "home": ("If I went looking for {one} in the wild or on a farm, where does it live?", "In what dwelling or region does {one} usually live?", "where {p} live", "The {s}, where it has its home?"),
    "legs": ("Silly bet with my brother: how many legs has {one} actually got?", "Kindly state the number of legs possessed by {one}.", "{s} how many legs??", "Tell how much legs {one} has."),
    "food": ("There is {one} in my garden! What would it like to eat?", "Of what does the diet of {one} consist?", "what {p} eat", "For to feed {one}, which food I need?"),
    "color": ("My kid is coloring a picture, which color should {s} be?", "Kindly specify the color of {s}.", "{s} what color", "The color from {s} is which?"),
    "amount": ("Settle an argument for us: how many {x} are there {in} {y}?", "Kindly state how many {x} there are {in} {y}.", "how many {x} {in} {y} again", "How much {x} it has {in} {y}?"),
    "author": ("I found an old copy of {s} at a flea market. Who's the author?", "To whom is {s} attributed as author?", "who wrote {s} lol", "The book {s}, who has written it?"),
    "painter": ("Saw {s} on a mug today, who painted that one?", "To which painter is {s} attributed?", "who painted {s} lol", "The picture {s}, who has painted it?"),
    "inventor": ("Random thought in the shower: who on earth invented {s}?", "To whom is the invention of {s} attributed?", "who invented {s} lol", "The person that has invented {s}, who is it?"),
    "discoverer": ("Random thought in the shower: which scientist do we have to thank for {s}?", "To whom is the discovery of {s} attributed?", "who discovered {s} lol", "The person that has discovered {s}, who is it?"),
    "planet": ("Stargazing tonight! Tell me, which planet is {s}?", "Kindly identify the planet which is {s}.", "what planet is {s} again", "From the planets, which one is {s}?"),
    "record": ("Pub quiz, please help: what's the {s}?", "Kindly identify the {s}.", "{s} is what", "Which thing is the {s}, you know?"),
    "after": ("I'm teaching my little one the calendar. What comes right after {s}?", "Kindly state what follows {s}.", "whats after {s}", "When it was {s}, what comes then?"),
    "before": ("I'm teaching my little one the calendar. What comes right before {s}?", "Kindly state what precedes {s}.", "whats before {s}", "What it was before {s}?"),
    "place": ("{S} is on my bucket list! Where do I have to fly to see it?", "Kindly state where {s} is situated.", "where is {s} at", "The place of {s}, where is it?"),
    "meaning": ("Explain it like I'm five: what is {s}?", "Kindly define the term {t}.", "{t} meaning??", "I don't understand the word {t}, what it means?"),
    "form": ("We're doing kitchen science: what's going to happen to {s}?", "Kindly describe what happens to {s}.", "what happens to {s} lol", "What it happens with {s}?"),
    "why": ("My four-year-old won't stop asking why {x} {is} {y}. Help!", "Kindly explain the reason why {x} {is} {y}.", "why {is} {x} {y} tho", "From what it comes that {x} {is} {y}?"),
    "ingredients": ("I've always wondered what actually goes into {s}. What is it made of?", "Of what materials is {s} composed?", "whats {s} made of", "For to make {s}, what do we need?"),
}  # fmt: skip
NAMES = {
    "she": "Agatha Briony Calliope Dagmar Eudora Felicity Ginevra Henrietta Imelda Jocasta Katerina Lavinia Marguerite".split(),
    "he": "Ambrose Barnaby Cornelius Desmond Ezekiel Fitzgerald Godfrey Horatio Ignatius Jedediah Leander Montgomery Thaddeus".split(),
}
# what a newcomer may type first, and a pattern that a sensible reply matches
FIRST = (
    ("hiya", r"^(Hello|Hi)"), ("Hello there my friend", r"^(Hello|Hi)"), ("good evening everyone", r"Good evening|Hello"), ("how are you doing on this fine day?", r"fine|well"), ("thank you kindly", r"welcome"), ("alright", r"All right"), ("great job", r"Thank you"),
    ("so who might you be?", r"Weft Tiny"), ("tell me who you are", r"Weft Tiny"), ("your name please", r"Weft Tiny"), ("what are you capable of?", r"stories"), ("what can i do with you", r"stories"), ("I don't know what to ask", r"stories|ask|talk|help"),
    ("are you a real person or a bot", r"not a person|Weft Tiny"), ("how did they train you", r"Weft project"), ("i want a story with a princess", r"princess|prince"), ("tell my kids a story about two otters", r"otter"), ("a tale about a grumpy wizard", r"wizard|witch"), ("got any poems?", r"\n"), ("a short poem about cats please", r"cat"),
    ("43+39", r"= 82$"), ("what does 90 minus 45 make", r"= 45$"), ("nine times eight", r"= 72$"), ("144 divided by 12", r"= 12$"), ("please add 17 and 26 for me", r"= 43$"), ("Lena has 12 coins and finds 9 more. How many now?", r"21"),
    ("what's this weft thing", r"compiler and runtime"), ("explain weft to me in one sentence", r"compiler and runtime"), ("what commands can i use", r"commands"), ("i downloaded a gguf, now what", r"\.gguf"), ("i'd like an openai compatible endpoint", r"weft serve"), ("how many tokens per second do i get", r"weft bench"),
    ("show me what's inside a gguf", r"weft inspect|file format"), ("what is the --seed flag", r"random choices"), ("how do i leave", r"Ctrl-D|/exit"), ("can it run without gpu", r"GPU"), ("make me laugh", r"\?"), ("i'm so tired today", r"sorry"),
    ("see you tomorrow", r"Goodbye"), ("what time is it", r"cannot know"), ("how many people live in brazil", r"do not know"), ("when was the louvre built", r"do not know"), ("who is the mayor of grumbleton", r"do not know"), ("what do they speak in blorvia", r"do not know"),
)  # fmt: skip
