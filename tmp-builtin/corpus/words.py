"""Opposites, plurals, past tenses, translations, spelling and rhymes of common words."""

from corpus.grammar import one_of, pick
from corpus.names import person


def _pairs(text):
    return [tuple(pair.split(":")) for pair in text.split()]


OPPOSITES = _pairs("""hot:cold big:small tall:short fast:slow old:young new:old happy:sad light:dark day:night up:down left:right in:out
open:closed full:empty rich:poor strong:weak hard:soft wet:dry clean:dirty early:late first:last high:low long:short loud:quiet near:far
good:bad true:false right:wrong love:hate start:end begin:finish buy:sell give:take push:pull win:lose come:go laugh:cry wide:narrow
thick:thin heavy:light sharp:blunt sweet:sour bright:dim deep:shallow easy:difficult cheap:expensive brave:afraid friend:enemy
inside:outside above:below before:after always:never everything:nothing peace:war question:answer north:south east:west summer:winter
black:white awake:asleep alive:dead male:female mother:father brother:sister king:queen boy:girl man:woman teacher:student
smooth:rough calm:angry polite:rude kind:cruel safe:dangerous simple:complex modern:ancient public:private guilty:innocent
possible:impossible visible:invisible accept:refuse arrive:leave build:destroy remember:forget increase:decrease lend:borrow
success:failure victory:defeat entrance:exit top:bottom front:back same:different many:few more:less tight:loose raw:cooked""")
_FIRSTS = {first for first, _ in OPPOSITES}
_SECONDS = [second for _, second in OPPOSITES]
OPPOSITES += [(second, first) for first, second in OPPOSITES if second not in _FIRSTS and _SECONDS.count(second) == 1]
PLURALS = _pairs("""child:children man:men woman:women mouse:mice foot:feet tooth:teeth goose:geese person:people ox:oxen leaf:leaves
wolf:wolves knife:knives life:lives wife:wives half:halves loaf:loaves shelf:shelves thief:thieves city:cities baby:babies story:stories
berry:berries lady:ladies country:countries family:families party:parties box:boxes fox:foxes bus:buses dish:dishes church:churches
watch:watches glass:glasses class:classes potato:potatoes tomato:tomatoes hero:heroes echo:echoes sheep:sheep fish:fish deer:deer
cat:cats dog:dogs book:books house:houses tree:trees car:cars key:keys day:days toy:toys boy:boys girl:girls apple:apples bird:birds
horse:horses table:tables chair:chairs window:windows door:doors flower:flowers cloud:clouds river:rivers friend:friends photo:photos
piano:pianos star:stars hand:hands egg:eggs boat:boats nose:noses bridge:bridges cactus:cacti brush:brushes peach:peaches lunch:lunches
fly:flies sky:skies penny:pennies monkey:monkeys donkey:donkeys roof:roofs chief:chiefs calf:calves scarf:scarves elf:elves""")
PASTS = _pairs("""go:went see:saw eat:ate run:ran come:came take:took give:gave make:made find:found think:thought bring:brought buy:bought
catch:caught teach:taught write:wrote read:read speak:spoke break:broke choose:chose drive:drove fall:fell fly:flew forget:forgot
get:got grow:grew have:had hear:heard hold:held keep:kept know:knew leave:left lose:lost meet:met pay:paid ride:rode rise:rose say:said
sell:sold send:sent sing:sang sit:sat sleep:slept stand:stood swim:swam tell:told throw:threw understand:understood wake:woke wear:wore
win:won begin:began drink:drank draw:drew feel:felt build:built lend:lent play:played walk:walked talk:talked help:helped cook:cooked
look:looked open:opened jump:jumped laugh:laughed carry:carried try:tried stop:stopped plan:planned live:lived dance:danced love:loved""")
LANGUAGES = ("Spanish", "French", "German", "Italian")
TRANSLATIONS = [tuple(row.split(":")) for row in """
hello:hola:bonjour:hallo:ciao|goodbye:adiós:au revoir:auf Wiedersehen:arrivederci|thank you:gracias:merci:danke:grazie|please:por favor:s'il vous plaît:bitte:per favore
yes:sí:oui:ja:sì|no:no:non:nein:no|good morning:buenos días:bonjour:guten Morgen:buongiorno|good night:buenas noches:bonne nuit:gute Nacht:buonanotte
water:agua:eau:Wasser:acqua|bread:pan:pain:Brot:pane|milk:leche:lait:Milch:latte|apple:manzana:pomme:Apfel:mela|cheese:queso:fromage:Käse:formaggio
house:casa:maison:Haus:casa|dog:perro:chien:Hund:cane|cat:gato:chat:Katze:gatto|bird:pájaro:oiseau:Vogel:uccello|fish:pez:poisson:Fisch:pesce|horse:caballo:cheval:Pferd:cavallo
book:libro:livre:Buch:libro|tree:árbol:arbre:Baum:albero|flower:flor:fleur:Blume:fiore|sun:sol:soleil:Sonne:sole|moon:luna:lune:Mond:luna|star:estrella:étoile:Stern:stella
day:día:jour:Tag:giorno|night:noche:nuit:Nacht:notte|morning:mañana:matin:Morgen:mattina|week:semana:semaine:Woche:settimana|year:año:année:Jahr:anno|month:mes:mois:Monat:mese
friend:amigo:ami:Freund:amico|mother:madre:mère:Mutter:madre|father:padre:père:Vater:padre|brother:hermano:frère:Bruder:fratello|sister:hermana:sœur:Schwester:sorella|child:niño:enfant:Kind:bambino
man:hombre:homme:Mann:uomo|woman:mujer:femme:Frau:donna|love:amor:amour:Liebe:amore|heart:corazón:cœur:Herz:cuore|hand:mano:main:Hand:mano|eye:ojo:œil:Auge:occhio|head:cabeza:tête:Kopf:testa
red:rojo:rouge:rot:rosso|blue:azul:bleu:blau:blu|green:verde:vert:grün:verde|yellow:amarillo:jaune:gelb:giallo|white:blanco:blanc:weiß:bianco|black:negro:noir:schwarz:nero
big:grande:grand:groß:grande|small:pequeño:petit:klein:piccolo|good:bueno:bon:gut:buono|bad:malo:mauvais:schlecht:cattivo|new:nuevo:nouveau:neu:nuovo|old:viejo:vieux:alt:vecchio
one:uno:un:eins:uno|two:dos:deux:zwei:due|three:tres:trois:drei:tre|four:cuatro:quatre:vier:quattro|five:cinco:cinq:fünf:cinque|six:seis:six:sechs:sei|seven:siete:sept:sieben:sette|eight:ocho:huit:acht:otto|nine:nueve:neuf:neun:nove|ten:diez:dix:zehn:dieci
Monday:lunes:lundi:Montag:lunedì|Sunday:domingo:dimanche:Sonntag:domenica|school:escuela:école:Schule:scuola|city:ciudad:ville:Stadt:città|street:calle:rue:Straße:strada|car:coche:voiture:Auto:macchina|train:tren:train:Zug:treno
door:puerta:porte:Tür:porta|window:ventana:fenêtre:Fenster:finestra|table:mesa:table:Tisch:tavolo|chair:silla:chaise:Stuhl:sedia|bed:cama:lit:Bett:letto|time:tiempo:temps:Zeit:tempo|world:mundo:monde:Welt:mondo|music:música:musique:Musik:musica|rain:lluvia:pluie:Regen:pioggia|snow:nieve:neige:Schnee:neve|fire:fuego:feu:Feuer:fuoco|sea:mar:mer:Meer:mare|river:río:rivière:Fluss:fiume
""".strip().replace("\n", "|").split("|")]
RHYMES = _pairs("""cat:hat dog:frog tree:bee house:mouse sun:run star:car moon:spoon rain:train light:night day:play book:cook fish:dish king:ring
ball:wall cake:lake boat:goat bear:chair snow:blow sky:fly red:bed blue:shoe sea:tea gold:cold hand:sand nose:rose time:lime tall:small
song:long stone:bone door:floor bell:well love:glove bread:head best:nest clock:sock pig:big hill:bill""")


def opposite(rng):
    first, second = pick(OPPOSITES, rng)
    asked = one_of(("What is the opposite of {w}?", "What's the opposite of {w}?", "opposite of {w}", "Give me the opposite of {w}.", "Which word is the opposite of {w}?",
                    "Name the opposite of \"{w}\".", "What is the opposite of \"{w}\"?", "[Tell me|I need] the opposite of {w}."), rng, {"w": first})  # fmt: skip
    return asked, f"The opposite of {first} is {second}."


def plural(rng):
    one, many = pick(PLURALS, rng)
    if rng.random() < 0.8:
        asked = one_of(("What is the plural of {w}?", "What's the plural of {w}?", "plural of {w}", "Give me the plural of {w}.", "What is the plural of \"{w}\"?",
                        "One {w}, two what?", "How do you write more than one {w}?", "[Tell me|I need] the plural of {w}."), rng, {"w": one})  # fmt: skip
        return asked, f"The plural of {one} is {many}."
    asked = one_of(("What is the singular of {w}?", "What's the singular of \"{w}\"?", "singular of {w}"), rng, {"w": many})
    return asked, f"The singular of {many} is {one}."


def past(rng):
    now, then = pick(PASTS, rng)
    asked = one_of(("What is the past tense of {w}?", "What's the past tense of {w}?", "past tense of {w}", "Give me the past tense of \"{w}\".", "What is the past of {w}?",
                    "How do you say \"{w}\" in the past?"), rng, {"w": now})  # fmt: skip
    return asked, f"The past tense of {now} is {then}."


def translation(rng):
    row = pick(TRANSLATIONS, rng)
    number = 1 + int(rng.random() * 4)
    language, word, foreign = LANGUAGES[number - 1], row[0], row[number]
    if rng.random() < 0.75:
        asked = one_of(("How do you say \"{w}\" in {l}?", "How do you say {w} in {l}?", "What is {w} in {l}?", "Translate \"{w}\" to {l}.", "Translate {w} into {l}.", "What is the {l} word for {w}?",
                        "{w} in {l}", "What's the {l} word for \"{w}\"?", "Say {w} in {l}."), rng, {"w": word, "l": language})  # fmt: skip
        return asked, f"\"{word}\" in {language} is \"{foreign}\"."
    asked = one_of(("What does \"{f}\" mean in English?", "What does the {l} word \"{f}\" mean?", "Translate \"{f}\" from {l} to English.", "What is {f} in English? It is {l}."), rng, {"f": foreign, "l": language})
    meanings = [other[0] for other in TRANSLATIONS if foreign in (other[1:] if "mean in English" in asked else (other[number],))]
    return asked, f"\"{foreign}\" means \"{meanings[0]}\"."


def rhyme(rng):
    first, second = pick(RHYMES, rng)
    if rng.random() < 0.5:
        first, second = second, first
    asked = one_of(("What rhymes with {w}?", "Give me a rhyme for {w}.", "Which word rhymes with {w}?", "Find a word that rhymes with \"{w}\"."), rng, {"w": first})
    return asked, f"\"{first}\" rhymes with \"{second}\"."


_SPELLED = sorted({word for pairs in (OPPOSITES, PLURALS, PASTS, RHYMES) for pair in pairs for word in pair})


def spelling(rng):
    word = pick(_SPELLED, rng) if rng.random() < 0.5 else person(rng)[0].lower()
    kind = rng.randrange(4)
    if kind == 0:
        return one_of(("Spell {w}.", "How do you spell {w}?", "Spell the word \"{w}\"."), rng, {"w": word}), "-".join(word.upper())
    if kind == 1:
        return one_of(("How many letters are in the word {w}?", "How many letters does \"{w}\" have?"), rng, {"w": word}), f"The word \"{word}\" has {len(word)} letters."
    if kind == 2:
        return one_of(("What is the first letter of {w}?", "Which letter does \"{w}\" start with?"), rng, {"w": word}), f"The first letter of \"{word}\" is {word[0].upper()}."
    return one_of(("Write {w} in capital letters.", "Put \"{w}\" in upper case."), rng, {"w": word}), word.upper()


def exchange(rng):
    return pick((opposite, opposite, plural, plural, past, translation, translation, translation, rhyme, spelling), rng)(rng)
