"""Makes the tokenizers, templates' results and cases of this folder: small, but shaped as those of models.

The vocabularies are learned from this project's own words; what they give is computed here by the plainest reading of each
rule, and what the templates give by Python's Jinja2 3.1.6 set up as Transformers does. Run it in this folder with
`python3 make.py ../../../../../../..` (needs `regex` and `jinja2`); the files are checked in.
"""

import datetime, json, pathlib, sys, unicodedata
from collections import Counter

import jinja2, jinja2.ext, jinja2.sandbox, regex

HERE = pathlib.Path(__file__).parent
ROOT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else HERE / "../../../../../../..")
CORPUS = "\n".join((ROOT / name).read_text() for name in ["README.md", "docs/architecture.md", "docs/families.md"])

LLAMA3 = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
QWEN2 = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"

TEXTS = [
    "", " ", "  ", "\n", "a", "Hello, world!", "hello world", " hello", "hello ", "The CPU backend runs it.",
    "it's we'll THEY'RE I'D don't", "1 12 123 1234 12345", "3.14 and 1,000,000", "tokens/s; 72% of 30.9",
    "a  b   c    d", "tabs\tand\t\tmore", "line\nline\n\nline\r\nend\n", "  \n  indented\n\tcode {\n    return x;\n  }\n",
    "Grüße aus Köln, naïve café", "Ein Satz über Straßen.", "Привет, мир", "こんにちは世界", "你好，世界！", "한국어 문장",
    "مرحبا بالعالم", "नमस्ते दुनिया", "emoji 😀👍🏽 👩‍👩‍👧 end", "math: ∑ x² ≤ ∞", "e\u0301 is not \u00e9", "zero\u200bwidth\u00a0space",
    "snake_case and camelCase and SCREAMING", "https://example.org/a?b=c&d=%20", "`code` **bold** _it_ ~~no~~",
    "<|start|>user\nHi<|end|>\n<|start|>assistant\n", "text<|end|>text", "<|end|><|end|>", "<|unknown|>", "< |end|>",
    "weights are read once and nothing is copied", "a" * 70, "ab " * 20, "!?" * 15, "\u0000\u0001\u007f", "\ud7ff\ue000\ufffd",
]


def words_to_bytes():
    """GPT-2's alphabet: a printable character for each byte."""
    plain = list(range(33, 127)) + list(range(161, 173)) + list(range(174, 256))
    table, extra = {}, 0
    for b in range(256):
        if b in plain:
            table[b] = chr(b)
        else:
            table[b] = chr(256 + extra)
            extra += 1
    return table


BYTES = words_to_bytes()


def learn(words, count, allowed=lambda pair: True):
    """Byte pair encoding as it was defined: the most frequent pair, so many times."""
    words = {tuple(word): n for word, n in words.items()}
    merges = []
    while len(merges) < count:
        pairs = Counter()
        for word, n in words.items():
            for pair in zip(word, word[1:]):
                if allowed(pair):
                    pairs[pair] += n
        if not pairs:
            break
        best = min(pairs, key=lambda p: (-pairs[p], p))
        merges.append(best)
        words = {merged(word, best): n for word, n in words.items()}
    return merges


def merged(word, pair):
    out, i = [], 0
    while i < len(word):
        if tuple(word[i:i + 2]) == pair:
            out.append(word[i] + word[i + 1])
            i += 2
        else:
            out.append(word[i])
            i += 1
    return tuple(out)


def bpe(symbols, ranks):
    """One merge at a time: the lowest rank, the leftmost of it."""
    symbols = list(symbols)
    while True:
        found = [(ranks[p], i) for i, p in enumerate(zip(symbols, symbols[1:])) if p in ranks]
        if not found:
            return symbols
        _, i = min(found)
        symbols[i:i + 2] = [symbols[i] + symbols[i + 1]]


def sections(text, specials):
    """Special tokens and the texts between them."""
    pattern = "|".join(regex.escape(s) for s in sorted(specials, key=len, reverse=True))
    return [part for part in regex.split("(" + pattern + ")", text) if part]


def added(tokens, first):
    return [{"id": first + i, "content": t, "single_word": False, "lstrip": False, "rstrip": False, "normalized": False,
             "special": True} for i, t in enumerate(tokens)]


def byte_level(name, pattern, bos, form, ignore_merges):
    words = Counter("".join(BYTES[b] for b in w.encode()) for w in regex.findall(pattern, CORPUS))
    merges = learn(words, 400)
    tokens = [BYTES[b] for b in range(256)] + ["".join(m) for m in merges]
    vocab = {}
    for token in tokens:
        vocab.setdefault(token, len(vocab))
    specials = ["<|begin|>", "<|start|>", "<|end|>"]
    ids = {s: len(vocab) + i for i, s in enumerate(specials)}
    ranks = {m: i for i, m in enumerate(merges)}
    template = [{"SpecialToken": {"id": "<|begin|>", "type_id": 0}}] if bos else []
    write(name, {
        "version": "1.0", "truncation": None, "padding": None, "added_tokens": added(specials, len(vocab)),
        "normalizer": {"type": form} if form else None,
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": [
            {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": False},
            {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}]},
        "post_processor": {"type": "TemplateProcessing", "single": template + [{"Sequence": {"id": "A", "type_id": 0}}],
                           "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}],
                           "special_tokens": {"<|begin|>": {"id": "<|begin|>", "ids": [ids["<|begin|>"]], "tokens": ["<|begin|>"]}}},
        "decoder": {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True},
        "model": {"type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": None,
                  "end_of_word_suffix": None, "fuse_unk": False, "byte_fallback": False, "ignore_merges": ignore_merges,
                  "vocab": vocab, "merges": [" ".join(m) for m in merges]}})

    def encode(text):
        out = [ids["<|begin|>"]] if bos else []
        for part in sections(text, specials):
            if part in ids:
                out.append(ids[part])
                continue
            part = unicodedata.normalize(form, part) if form else part
            for word in regex.findall(pattern, part):
                out += [vocab[t] for t in bpe("".join(BYTES[b] for b in word.encode()), ranks)]
        return out

    def decoded(text):
        return ("<|begin|>" if bos else "") + "".join(
            part if part in ids or not form else unicodedata.normalize(form, part) for part in sections(text, specials))

    return [case(name, text, encode(text), decoded(text)) for text in TEXTS]


def sentence_piece(name):
    lines = [line for line in CORPUS.split("\n") if line]
    words = Counter(w for line in lines for w in regex.findall("▁+[^▁]*", ("▁" + line).replace(" ", "▁")))
    merges = learn(words, 400, lambda pair: "▁" not in pair[0][1:] + pair[1])
    letters = sorted({c for word in words for c in word})
    tokens = ["<unk>", "<s>", "</s>"] + ["<0x%02X>" % b for b in range(256)]
    tokens += ["".join(m) for m in merges] + letters
    vocab = {}
    for token in tokens:
        vocab.setdefault(token, len(vocab))
    ranks = {m: i for i, m in enumerate(merges)}
    write(name, {
        "version": "1.0", "truncation": None, "padding": None, "added_tokens": added(["<unk>", "<s>", "</s>"], 0),
        "normalizer": {"type": "Sequence", "normalizers": [
            {"type": "Prepend", "prepend": "▁"}, {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}]},
        "pre_tokenizer": None,
        "post_processor": {"type": "TemplateProcessing",
                           "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}],
                           "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}],
                           "special_tokens": {"<s>": {"id": "<s>", "ids": [1], "tokens": ["<s>"]}}},
        "decoder": {"type": "Sequence", "decoders": [
            {"type": "Replace", "pattern": {"String": "▁"}, "content": " "}, {"type": "ByteFallback"}, {"type": "Fuse"},
            {"type": "Strip", "content": " ", "start": 1, "stop": 0}]},
        "model": {"type": "BPE", "dropout": None, "unk_token": "<unk>", "continuing_subword_prefix": None,
                  "end_of_word_suffix": None, "fuse_unk": True, "byte_fallback": True, "ignore_merges": False,
                  "vocab": vocab, "merges": [" ".join(m) for m in merges]}})

    def encode(text):
        out = [1]
        if text:
            for token in bpe(("▁" + text).replace(" ", "▁"), ranks):
                out += [vocab[token]] if token in vocab else [vocab["<0x%02X>" % b] for b in token.encode()]
        return out

    # What begins with a special token loses no space in front of the text: "<s> Hello", as Transformers has it.
    return [case(name, text, encode(text), "<s>" + (" " + text if text else "")) for text in TEXTS]


def unigram(name):
    words = Counter("▁" + w for w in CORPUS.split())
    pieces = Counter()
    for word, n in words.items():
        for i in range(len(word)):
            for j in range(i + 1, min(len(word), i + 6) + 1):
                pieces[word[i:j]] += n * (j - i)
    letters = sorted({c for word in words for c in word if c.isascii() or c == "▁"})
    chosen = letters + [p for p, _ in sorted(pieces.items(), key=lambda e: (-e[1], e[0])) if len(p) > 1][:400]
    import math
    total = sum(pieces[p] for p in chosen)
    # Scores with few digits, so that sums are the same however they are added.
    vocab = [["<unk>", 0.0], ["</s>", 0.0]] + [[p, round(math.log(pieces[p] / total) * 64) / 64] for p in chosen]
    scores = {p: (i, s) for i, (p, s) in enumerate(vocab) if i > 1}
    unknown = min(s for _, s in scores.values()) - 10
    write(name, {
        "version": "1.0", "truncation": None, "padding": None, "added_tokens": added(["<unk>", "</s>"], 0),
        "normalizer": None,
        "pre_tokenizer": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True},
        "post_processor": {"type": "TemplateProcessing",
                           "single": [{"Sequence": {"id": "A", "type_id": 0}}, {"SpecialToken": {"id": "</s>", "type_id": 0}}],
                           "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}],
                           "special_tokens": {"</s>": {"id": "</s>", "ids": [1], "tokens": ["</s>"]}}},
        "decoder": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True},
        "model": {"type": "Unigram", "unk_id": 0, "vocab": vocab, "byte_fallback": False}})

    def best(word):
        """The pieces with the greatest sum, and one answer only: cases where two are equal are left out."""
        sums = [(0.0, [], 1)] + [None] * len(word)
        for end in range(1, len(word) + 1):
            found = []
            for start in range(max(0, end - 7), end):
                piece = word[start:end]
                if piece in scores:
                    found.append((sums[start][0] + scores[piece][1], sums[start][1] + [scores[piece][0]], sums[start][2]))
            if word[end - 1] not in scores:
                found.append((sums[end - 1][0] + unknown, sums[end - 1][1] + [0], sums[end - 1][2]))
            top = max(s for s, _, _ in found)
            ways = [f for f in found if f[0] == top]
            sums[end] = (top, ways[0][1], sum(f[2] for f in ways))
        return sums[-1]

    cases = []
    for text in TEXTS:
        # A text that begins with a space has its mark already, and loses it when it is decoded.
        marked = text.replace(" ", "▁")
        if text and not marked.startswith("▁"):
            marked = "▁" + marked
        ids, ways = [], 1
        for word in regex.findall("▁[^▁]*", marked):
            _, found, count = best(word)
            ways *= count
            for i in found:
                if i or not ids or ids[-1]:
                    ids.append(i)
        # Unknown characters fuse within a word only.
        if ways == 1 and 0 not in ids and "<" not in text:
            cases.append(case(name, text, ids + [1], text.removeprefix(" ") + "</s>"))
    return cases


def case(name, text, ids, decoded):
    return {"tokenizer": name, "text": text, "ids": ids, "decoded": decoded}


def write(name, tokenizer):
    (HERE / (name + ".json")).write_text(json.dumps(tokenizer, ensure_ascii=False, separators=(",", ":")) + "\n")


def lines(name, rows):
    (HERE / name).write_text("".join(json.dumps(row, ensure_ascii=True) + "\n" for row in rows))


class Refused(Exception):
    pass


class Generation(jinja2.ext.Extension):
    """Marks what the model wrote, and writes it."""

    tags = {"generation"}

    def parse(self, parser):
        line = next(parser.stream).lineno
        body = parser.parse_statements(["name:endgeneration"], drop_needle=True)
        return jinja2.nodes.CallBlock(self.call_method("_text"), [], [], body).set_lineno(line)

    def _text(self, caller):
        return caller()


def environment():
    env = jinja2.sandbox.ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[Generation, jinja2.ext.loopcontrols])

    def refuse(message):
        raise Refused(message)

    env.filters["tojson"] = lambda x, ensure_ascii=False, indent=None, separators=None, sort_keys=False: json.dumps(
        x, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)
    env.globals["raise_exception"] = refuse
    env.globals["strftime_now"] = lambda form: datetime.datetime(2026, 1, 5, 12, 0, 0).strftime(form)
    return env


def user(text):
    return {"role": "user", "content": text}


def assistant(text, **more):
    return {"role": "assistant", "content": text, **more}


TOOLS = [{"type": "function", "function": {"name": "weather", "description": "Today's weather; say \"where\".", "parameters": {
    "type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer", "default": 1}},
    "required": ["city"]}}}]
CALLS = [{"type": "function", "function": {"name": "weather", "arguments": {"city": "Köln", "days": 2}}}]

CHATS = {
    "one question": {"messages": [user("Hi!")], "add_generation_prompt": True},
    "no prompt for the reply": {"messages": [user("Hi!"), assistant("Hello.")], "add_generation_prompt": False},
    "a system message": {"messages": [{"role": "system", "content": " Be brief.\n"}, user("Hi & <b>"), assistant("Yes?"),
                                      user("  More \"words\"  ")], "add_generation_prompt": True},
    "tools": {"messages": [user("Weather?"), assistant("", tool_calls=CALLS), {"role": "tool", "content": "{\"sun\": true}"},
                           {"role": "tool", "content": "warm"}], "tools": TOOLS, "add_generation_prompt": True},
    "thinking": {"messages": [user("2+2?"), assistant("<think>\nfour\n</think>\n\n4"), user("3+3?")],
                 "add_generation_prompt": True, "enable_thinking": False},
    "parts": {"messages": [{"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}],
              "add_generation_prompt": True},
    "two users": {"messages": [user("a"), user("b")], "add_generation_prompt": True},
    "no messages": {"messages": [], "add_generation_prompt": True},
}


def chats():
    rows = []
    for path in sorted((HERE / "templates").glob("*.jinja")):
        template = environment().from_string(path.read_text())
        for name, variables in CHATS.items():
            row = {"template": path.name, "chat": name, "variables": variables}
            given = {"tools": None, "documents": None, "bos_token": "<s>", "eos_token": "</s>", **variables}
            try:
                row["expected"] = template.render(**given)
            except Refused as e:
                row["raised"] = str(e)
            except Exception as e:
                row["fails"] = type(e).__name__
            rows.append(row)
    return rows


lines("cases.jsonl", byte_level("byte-level", LLAMA3, True, None, True) + byte_level("composed", QWEN2, False, "NFC", False)
      + sentence_piece("sentence-piece") + unigram("unigram"))
lines("chats.jsonl", chats())
