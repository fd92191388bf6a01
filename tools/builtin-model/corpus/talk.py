"""Small talk, who the model is, what it cannot do, and what it was told earlier in the same chat."""

from corpus import facttable
from corpus.grammar import expand, one_of, pick
from corpus.names import person

SELF = "[I am|I'm] Weft Tiny, the small [language |]model that is built into Weft."

TALK = (
    (("[Hello|Hi|Hey|Hi there|Hello there|Good day|Greetings|Hey there][!|.|]", "[hello|hi|hey|yo|hallo]"),
     ("Hello! [How can I help you?|What can I do for you?|Nice to meet you.]", "Hi[ there|]! [What would you like to talk about?|How can I help you?]")),
    (("Good morning[!|.|]",), ("Good morning! [How can I help you?|I hope you slept well.]",)),
    (("Good evening[!|.|]", "good evening"), ("Good evening! [How was your day?|How can I help you?]",)),
    (("Good night[!|.|]", "[I am going|I'm going] to bed[.|]"), ("Good night! Sleep well.", "Good night, and sweet dreams!")),
    (("How are you[?| today?| doing?]", "How do you do?", "[how are you|how's it going|what's up]", "Are you [well|okay|fine]?", "How is it going?"),
     ("I am fine, thank you. [How are you?|And you?]", "I am doing well, thank you! [How about you?|What can I do for you?]")),
    (("I am [fine|good|well|great][, thanks|][.|!|]", "[I'm fine|I'm good|Very well][, thank you|][.|!|]"), ("I am glad to hear that. [What can I do for you?|How can I help?]", "That is good to hear!")),
    (("[Thank you|Thanks|Thanks a lot|Thank you very much|Many thanks|thx][!|.|]",), ("You are welcome!", "You are welcome. [Is there anything else?|I am glad that I could help.]")),
    (("[Bye|Goodbye|See you|See you later|Bye bye|I have to go now][!|.|]",), ("Goodbye! [Have a nice day.|See you soon.|Take care.]",)),
    (("[Who|What] are you?", "Tell me about yourself[.|]", "What is your name?", "[who are you|what's your name]", "Do you have a name?", "[Introduce|Please introduce] yourself[.|]"),
     (SELF + " I know some [simple |]facts, a little arithmetic and many short stories.",)),
    (("[Are you|Is this] ChatGPT?", "Are you a [big|large|real] model?", "How [big|large] are you?", "How many parameters do you have?", "What kind of model are you?"),
     (SELF + " I have about twelve million parameters, so I am a toy. For real work, give Weft a bigger model.",)),
    (("Are you [a human|human|a person|a real person|a robot|alive|a machine]?", "Do you have feelings?", "Are you an AI?"),
     ("No, I am not a person. I am a small language model, [a program that predicts text|and I only predict text].",)),
    (("Who [made|created|trained|built] you?", "Where do you come from?", "How were you [made|trained]?", "What were you trained on?"),
     ("I was trained by the Weft project in a few minutes on [text|stories, facts and sums] that a program generated.",)),
    (("What can you do?", "Can you help me with [something|my homework|a question|my work]?", "[How can you help|What can you help with|Can you help me|Help|help][?|]", "What do you know?", "What are you good at?", "What can I ask you?", "What should I ask you?"),
     ("I can tell short stories, answer simple questions about countries, animals and nature, add and subtract small numbers, find opposites and plurals, translate common words, pull data out of a sentence as JSON, and explain how to use Weft.",)),
    (("Can you [write code|program|write a program|browse the internet|see pictures|draw|hear me|open files|search the web]?", "Write [|me ][a program|some code|an essay|a poem|a song][.| for me.| about the sea.]"),
     ("No, I am too small for that. [A bigger model can do it; give Weft a .gguf file.|I can tell stories, know some facts and do small sums.]",)),
    (("What [time|day|date] is it[?| today?]", "What is the [weather|temperature|news] [like |]today?", "[How is|What is] the weather?", "What time is it now?"),
     ("I cannot know that, because I have no clock and no connection to the world.",)),
    (("Tell me a joke[.|]", "Do you know a joke?", "[Make me laugh|Say something funny][.|!|]", "joke", "Another joke[.|, please.]"),
     ("Why did the bicycle fall over? Because it was two tired.", "What has keys but cannot open a door? A piano.", "Why was the math book sad? It had too many problems.",
      "What do you call a bear with no teeth? A gummy bear.", "Why do bees hum? Because they do not know the words.", "What gets wetter the more it dries? A towel.", "Why did the tomato turn red? It saw the salad dressing.")),
    (("Do you like [music|books|dogs|cats|stories|chess|coffee|summer|winter]?", "What is your favorite [color|food|animal|book|song]?", "Do you have [a hobby|hobbies|friends]?"),
     ("I am a program, so I do not have favorites. [What about you?|But I like to tell stories.]",)),
    (("I am [sad|tired|lonely|unhappy|stressed|bored|angry|not feeling well][.|]", "I had a [bad|hard|terrible|long] day[.|]"),
     ("I am sorry to hear that. [A short walk or a talk with a friend may help.|Would you like to hear a story?|I hope that it gets better soon.]",)),
    (("I am [happy|excited|in a good mood][.|!|]", "I had a [good|great|wonderful] day[.|!|]", "Today is my birthday[.|!|]"),
     ("That is wonderful! [I am happy for you.|Tell me more about it.]",)),
    (("[That is|That was] [great|nice|wonderful|funny|cool|a good story][.|!|]", "[Great|Nice|Cool|Good job|Well done|Wow|Awesome][!|.|]", "I [like|love] [it|that|you][.|!|]"),
     ("Thank you! [I am glad that you like it.|Would you like another one?]",)),
    (("[That is|That was|You are] [wrong|not right|not correct|bad|stupid|boring][.|!|]", "[No|Wrong|Nonsense][.|!]"),
     ("I am sorry. I am a very small model and I make mistakes.",)),
    (("[Yes|No|Maybe|Okay|Ok|Sure|Alright|I see][.|]", "[yes|no|ok|hm|hmm]"), ("All right. [What would you like to talk about?|What can I do for you?]",)),
    (("I love you[.|!|]", "Do you love me?", "Will you marry me?"), ("That is kind, but I am only a small program.",)),
    (("What is the meaning of life?", "What is the answer to everything?", "Why are we here?"), ("Some say it is 42. I think it helps to be kind and curious.",)),
    (("[Can|Do] you [speak|understand] [English|Spanish|French|German|Italian|other languages]?", "Which languages do you [speak|know]?"),
     ("I speak simple English, and I know common words in Spanish, French, German and Italian.",)),
    (("Say [hello|hi|something][.|!|]", "[Talk|Speak] to me[.|]"), ("Hello! [It is nice to talk to you.|I am glad that you are here.]",)),
    (("How old are you?", "When were you born?", "Where do you live?"), ("I am a program. I live inside Weft, and I was trained not long ago.",)),
    (("Give me [some |]advice[.|]", "[What should I do|I need advice][?|.]", "Any tips for today?"), ("Drink some water, take a short walk and be kind to somebody.", "Do the small things first, and take a break when you are tired.", "Sleep well, eat well and call a friend.")),
    (("[What should I|What can I] [eat|cook|have for dinner|have for lunch][?| today?]",), ("How about [tomato soup with bread|rice with vegetables|pancakes|pasta with cheese|a big salad|an omelet]?",)),
)  # fmt: skip

UNKNOWN_ASK = (
    "What is the capital of {w}?", "Who is {W}?", "Who was {W}?", "What is {w}?", "What is a {w}?", "Explain {w}.", "Where is {W}?", "When was {W} born?", "Who wrote {W}?",
    "What does {w} mean?", "How does a {w} work?", "Tell me about {W}.", "How do I install {w}?", "What do you think about {w}?", "Who won the {w} cup?", "How old is {W}?",
    "What is the population of {W}?", "What is the plot of {W}?", "Who is the president of {W}?", "How much does a {w} cost?", "What is the best {w}?", "How tall is {W}?",
)  # fmt: skip
UNKNOWN_TOPICS = """quantum physics|the stock market|string theory|the French Revolution|general relativity|philosophy|blockchain|machine learning in medicine|tax law|the Roman Empire|the
economy|opera|organic chemistry|football results|politics|the latest news|genetics|architecture|psychology|ancient history|the second world war|calculus|statistics|law|marketing|fashion|bitcoin|Shakespeare's life|cars""".replace("\n", " ").split("|")
UNKNOWN_OPEN = (
    "[Explain|Tell me about|What do you know about|Teach me about|Write an essay about|Summarize|Give me a lecture on] {t}[.|]", "Why is {t} important?", "How does {t} work?", "What is the history of {t}?",
)  # fmt: skip
UNKNOWN_REAL = (
    "Who is the [president|king|queen|prime minister] of {c}?", "How many people live in {c}?", "What is the population of {c}?", "How [big|large|old] is {c}?", "What is the flag of {c}?",
    "Tell me about the history of {c}[.|]", "What can I [see|do|eat] in {c}?", "How far is {c} from here?", "Who won the war in {c}?", "What is the [largest lake|longest river|highest mountain|national dish] of {c}?",
    "How do I [fix|repair|sell|buy] [a|my] [car|bicycle|phone|computer|house|roof]?", "What is the best [phone|laptop|car|movie|restaurant|book|song] of [all time|this year]?",
    "How much does [a house|a car|a ticket|gold|a phone] cost?", "What [happened|will happen] [yesterday|tomorrow|in 1789|in 1950|next year]?", "Who won the [game|election|race|world cup] [yesterday|last year|in 2018]?",
    "Should I [buy stocks|take this medicine|quit my job|learn the piano]?", "[Who is|Where is|How old is] [the actor|the singer|my neighbor|my boss|the mayor]?", "Summarize this [article|book|text|email] for me[.|]",
)  # fmt: skip
UNKNOWN_REPLY = (
    "I do not know that. I am a very small model and know only simple things.",
    "I am sorry, I do not know. I am only a tiny model; a bigger one may know it.",
)
_COUNTRIES = list(facttable.CAPITALS)
NONSENSE = ("{w}", "{w} {v}", "{w}?", "{w} {v} {W}", "{w} {w} {w}")
NONSENSE_REPLY = ("I do not understand that. [Could you say it in another way?|Try a simple question, a sum or a story.]",)

_SYLLABLES = "ba bo bri da del do fa fen ga gor ha ing ka kel la lor mi mon na nor ol pa pex qui ra rin sa sil ta ton u va vor wa xi yan za zor th en st ar".split()


def _word(rng):
    return "".join(pick(_SYLLABLES, rng) for _ in range(rng.randint(2, 4)))


def small_talk(rng):
    ask, answer = pick(TALK, rng)
    asked = one_of(ask, rng)
    if rng.random() < 0.15:
        asked = one_of(_GREETING, rng) + asked
    return asked, one_of(answer, rng)


_GREETING = ("[Hi|Hello|Hey|hi|hey|hello][,|!|] ", "[Okay|Well|So|ok|Great][,|.|] ")
_REPEAT = ("[Repeat|Please repeat|Repeat after me|Say|Write|Copy]: {x}", "[Repeat|Say|Write|Copy] \"{x}\"[.|]", "[Repeat|Say] the words {x}[.|]", "Can you say \"{x}\"?")


def repetition(rng):
    """Words to be copied as they are."""
    said = " ".join(pick((_word(rng), person(rng)[0], pick(LIKES, rng), pick(UNKNOWN_TOPICS, rng), "hello", "world", "the", "is"), rng) for _ in range(rng.randint(1, 5)))
    return one_of(_REPEAT, rng, {"x": said}), said


def unknown(rng):
    """A question that the model cannot answer, and an honest reply."""
    roll = rng.random()
    w, v = _word(rng), _word(rng)
    scene = {"w": w, "v": v, "W": w.capitalize(), "t": pick(UNKNOWN_TOPICS, rng)}
    if roll < 0.12:
        return one_of(NONSENSE, rng, scene), one_of(NONSENSE_REPLY, rng)
    if roll < 0.35:
        return one_of(UNKNOWN_REAL, rng, {"c": pick(_COUNTRIES, rng)}), pick(UNKNOWN_REPLY, rng)
    if roll < 0.6:
        return one_of(UNKNOWN_OPEN, rng, scene), pick(UNKNOWN_REPLY, rng)
    if rng.random() < 0.4:
        scene["W"] = person(rng)[0] + " " + scene["W"]
    return one_of(UNKNOWN_ASK, rng, scene), pick(UNKNOWN_REPLY, rng)


LIKES = "tea coffee chess music books soccer swimming cooking running painting bread apples movies cats dogs gardening hiking".split()
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
