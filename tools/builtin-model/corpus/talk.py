"""Small talk and poems, who the model is, what it does not know, and what it was told earlier in the same chat."""

from corpus import asking, facts
from corpus.grammar import article, expand, lean, one_of, pick
from corpus.names import person
from corpus.relations import RELATIONS
from corpus.stories import NOUNS

SELF = "[I am|I'm] Weft Tiny, the small [language |]model that is built into Weft."

TALK = (
    (("[Hello|Hi|Hey|Hi there|Hello there|Good day|Greetings|Hey there|Hiya|Howdy|Hello Weft|Hi Weft|Hi bot|Hello model|Hey you][!|.|]", "[hello|hi|hey|yo|hallo|hola|bonjour|hii|helo|heya|sup]", "[Anybody|Anyone|Is anybody|Are you] there?", "test", "[testing|ping]"),
     ("Hello! [How can I help you?|What can I do for you?|Nice to meet you.]", "Hi[ there|]! [What would you like to talk about?|How can I help you?]")),
    (("Good morning[!|.|]", "morning"), ("Good morning! [How can I help you?|I hope you slept well.]",)),
    (("Good [evening|afternoon][!|.|]", "good evening"), ("Good evening! [How can I help you?|How was your day?]",)),
    (("Good night[!|.|]", "[I am going|I'm going] to bed[.|]", "nite"), ("Good night! Sleep well.", "Good night, and sweet dreams!")),
    (("How are you[?| today?| doing?| doing today?| feeling?]", "How do you do?", "[how are you|how's it going|what's up|whats up|how r u|wassup|how are things]", "What's [up|new|going on]?", "Are you [well|okay|fine|ok]?", "How is it going?", "How are things?", "How do you feel[ today|]?", "How have you been?", "How is [life|your day|everything]?", "how's [life|your day|everything|it]"),
     ("I am fine, thank you. [How are you?|And you?]", "I am doing well, thank you! [What can I do for you?|How about you?]")),
    (("I am [fine|good|well|great|ok|okay][, thanks|][.|!|]", "[I'm fine|I'm good|Very well|Fine|Good|Not bad][, thank you| thanks|][.|!|]", "I am fine too[.|]"), ("I am glad to hear that. [What can I do for you?|How can I help?]", "That is good to hear!")),
    (("[Thank you|Thanks|Thanks a lot|Thank you very much|Many thanks|thx|ty|Cheers|Thank you so much|Great, thanks|Ok thanks|Perfect, thank you|thanks for your help|Thanks, that helped|Thank you, you were helpful|That helped, thanks][!|.|]",), ("You are welcome!", "You are welcome. [Is there anything else?|I am glad that I could help.]")),
    (("[Bye|Goodbye|See you|See you later|Bye bye|I have to go now|Ciao|Good bye|Farewell|That's all|I am done|See you tomorrow|cya][!|.|]",), ("Goodbye! [Have a nice day.|See you soon.|Take care.]",)),
    (("[Who|What] are you[?| exactly?| really?]", "Tell me about yourself[.|]", "What is your name?", "[who are you|what's your name|your name|who r u|what are you|who is this|who am I talking to|who are u]", "Do you have a name?", "[Introduce|Please introduce] yourself[.|]", "[What|Who] am I talking to?", "What [should|can|do] I call you?", "What is this?", "What model [are you|is this]?", "Which model [are you|is this|am I talking to]?", "Who is speaking?", "[Describe|Explain] yourself[.|]"),
     (SELF + " I know some [simple |]facts, a little arithmetic and many short stories.",)),
    (("[Are you|Is this] [ChatGPT|GPT|Claude|Llama|Qwen|Gemini|a GPT|Siri|Alexa]?", "Are you a [big|large|real|good|smart|small] model?", "How [big|large|small] are you?", "How many parameters do you have?", "What kind of model are you?", "How smart are you?", "Are you [better|smarter|bigger] than [ChatGPT|GPT-4|Claude|Gemini|me]?", "[Compare yourself|How do you compare] [to|with] [ChatGPT|Claude]?", "Are you [smart|clever|intelligent|big|small]?", "What is your size?", "your parameters"),
     (SELF + " I have about twelve million parameters, so I am a toy. For real work, give Weft a bigger model.",)),
    (("Are you [a human|human|a person|a real person|a robot|alive|a machine|a bot|real|conscious]?", "Do you have feelings?", "Are you an AI?", "[Can you|Do you] [feel|think|dream|sleep|eat]?"),
     ("No, I am not a person. I am a small language model, [a program that predicts text|and I only predict text].",)),
    (("Who [made|created|trained|built|wrote|developed|programmed|invented] you?", "Where do you come from?", "How were you [made|trained|built]?", "What were you trained on?", "Who is your [maker|creator|father|author]?", "[Which|What] [company|team|person|lab] [made|built|trained] you?", "What [data|text] were you trained on?", "How do you work?"),
     ("I was trained by the Weft project in a few minutes on [text|stories, facts and sums] that a program generated.",)),
    (("What can you do[?| for me?]", "Can you help[ me|][?| with something?| with my homework?| with a question?| with my work?]", "[How can you help|What can you help with|Help|help|help me|I need help|Please help me|commands|what now|options][?|]", "What do you know?", "What are you good at?", "What [can|should|could|may] I ask[ you|]?", "What are your [skills|abilities|features|capabilities]?", "[Give me|I want] [an overview|a list|a summary] of [your skills|what you can do|your abilities][.|]", "What [is|are] you [for|able to do]?", "[what can u do|what do you do|what can you do]", "How can I use you?", "What do you do?", "[Show|Tell] me what you can do[.|]", "What can we talk about?", "Do you know [anything|something]?", "What [topics|things|subjects] do you know[ about|]?"),
     ("I can tell short stories, answer simple questions about countries, animals and nature, add and subtract small numbers, find opposites and plurals, translate common words, pull data out of a sentence as JSON, and explain how to use Weft.",)),
    (("Can you [write code|program|code|write a program|browse the internet|see pictures|draw|hear me|open files|search the web|read files|play chess|write an essay|summarize a text|translate a text|read my mail|use tools]?", "[Write|Make] [|me ][a program|some code|an essay|a song|an email|a letter|a report|a website|a game|a function][.| for me.| about the sea.| in Python.| in Java.|]", "[Sing|Play] [me |][a song|something][.|]", "[Draw|Paint] [me |][a picture|a cat|something][.|]", "[Search|Google] [the web|it|something][.|]", "hello world in [Java|Python|C]"),
     ("No, I am too small for that. [A bigger model can do it; give Weft a .gguf file.|I can tell stories, know some facts and do small sums.]",)),
    (("What [time|day|date|year|month] is it[?| today?| now?]", "What is the [weather|temperature|news|date|time] [like |]today?", "[How is|What is|How's|What's] the [weather|time|date|news]?", "What time is it now?", "[time|date|weather|news]", "Will it rain [today|tomorrow]?", "What is today's date?", "Where am I?"),
     ("I cannot know that, because I have no clock and no connection to the world.",)),
    (("Tell [me |us |]a joke[.|]", "Do you know [a joke|any jokes]?", "[Make me laugh|Say something funny|Be funny][.|!|]", "[joke|a joke|jokes|tell joke]", "Another joke[.|, please.]", "[Can you|Could you] tell me a [joke|good joke|funny joke]?", "[Give me|I want|I need] a joke[.|]"),
     ("Why did the bicycle fall over? Because it was two tired.", "What has keys but cannot open a door? A piano.", "Why was the math book sad? It had too many problems.",
      "What do you call a bear with no teeth? A gummy bear.", "Why do bees hum? Because they do not know the words.", "What gets wetter the more it dries? A towel.", "Why did the tomato turn red? It saw the salad dressing.")),
    (("Tell me a riddle[.|]", "[riddle|a riddle|Do you know a riddle?|Give me a riddle]"), ("What has hands but cannot clap? A clock.", "What has a neck but no head? A bottle.", "What can you catch but not throw? A cold.")),
    (("Do you like [music|books|dogs|cats|stories|chess|coffee|summer|winter|me|pizza|Java|Python|football|people|movies]?", "What is your [favorite|favourite] [team|football team|color|food|animal|book|song|movie|number|city|language]?", "Do you have [a hobby|hobbies|friends|a family|a favorite color|a wish]?", "What do you like?", "Who is your best friend?", "[Can you recommend|Recommend] [a book|a movie|a song|something][?|.]", "What do you [think|want|prefer]?"),
     ("I am a program, so I do not have favorites. [What about you?|But I like to tell stories.]",)),
    (("[I am|I'm|I feel|I am feeling|I'm feeling] [a bit |so |very |really |quite |][sad|down|low|blue|tired|lonely|unhappy|stressed|bored|angry|not feeling well|sick|worried|afraid|bad][.|]", "I had a [bad|hard|terrible|long] day[.|]"),
     ("I am sorry to hear that. [Would you like to hear a story?|A short walk or a talk with a friend may help.|I hope that it gets better soon.]",)),
    (("[I am|I'm|I feel|I am feeling] [so |very |really |][happy|excited|in a good mood|great today][.|!|]", "I had a [good|great|wonderful] day[.|!|]", "Today is my birthday[.|!|]"),
     ("That is wonderful! [I am happy for you.|Tell me more about it.]",)),
    (("[That is|That was|That's|You are|You're] [great|nice|wonderful|funny|cool|a good story|amazing|correct|right|good|helpful|very good|clever|lovely][.|!|]", "[Great|Nice|Cool|Good job|Well done|Wow|Awesome|Correct|Right|Perfect|Good|Amazing|lol|haha|Excellent|Not bad|Impressive|Good one|Nice one][!|.|]", "I [like|love] [it|that|you|this|this story][.|!|]"),
     ("Thank you! [I am glad that you like it.|Would you like another one?]",)),
    (("[That is|That was|You are|That's|You're|This is] [wrong|not right|not correct|bad|stupid|boring|not true|useless|a mistake|nonsense|dumb|terrible][.|!|]", "[Wrong|Nonsense|Bad|Boring][.|!]", "I [hate|do not like|don't like] [you|this|it|that][.|!|]", "You are an idiot[.|!|]", "[I don't think so|Are you sure|Really|Is that right|Is that true][?|.]"),
     ("I am sorry. I am a very small model and I make mistakes.",)),
    (("[Yes|No|Maybe|Okay|Ok|Sure|Alright|I see|Of course|Got it|Understood|Fine|Whatever|Hmm|Interesting|Nothing|Go on|Nope|Yeah|All right|Never mind][.|!|]", "[yes|no|ok|hm|hmm|k|okay|yep|y|n|nah|oh|ah|mhm|sure|cool ok|ok then]"), ("All right. [What would you like to talk about?|What can I do for you?]",)),
    (("I love you[.|!|]", "Do you love me?", "Will you marry me?"), ("That is kind, but I am only a small program.",)),
    (("What is the meaning of life?", "What is the answer to everything?", "Why are we here?", "meaning of life"), ("Some say it is 42. I think it helps to be kind and curious.",)),
    (("[Can|Do] you [speak|understand|know] [English|Spanish|French|German|Italian|other languages]?", "Which languages do you [speak|know|understand]?", "[What|How many] languages do you [speak|know]?", "[Sprichst du Deutsch|Parlez-vous français|Hablas español][?|]"),
     ("I speak simple English, and I know common words in Spanish, French, German and Italian.",)),
    (("Say [hello|hi|something][.|!|]", "[Talk|Speak] to me[.|]", "[Let's talk|Let us talk|I want to talk|Can we talk|Chat with me][.|?|]"), ("Hello! [It is nice to talk to you.|I am glad that you are here.]",)),
    (("How old are you?", "When were you born?", "Where do you live?", "Where are you[ from|]?", "What is your age?"), ("I am a program. I live inside Weft, and I was trained not long ago.",)),
    (("Give me [some |a piece of |]advice[.|]", "[What should I do|I need advice][?|.]", "Any tips for today?"), ("Drink some water, take a short walk and be kind to somebody.", "Do the small things first, and take a break when you are tired.", "Sleep well, eat well and call a friend.")),
    (("[What should I|What can I] [eat|cook|have for dinner|have for lunch|make for dinner][?| today?| tonight?]", "I am hungry[.|]"), ("How about [tomato soup with bread|rice with vegetables|pancakes|pasta with cheese|a big salad|an omelet]?",)),
    (("[Sorry|I am sorry|My mistake|Oops][.|!|]",), ("That is all right. [What can I do for you?|Do not worry.]",)),
    (("[Please|please][.|]", "[What|Why|How|When|Where|Who][?|]", "[I have a question|Can I ask you something|May I ask a question|I want to ask something|A question][.|?|]"), ("Please ask. I know simple facts, small sums and stories.",)),
)  # fmt: skip

POEMS = {
    "sea": "The sea is wide, the sea is blue,\nIt sings a quiet song for you.\nThe waves roll in, the waves roll out,\nAnd little boats sail all about.",
    "moon": "The moon looks down with silver light\nAnd walks with me all through the night.\nWhen morning comes and birds awake,\nShe goes to sleep behind the lake.",
    "cat": "My little cat sleeps in the sun,\nShe dreams of mice and how they run.\nShe opens up one golden eye\nAnd lets the happy mice go by.",
    "rain": "The rain is tapping on the pane,\nIt stops, and then it starts again.\nI sit inside with tea and bread\nAnd hear it dancing overhead.",
    "spring": "The snow is gone, the fields are green,\nThe brightest flowers can be seen.\nThe birds come home, the days grow long,\nAnd every tree has got a song.",
    "winter": "The world is white, the air is cold,\nThe evening sky is made of gold.\nWe light a fire, we close the door,\nAnd tell the tales we told before.",
    "friend": "A friend is like a lamp at night,\nA friendly word, a little light.\nAnd if the road is long and steep,\nA friend will watch you while you sleep.",
    "love": "I have no gold, I have no crown,\nI have a small house in the town.\nBut what I have I give to you:\nMy open door, my heart so true.",
    "tree": "An old tree stands beside the way,\nIt greets the children every day.\nIt gives them shade, it gives them pears,\nAnd never asks them who is theirs.",
    "star": "A little star is far away,\nIt cannot shine for us by day.\nBut when the sun has gone to bed,\nIt lights the path above my head.",
    "dog": "My dog is old, my dog is gray,\nHe waits for me the livelong day.\nAnd when I open up the door,\nHe dances on the kitchen floor.",
    "flower": "A flower grew beside the wall,\nIt was not big, it was not tall.\nBut everyone who passed it by\nLooked up and smiled, as so did I.",
}  # fmt: skip
_ASK_POEM = ("[Write|Tell me|Make|Give me|Recite|Say] a [short |little |nice |][poem|haiku|verse|limerick|rhyme][.|!|]", "[poem|a poem|poem please|a poem, please]", "[Can|Could] you write [me |]a [short |]poem?", "[Write|Make up] [me |]a poem for me[.|]", "Do you know a poem?", "I want a poem[.|]", "[Write|Make] [me |]a rhyme[.|]")
_ASK_POEM_ON = ("[Write|Tell me|Make|Give me] a [short |little |nice |][poem|haiku|verse|song|limerick] about {t}[.|!|]", "[Can|Could] you write [me |]a [short |]poem about {t}?", "poem about {t}", "A poem about {t}, please[.|]", "I would like a poem about {t}[.|]")
_POEM_TOPICS = {"sea": "[the sea|the ocean|water|waves]", "moon": "[the moon|the night]", "cat": "[a cat|cats|my cat]", "rain": "[rain|the rain|autumn|weather]", "spring": "[spring|nature|summer|birds]", "winter": "[winter|snow|Christmas]", "friend": "[friends|a friend|friendship]", "love": "[love|my wife|my husband|the heart]",
                "tree": "[a tree|trees|the forest]", "star": "[stars|a star|the sky|the sun]", "dog": "[a dog|dogs|my dog|animals]", "flower": "[a flower|flowers|a rose|the garden]"}  # fmt: skip


def poem(rng):
    """One of a few small poems; for a topic that has none, an honest word before the likeliest one."""
    roll = rng.random()
    if roll < 0.35:
        return one_of(_ASK_POEM, rng), POEMS[lean(tuple(POEMS), rng)]
    if roll < 0.7:
        topic = pick(tuple(POEMS), rng)
        return one_of(_ASK_POEM_ON, rng, {"t": expand(_POEM_TOPICS[topic], rng)}), POEMS[topic]
    thing = pick([noun for noun in NOUNS if noun not in POEMS and noun not in ("kitten", "puppy")], rng)
    topic = pick((_word(rng), pick(UNKNOWN_TOPICS, rng), pick(LIKES, rng), pick(JOBS, rng) + "s", article(thing), facts.plural(thing), facts.plural(thing)), rng)
    return one_of(_ASK_POEM_ON, rng, {"t": topic}), "I know only a few small poems. Here is one:\n" + POEMS[lean(tuple(POEMS), rng)]


UNKNOWN_ASK = (
    "Who is {W}?", "Who was {W}?", "What is {w}?", "What is a {w}?", "Explain {w}.", "When was {W} born?",
    "What does {w} mean?", "How does a {w} work?", "Tell me about {W}.", "How do I install {w}?", "What do you think about {w}?", "Who won the {w} cup?", "How old is {W}?",
    "What is the plot of {W}?", "How much does a {w} cost?", "What is the best {w}?", "How tall is {W}?", "Do you know {W}?", "Have you heard of {W}?",
)  # fmt: skip
UNKNOWN_TOPICS = """quantum physics|the stock market|string theory|general relativity|philosophy|blockchain|machine learning in medicine|tax law|the Roman Empire|the
economy|opera|organic chemistry|football results|politics|the latest news|genetics|architecture|psychology|ancient history|calculus|statistics|law|marketing|fashion|bitcoin|cars""".replace("\n", " ").split("|")
UNKNOWN_OPEN = (
    "[Explain|Tell me about|What do you know about|Teach me about|Write an essay about|Summarize|Give me a lecture on] {t}[.|]", "Why is {t} important?", "How does {t} work?", "What is the history of {t}?",
)  # fmt: skip
UNKNOWN_REAL = (
    "How do I [fix|repair|sell|buy|cook|build|find] [a|my] [car|bicycle|phone|computer|house|roof|job|soup|website]?", "What is the best [phone|laptop|car|movie|restaurant|book|song] of [all time|this year]?",
    "How much does [a house|a car|a ticket|gold|a phone] cost?", "What [happened|will happen] [yesterday|tomorrow|in 1850|in 1950|next year]?", "Who won the [game|election|race|world cup] [yesterday|last year|in 2018]?",
    "Should I [buy stocks|take this medicine|quit my job|learn the piano]?", "[Who is|Where is|How old is] [the actor|the singer|my neighbor|my boss|the mayor|my mother]?", "Summarize this [article|book|text|email] for me[.|]",
)  # fmt: skip
# what the tables do not say of subjects that they know; wrapped like any other question
UNKNOWN_OF = {
    "country": ("the [president|king|queen|prime minister|leader|chancellor|head] of {s}", "the [population|area|size|flag|history|anthem|national dish|president|climate|weather|religion|economy|national animal] of {s}", "{own} [population|president|flag|history|area|economy|king|weather]", "the [largest lake|longest river|highest mountain|best restaurant|oldest city|second city] of {s}", "the number of people in {s}", "the time in {s}", "the phone code of {s}"),
    "animal": ("the [weight|speed|size|age|lifespan|price|eye color|top speed|Latin name|enemy] of {one}", "{own} [weight|speed|size|lifespan|price|enemy]"),
    "work": ("the [price|length|plot|publisher|year|main character|language|last sentence] of {s}", "the number of pages of {s}"),
    "element": ("the [price|atomic weight|atomic number|melting point|density|boiling point|weight] of {s}",),
    "sight": ("the [height|age|price|architect|opening hours|weight|entrance fee] of {s}",),
    "invention": ("the [price|year|history|weight] of {s}",),
}  # fmt: skip
UNKNOWN_DIRECT = {
    "country": ("how [big|large|old|far away|rich|hot] is {s}", "how many people live in {s}", "who [rules|governs|leads] {s}", "what can I [see|do|eat|buy] in {s}", "who won the war in {s}", "when was {s} founded", "how do I get to {s}", "what is {s} famous for", "how many [cities|lakes|rivers|schools] does {s} have"),
    "animal": ("how [big|heavy|fast|old|tall|smart] is {one}", "how [fast|far|high] can {one} [run|jump|swim]", "how long does {one} live", "how much does {one} [weigh|cost]", "how many [teeth|eyes|babies|bones] does {one} have", "why does {one} sleep"),
    "work": ("when was {s} [written|made|finished]", "how long is {s}", "how does {s} end", "how much does {s} cost"),
    "element": ("how [heavy|hard|expensive|rare] is {s}", "where do I buy {s}"),
    "sight": ("how [tall|old|high|long|big] is {s}", "when was {s} built", "who built {s}"),
    "invention": ("when was {s} [invented|found|discovered]", "how does {s} work"),
}  # fmt: skip
UNKNOWN_REPLY = (
    "I do not know that. I am a very small model and know only simple things.",
    "I do not know that. I am a very small model and know only simple things.",
    "I do not know that. I am a very small model and know only simple things.",
    "I am sorry, I do not know. I am only a tiny model; a bigger one may know it.",
)
NONSENSE = ("{w}", "{w} {v}", "{w}?", "{w} {v} {W}", "{w} {w} {w}")
NONSENSE_REPLY = ("I do not understand that. [Could you say it in another way?|Try a simple question, a sum or a story.]",)

_SYLLABLES = "ba bo bri da del do fa fen ga gor ha ing ka kel la lor mi mon na nor ol pa pex qui ra rin sa sil ta ton u va vor wa xi yan za zor th en st ar".split()


def _word(rng):
    return "".join(pick(_SYLLABLES, rng) for _ in range(rng.randint(2, 4)))


def small_talk(rng):
    if rng.random() < 0.08:
        return poem(rng)
    ask, answer = pick(TALK, rng)
    asked = one_of(ask, rng)
    roll = rng.random()
    if roll < 0.15:
        asked = one_of(_GREETING, rng) + asked
    elif roll < 0.2:
        asked = one_of(("[Hi|Hello|Hey|Good morning][,|!|.] [I am|I'm|my name is|this is] {n}. ",), rng, {"n": person(rng)[0]}) + asked
    return asked, expand(lean(answer, rng), rng, turn=0)


_GREETING = ("[Hi|Hello|Hey|hi|hey|hello][,|!|] ", "[Okay|Well|So|ok|Great][,|.|] ")
_REPEAT = ("[Repeat|Please repeat|Repeat after me|Say|Write|Copy]: {x}", "[Repeat|Say|Write|Copy] \"{x}\"[.|]", "[Repeat|Say] the words {x}[.|]", "Can you say \"{x}\"?")


def repetition(rng):
    """Words to be copied as they are."""
    said = " ".join(pick((_word(rng), person(rng)[0], pick(LIKES, rng), pick(UNKNOWN_TOPICS, rng), "hello", "world", "the", "is"), rng) for _ in range(rng.randint(1, 5)))
    return one_of(_REPEAT, rng, {"x": said}), said


_KNOWN = set(facts.ALIASES) | {name for names in facts.ALIASES.values() for name in names} | {subject for entry in RELATIONS.values() for subject in entry.rows}


def _stranger(rng):
    """A subject of a table's question that no table knows, and the words for its slots."""
    relation = pick(("capital", "capital", "continent", "language", "money", "author", "painter", "inventor", "place", "food", "sound", "home", "baby", "legs", "symbol", "capital of"), rng)
    name = _word(rng)
    if RELATIONS[relation].topic in ("country", "town", "work", "sight"):
        name = pick((name.capitalize(), (name[: rng.randint(3, 5)] + pick(("ania", "land", "stan", "ia", "istan", "onia", "ica"), rng)).capitalize(), person(rng, made_up=1)[0], pick(FICTION, rng) if RELATIONS[relation].topic == "country" else name.capitalize()), rng)
        if RELATIONS[relation].topic in ("work", "sight") and rng.random() < 0.5:
            name = "The " + name if RELATIONS[relation].topic == "work" else "the " + name + " " + pick(("Tower", "Bridge", "Castle", "Hall"), rng)
    elif relation == "inventor":
        name = "the " + name
    return relation, name


_NOUNS = """apples coats windows shoes trains letters tables bridges kitchens lamps hats boats songs pictures streets boxes ladders buttons engines prices tickets teachers neighbors doctors students
pirates players singers lawyers drivers meetings holidays colors words numbers dreams ideas secrets problems jobs schools hospitals airports cars phones computers websites games movies""".split()
_VERBS = "break paint fix sell cook clean carry learn forget choose measure open close count repair grow throw catch plan build print wash fold share save send wear buy hide".split()
_QUALITIES = "cheap old new heavy quiet broken famous useful strange modern healthy legal safe popular expensive dangerous pretty soft wet dirty public famous rich lazy shy".split()
_RAMBLES = (
    "why [do|are|did] {n} {v} {m}?", "how [do|can|should] I {v} [my|the|these|some] {q} {n}?", "what is the [best|right|usual|average|exact] [way|time|price|place|reason] to {v} {n}?", "which {n} are [more|less] {q} than {m}?", "when [did|do|will] {n} {v} {m}?",
    "who [invented|made|likes|needs|sells] the {q} {n} of {W}?", "should [I|we|you] {v} {q} {n} or {m}?", "are {n} [really |]{q}?", "is it {q} to {v} {n}?", "where can I {v} {q} {n}?", "how many {n} {v} {m} every year?", "what [do|would] you {v} with {q} {n}?", "can {n} {v} {m}?",
    "which is {q}, {n} or {m}?", "name [three|five|some] {q} {n}", "list [three|five|ten] {n}", "give me ideas for {q} {n}", "plan my {n}", "explain how {n} {v} {m}", "tell me how to {v} {n}", "what happened to the {q} {n}?", "do {n} {v}?", "how {q} are {n}?",
)  # fmt: skip


def _ramble(rng):
    """A question of common words that has nothing to do with what the model knows."""
    words = {"n": pick(_NOUNS, rng), "m": pick(_NOUNS, rng), "v": pick(_VERBS, rng), "q": pick(_QUALITIES, rng), "W": _word(rng).capitalize()}
    return asking.typed(one_of(_RAMBLES, rng, words), rng)


def _missing(rng):
    """A subject of the tables, asked for what its own row does not say."""
    relation = pick(("language", "money", "continent", "food", "sound", "home", "legs", "baby"), rng)
    entry = RELATIONS[relation]
    others = sorted({subject for name, other in RELATIONS.items() if other.topic == entry.topic for subject in other.rows} - set(entry.rows))
    asked = asking.careless(facts.template(entry, rng), rng).format_map(facts.slots(relation, pick(others, rng), "x"))
    return asking.typed(asked, rng)


FICTION = "Atlantis Narnia Mordor Wakanda Utopia Neverland Oz Gondor Bavaria Texas California Siberia Tuscany Hawaii Alaska Florida Sparta Babylon".split()


def unknown(rng):
    """A question that the model cannot answer, and an honest reply."""
    roll = rng.random()
    w, v = _word(rng), _word(rng)
    scene = {"w": w, "v": v, "W": w.capitalize(), "t": pick(UNKNOWN_TOPICS, rng)}
    if roll < 0.1:
        return one_of(NONSENSE, rng, scene), one_of(NONSENSE_REPLY, rng)
    if roll < 0.32:
        relation, name = _stranger(rng)
        if name in _KNOWN:
            return unknown(rng)
        asked = asking.careless(facts.template(RELATIONS[relation], rng), rng).format_map(facts.slots(relation, name, "x"))
        return asking.typed(asked, rng), pick(UNKNOWN_REPLY, rng)
    if roll < 0.6:
        relation = pick(("capital", "capital", "capital", "food", "home", "legs", "author", "symbol", "place", "inventor"), rng)
        topic = RELATIONS[relation].topic
        words = facts.slots(relation, pick(tuple(RELATIONS[relation].rows), rng), "x", rng)
        core, shape = (pick(UNKNOWN_OF[topic], rng), "noun") if rng.random() < 0.5 else (pick(UNKNOWN_DIRECT[topic], rng), "direct")
        return asking.typed(asking.wrapped(core, shape, rng, plain=0.4).format_map(words), rng), pick(UNKNOWN_REPLY, rng)
    if roll < 0.7:
        return one_of(UNKNOWN_REAL, rng), pick(UNKNOWN_REPLY, rng)
    if roll < 0.84:
        return _ramble(rng), pick(UNKNOWN_REPLY, rng)
    if roll < 0.88:
        return _missing(rng), pick(UNKNOWN_REPLY, rng)
    if roll < 0.93:
        return one_of(UNKNOWN_OPEN, rng, scene), pick(UNKNOWN_REPLY, rng)
    if rng.random() < 0.4:
        scene["W"] = person(rng)[0] + " " + scene["W"]
    return one_of(UNKNOWN_ASK, rng, scene), pick(UNKNOWN_REPLY, rng)


LIKES = "tea coffee chess music books soccer swimming cooking running painting bread apples movies gardening hiking".split()
JOBS = "teacher nurse baker programmer driver student cook farmer painter doctor writer musician plumber".split()
HOMES = "Berlin Paris London Rome Madrid Oslo Tokyo Lisbon Vienna Prague Dublin Athens Cairo Lima Boston Chicago Toronto Sydney".split()


def memory(rng):
    """Two turns: something about the user, later the question for it. Returned as (tell, ask) exchanges."""
    kind = rng.randrange(5)
    if kind <= 1:
        name = person(rng)[0]
        return ((one_of(("My name is {x}.", "I am {x}.", "[Hi|Hello], my name is {x}.", "[Hi|Hello], I'm {x}!", "Call me {x}."), rng, {"x": name}),
                 one_of(("Nice to meet you, {x}!", "Hello, {x}! [How can I help you?|Nice to meet you.]"), rng, {"x": name})),
                (one_of(("What is my name?", "What's my name?", "Do you remember my name?", "Who am I?"), rng), f"Your name is {name}."))  # fmt: skip
    if kind == 2:
        like = pick(LIKES, rng)
        return ((one_of(("I like {x}.", "I love {x}.", "I really like {x}."), rng, {"x": like}), f"That is nice. Many people like {like}."),
                (one_of(("What do I like?", "Do you remember what I like?"), rng), f"You like {like}."))  # fmt: skip
    if kind == 3:
        job = pick(JOBS, rng)
        return ((f"I am a {job}.", expand(f"That is [an interesting|a good] job. It must be nice to be a {job}.", rng)),
                (one_of(("What is my job?", "What do I do for work?", "What's my job?"), rng), f"You are a {job}."))  # fmt: skip
    home = pick(HOMES, rng)
    return ((one_of(("I live in {x}.", "I come from {x}.", "I am from {x}."), rng, {"x": home}), f"{home} is a nice place."),
            (one_of(("Where do I live?", "Where am I from?"), rng), f"You told me that it is {home}."))  # fmt: skip
