"""Trains the byte-level BPE on generated text and writes tokenizer/tokenizer.json: `train_tokenizer.py`.

The pre-tokenizer is Qwen2's (`tokenizer.ggml.pre = qwen2`), which splits numbers into single digits.
"""

import json
import random
from pathlib import Path

from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

from corpus import conversations

VOCABULARY = 4096
SPECIAL = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
SPLIT = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
TEMPLATE = """{%- for message in messages %}
    {{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|im_start|>assistant\\n' }}
{%- endif %}"""
FOLDER = Path(__file__).parent / "tokenizer"


def texts(seed, documents):
    rng = random.Random(seed)
    for _ in range(documents):
        text = conversations.document(rng, 4000)
        for special in SPECIAL:
            text = text.replace(special, "\n")
        yield text


def main():
    tokenizer = Tokenizer(models.BPE())
    tokenizer.normalizer = normalizers.NFC()
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Split(Regex(SPLIT), "isolated"), pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)]
    )
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=VOCABULARY - len(SPECIAL), initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False
    )
    tokenizer.train_from_iterator(texts(2026, 16000), trainer)
    tokenizer.add_special_tokens(list(SPECIAL))
    assert tokenizer.get_vocab_size() == VOCABULARY
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / "tokenizer.json").write_text(tokenizer.to_str(pretty=False), encoding="utf-8")
    config = {
        "tokenizer_class": "PreTrainedTokenizerFast", "eos_token": "<|im_end|>", "pad_token": "<|endoftext|>", "bos_token": None, "add_bos_token": False,
        "clean_up_tokenization_spaces": False, "model_max_length": 2048, "chat_template": TEMPLATE,
    }  # fmt: skip
    (FOLDER / "tokenizer_config.json").write_text(json.dumps(config, indent=1) + "\n")
    (FOLDER / "chat_template.jinja").write_text(TEMPLATE)


if __name__ == "__main__":
    main()
