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
    ("hi", r"^(Hello|Hi)"), ("hello!", r"^(Hello|Hi)"), ("hey there, how's life?", r"fine|well|Hello|Hi"), ("what's up", r"fine|well"), ("thanks", r"welcome"), ("ok", r"All right"), ("cool, thank you!!", r"welcome"),
    ("who am i speaking with?", r"Weft Tiny"), ("what exactly are you?", r"Weft Tiny"), ("do you have a name", r"Weft Tiny"), ("what can you help me with?", r"stories"), ("what sort of things can i ask you", r"stories"), ("give me an overview of your skills", r"stories"),
    ("are you chatgpt", r"Weft Tiny"), ("which company made you?", r"Weft project"), ("tell me a story about a dragon", r"dragon"), ("can i get a bedtime story", r"[.!]"), ("story about a lonely robot please", r"robot"), ("write a poem", r"\n"), ("write me a poem about the ocean", r"sea"),
    ("what is 12+30?", r"= 42$"), ("12+30", r"= 42$"), ("what's 7 plus 5", r"= 12$"), ("how much is 15 minus 6?", r"= 9$"), ("6 times 7?", r"= 42$"), ("i have 20 apples and buy 14 more, how many apples do i have", r"34"),
    ("what is weft?", r"compiler and runtime"), ("how do i use weft", r"commands"), ("how do i run my own gguf file?", r"\.gguf"), ("how can I start the server", r"weft serve"), ("how do i benchmark my model", r"weft bench"), ("where do I see the tensors of a model?", r"weft inspect"),
    ("is there a way to count tokens", r"weft tokenize"), ("what does --temperature do", r"likeliest"), ("how do I quit this chat?", r"Ctrl-D|/exit"), ("do i need an nvidia card", r"GPU"), ("tell me a joke please", r"\?"), ("i'm feeling a bit down today", r"sorry"),
    ("good morning", r"Good morning"), ("bye!", r"Goodbye"), ("who is the president of france?", r"do not know"), ("what's the weather in oslo", r"cannot know|do not know"), ("how tall is the eiffel tower", r"do not know"), ("what is the capital of zorbania", r"do not know"),
)  # fmt: skip
