"""Names of people with their pronouns: two lists, held-out ones that training never shows, and made-up names of many builds."""

from corpus.grammar import capital, pick

GIRLS = """Anna Mia Lily Rosa Ella Nora Clara Ivy Ruby Alice Emma Grace Hana Lena Maya Zoe Iris Lucy Sara Olga Tina Vera
Wendy Amina Bella Carla Daisy Eva Fatima Greta Helen Ines Jana Kira Layla Mara Nina Paula Rita Sofia Tara Uma Yuki Zara
Beth Cora Dora Elsa Freya Gina Hazel Ida Joan Kate Leila Molly Nadia Opal Pearl Rosie Stella Thea Willa Yara
Abigail Ada Adele Aisha Alba Alma Amanda Amelia Amy Andrea Angela Anita Anne Annika Antonia Ariel Astrid Audrey Aurora Ava Barbara Beatrice
Becky Bertha Betty Bridget Camilla Carmen Caroline Cecilia Celine Charlotte Chloe Christina Claire Claudia Colette Cynthia Dalia Dana Daphne
Deborah Diana Donna Dorothy Eleanor Elena Elisa Elise Elizabeth Ellen Eloise Emilia Emily Erika Estelle Eve Evelyn Fiona Florence Frances
Frida Gabriela Gemma Georgia Gertrude Gloria Hailey Hanna Hannah Harriet Heather Helena Hilda Holly Ilse Ingrid Irene Isabel Isabella Isla
Jade Jane Janet Jasmine Jenna Jenny Jessica Jill Joanna Josephine Judith Judy Julia Julie June Karen Karin Katrin Kathleen Katie Kim Kristen
Lara Laura Lea Leonie Lia Lillian Linda Lisa Lola Lorena Louisa Louise Luisa Luna Lydia Mabel Madeleine Maggie Malika Margaret Maria Marie
Marina Marion Marta Martha Mary Maud Megan Melissa Mercy Meryem Michelle Mila Mina Miriam Mona Monica Nancy Naomi Natalie Nell Nellie Nicole
Noor Olivia Olive Pam Patricia Penelope Penny Phoebe Polly Rachel Rebecca Regina Roberta Robin Romy Rosalind Rose Roxana Ruth Sabina Sally
Samantha Sandra Sarah Savannah Scarlett Serena Sheila Sienna Silvia Simone Sonia Sophia Sophie Susan Susanna Svetlana Sylvia Tamara Tanya Teresa
Tess Theresa Tilly Ursula Valentina Valerie Vanessa Veronica Victoria Viola Violet Virginia Vivian Yasmin Yvette Zainab Zuri
Adriana Agnes Alexandra Alicia Alina Alison Allegra Amber Anastasia Angelica Anja Annabel Anouk April Arabella Ashley Athena Bernadette Beryl Bonnie Bronwen Candice Carina Carol Cassandra
Catherine Celeste Charity Cherry Clarissa Clementine Constance Coral Cordelia Cornelia Cressida Dahlia Deirdre Denise Dolores Doris Edith Edna Eileen Elaine Elfriede Elinor Elsie Emmeline Enid
Esmeralda Eunice Fanny Faye Fleur Francesca Genevieve Geraldine Ginger Gladys Goldie Gretchen Guinevere Gudrun Hedwig Hermione Honor Hope Hortense Imogen Irma Isolde Ivana Jacqueline Janine
Jean Jemima Jocelyn Joy Juliet Karla Katarina Kerstin Kitty Lilith Liv Loretta Lorraine Lucille Lucinda Magdalena Maisie Margot Marianne Marjorie Maryam Matilda Mathilde Maureen Meg Melanie Mildred
Millicent Minerva Miranda Myrtle Nanette Nerida Odette Octavia Ophelia Pauline Perpetua Petunia Philippa Philomena Prudence Queenie Rhiannon Rosamund Rosemary Rowena Sigrid Solveig Tabitha Tatiana Tiffany
Trudy Ulrike Una Verity Wanda Wilhelmina Winifred Yolanda Zelda Zenobia""".split()
BOYS = """Tom Ben Leo Max Sam Jack Oscar Finn Noah Adam Omar Luca Paul Erik Hugo Ivan Jonas Karl Liam Milo Nico Otto Pedro
Ravi Simon Theo Umar Victor Will Yusuf Zack Alex Bruno Carlos Dan Elias Felix George Henry Isaac Jamal Kenji Louis Marco
Nils Oliver Peter Rafael Stefan Tim Uri Vito Walter Abel Boris Cyrus David Emil Frank Gus Harry Igor Joel Kurt
Aaron Abraham Adrian Ahmed Albert Alan Albin Alfred Ali Andrew Andy Angus Anthony Antonio Archie Arnold Arthur August Axel Barney Barry Bernard
Bill Bob Brian Caleb Calvin Carl Chris Christian Clark Claude Clement Colin Conrad Cosmo Craig Curtis Damian Daniel Darius Dean Dennis Derek Diego
Dominic Donald Duncan Dylan Eddie Edmund Edward Eli Elliot Emmett Eric Ernest Ethan Eugene Evan Fabian Ferdinand Fergus Francis Fred Frederick
Gabriel Gilbert Giorgio Glenn Gordon Graham Greg Gustav Hakim Hans Harold Harvey Hassan Herbert Herman Hiro Howard Humphrey Ian Ibrahim Ismael
Jacob Jake James Jan Jason Javier Jeff Jeremy Jerry Jesse Jim Joe Johan John Jonathan Jose Joseph Joshua Juan Julian Julius Justin Karim Keith Kevin
Klaus Lance Laszlo Laurence Leon Leonard Leopold Lewis Lionel Logan Lorenzo Lucas Ludwig Luis Luke Malcolm Marcel Marcus Mario Mark Martin Marvin
Mason Mateo Matthew Maurice Maxwell Michael Miguel Mike Mohammed Morris Moses Nathan Ned Neil Nelson Nicholas Nick Nigel Niklas Olaf Orlando
Oswald Owen Pablo Pascal Patrick Percy Philip Pierre Ralph Ramon Raymond Remy Rene Richard Robert Roger Roland Roman Ronald Rory Ross Roy Rudolf
Rudy Russell Ryan Samir Samuel Scott Sean Sebastian Sergei Seth Sidney Silas Sol Spencer Stanley Steven Sven Tariq Ted Terry Thomas Timothy Tobias
Todd Tony Tristan Tyler Valentin Vernon Vincent Vlad Wallace Warren Wesley Wilbur William Winston Wolfgang Zane
Alistair Alonso Alphonse Alvin Amadeus Amos Anatole Andre Ansel Archibald Aristotle Armand Arvid Atticus Aubrey Augustus Balthazar Bartholomew Basil Benedict Benjamin Bernhard Bertram Blaise Bradley Brendan
Bruce Byron Casimir Cecil Cedric Charles Charlie Chester Christopher Clarence Clayton Clifford Clyde Cuthbert Cyril Darren Demetrius Denzel Detlef Dexter Dirk Dmitri Douglas Drew Dudley Dwight Earl Edwin Egon
Elmer Enrico Enzo Erasmus Errol Everett Ewan Florian Floyd Gareth Garth Geoffrey Gerald Gerard Gideon Giles Gottfried Grant Gregory Griffin Guido Guy Hamish Hannes Heinrich Helmut Hubert Huxley Irving Isidore
Jarvis Jerome Joachim Joaquin Jordan Josef Jules Kaspar Kenneth Kent Kyle Lachlan Lambert Leif Leroy Lester Levi Linus Lloyd Lorenz Lothar Lucian Magne Mortimer Manfred Manuel Matthias Maximilian Melvin Merlin Miles
Mitchell Mordecai Murray Napoleon Nathaniel Neville Norbert Norman Octavius Odin Omri Orson Oskar Otis Parker Perry Phineas Quentin Quincy Randolph Raoul Reginald Reuben Rex Rodney Roderick Rolf Rufus Salvador
Sanjay Saul Severin Sheldon Sherlock Siegfried Sigmund Solomon Stewart Sylvester Tadeus Theodore Tiberius Tomas Torsten Trevor Ulf Ulysses Uwe Vaughn Victorien Viktor Vince Virgil Waldo Wilfred Willem Xavier Yannick Yves Zacharias Zoltan""".split()
HELD_OUT_GIRLS = "Bianca Delia Esther Flora Gwen Heidi Junia Lotte Mira Petra Selma Tilda".split()
HELD_OUT_BOYS = "Anton Bjorn Casper Dario Edgar Fritz Gavin Hector Jasper Lars Magnus Rupert".split()
_RESERVED = set(HELD_OUT_GIRLS + HELD_OUT_BOYS)

_STARTS = "b br c ch d dr f fl g gr h j k kl l m n p pr qu r s sh sk st t tr v w y z".split() + ["", "", ""]
_VOWELS = "a e i o u ai ee ia o a e i u".split()
_MIDDLES = "b d f g k l ll m mm n nn nd p r rr rl s ss sh t tt v x z lm rt st".split()
_ENDS = "a ie ey ina elle ette i ora yna o us an er on ek in ard ix old tor".split()
_CODAS = "b ck d f g k l ld lf ll lm m mp n nd ng nn nt p r rd rk rn rs rt s sk ss st t th tz v x z".split()
_LETTERS = "aaabcdeeefghiijklmnnoopqrrsttuuvwxyz"


def _made(rng):
    """Names of four builds, one of them any letters at all: only what is copied letter by letter comes out right."""
    build = rng.random()
    if build < 0.15:
        name = "".join(pick(_LETTERS, rng) for _ in range(rng.randint(3, 8)))
    elif build < 0.5:  # the head of one name on the tail of another
        first, second = pick(GIRLS + BOYS, rng), pick(GIRLS + BOYS, rng).lower()
        name = first[: rng.randint(2, 4)] + second[max(1, len(second) - rng.randint(2, 4)) :]
    else:
        name = pick(_STARTS, rng) + pick(_VOWELS, rng)
        for _ in range(pick((0, 1, 1, 2), rng)):
            name += pick(_MIDDLES, rng) + pick(_VOWELS, rng)
        name += pick(_CODAS, rng) + (pick(_ENDS, rng) if build < 0.75 else "")
    name = capital(name)
    return name if name not in _RESERVED else _made(rng)


def pronoun(name):
    """He or she; what no list knows is judged by its ending, so that a made-up name always has the same pronoun."""
    if name in _GENDER:
        return _GENDER[name]
    return "she" if name.endswith(("a", "e", "i", "y", "ah")) else "he"


_GENDER = {name: "she" for name in GIRLS + HELD_OUT_GIRLS} | {name: "he" for name in BOYS + HELD_OUT_BOYS}


def person(rng, held_out=False, made_up=0.45):
    """A name and its pronoun; made-up names teach copying, so that a new name is no surprise."""
    roll = rng.random()
    if held_out:
        name = pick(HELD_OUT_GIRLS + HELD_OUT_BOYS, rng)
    elif roll < made_up:
        name = _made(rng)
    else:
        name = pick(GIRLS if rng.random() < 0.5 else BOYS, rng)
    return name, pronoun(name)


def known_names():
    return set(_GENDER)
