"""Writes a trained state as a Transformers folder and as GGUF: `export.py WEIGHTS_FOLDER --gguf FILE [--hf FOLDER]`.

`export.py --check HF_FOLDER GGUF_FILE` converts a checkpoint in memory and compares it with a file of llama.cpp's converter.
"""

import argparse
import json
import shutil
import sys
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file, save_file

import gguf_file
from gguf_names import gguf_name, gguf_value, shape_metadata
from model import Shape
from quantize import FORMATS, rounded
from train_tokenizer import FOLDER as TOKENIZER
from train_tokenizer import TEMPLATE

MATRICES = "Q8_0"


def read_state(folder):
    state = {}
    for file in sorted(Path(folder).glob("*.safetensors")):
        if not file.name.startswith("golden"):
            state |= load_file(file)
    return state


def encoding(name, array):
    """How a GGUF tensor is stored: matrices in blocks; norms, gates, convolutions and rates in float32 as llama.cpp does."""
    small = array.ndim < 2 or "ssm_conv1d" in name or "ssm_alpha" in name or "ssm_beta" in name
    return "F32" if small or array.shape[-1] % FORMATS[MATRICES].block else MATRICES


def gguf_tensors(state, shape, stored=encoding):
    tensors = []
    for name, value in state.items():
        target = gguf_name(name, shape.num_hidden_layers)
        array = gguf_value(name, value, shape)
        tensors.append((target, array, stored(target, array)))
    return tensors


def rounded_state(state, shape):
    """The Transformers state whose weights are exactly what the quantized file holds.

    Blocks run along a row and conversion only moves whole rows or whole heads, so rounding commutes with it as long as a
    head is whole blocks wide; A_log and the norms are stored in float32 and pass unchanged up to one float32 rounding.
    """
    out = {}
    for name, value in state.items():
        kind = encoding(gguf_name(name, shape.num_hidden_layers), gguf_value(name, value, shape))
        out[name] = value if kind == "F32" else rounded(value, kind)
    return out


def tokenizer_metadata():
    data = json.loads((TOKENIZER / "tokenizer.json").read_text(encoding="utf-8"))
    vocabulary = dict(data["model"]["vocab"])
    special = {token["content"]: token["id"] for token in data["added_tokens"]}
    tokens = [token for token, _ in sorted((vocabulary | special).items(), key=lambda pair: pair[1])]
    merges = [" ".join(merge) if isinstance(merge, list) else merge for merge in data["model"]["merges"]]
    return {
        "tokenizer.ggml.model": gguf_file.string("gpt2"),
        "tokenizer.ggml.pre": gguf_file.string("qwen2"),
        "tokenizer.ggml.tokens": gguf_file.strings(tokens),
        "tokenizer.ggml.token_type": gguf_file.i32s([3 if token in special else 1 for token in tokens]),
        "tokenizer.ggml.merges": gguf_file.strings(merges),
        "tokenizer.ggml.eos_token_id": gguf_file.u32(special["<|im_end|>"]),
        "tokenizer.ggml.padding_token_id": gguf_file.u32(special["<|endoftext|>"]),
        "tokenizer.ggml.bos_token_id": gguf_file.u32(special["<|endoftext|>"]),
        "tokenizer.ggml.add_bos_token": gguf_file.boolean(False),
        "tokenizer.chat_template": gguf_file.string(TEMPLATE),
    }


def write_gguf(path, state, shape):
    count = sum(value.size for value in state.values())
    metadata = {
        "general.architecture": gguf_file.string("qwen35"),
        "general.type": gguf_file.string("model"),
        "general.name": gguf_file.string("Weft Tiny"),
        "general.description": gguf_file.string("A toy model trained from scratch on generated text; it ships inside Weft."),
        "general.license": gguf_file.string("apache-2.0"),
        "general.size_label": gguf_file.string(f"{count / 1e6:.0f}M"),
        "general.file_type": gguf_file.u32(FORMATS[MATRICES].file_type),
        "general.quantization_version": gguf_file.u32(2),
    }
    for name, (kind, value) in shape_metadata(shape).items():
        metadata[name] = getattr(gguf_file, kind)(value)
    gguf_file.write(path, metadata | tokenizer_metadata(), gguf_tensors(state, shape))


def write_hf(folder, state, shape):
    folder.mkdir(parents=True, exist_ok=True)
    save_file(state, folder / "model.safetensors", metadata={"format": "pt"})
    special = {token["content"]: token["id"] for token in json.loads((TOKENIZER / "tokenizer.json").read_text())["added_tokens"]}
    (folder / "config.json").write_text(json.dumps(shape.config(special["<|im_end|>"], special["<|endoftext|>"]), indent=1) + "\n")
    for name in ("tokenizer.json", "tokenizer_config.json", "chat_template.jinja"):
        shutil.copy(TOKENIZER / name, folder / name)


def check(hf, gguf):
    """Converts `hf` and compares every tensor and hyperparameter with the file `gguf`; gguf-py reads the latter."""
    from gguf import GGUFReader

    shape = Shape.read(hf + "/config.json")
    reader = GGUFReader(gguf)
    theirs = {tensor.name: np.array(tensor.data) for tensor in reader.tensors}
    ours = {name: array for name, array, _ in gguf_tensors(read_state(hf), shape)}
    assert ours.keys() == theirs.keys(), ours.keys() ^ theirs.keys()
    worst = max(float(np.abs(ours[name] - theirs[name]).max()) for name in ours)
    assert all(ours[name].shape == theirs[name].shape for name in ours)
    for name, (_, value) in shape_metadata(shape).items():
        found = reader.fields[name].contents()
        assert np.allclose(found, value), (name, found, value)
    print(f"{len(ours)} tensors and {len(shape_metadata(shape))} hyperparameters agree, greatest difference {worst:.1e}")
    assert worst < 2e-6


def main():
    if sys.argv[1] == "--check":
        return check(*sys.argv[2:4])
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("weights", type=Path)
    parser.add_argument("--gguf", type=Path)
    parser.add_argument("--hf", type=Path)
    parser.add_argument("--layers", type=int, default=Shape.num_hidden_layers)
    options = parser.parse_args()
    shape = Shape(num_hidden_layers=options.layers)
    state = read_state(options.weights)
    if options.gguf:
        options.gguf.parent.mkdir(parents=True, exist_ok=True)
        write_gguf(options.gguf, state, shape)
        print(f"{options.gguf}: {options.gguf.stat().st_size} bytes")
    if options.hf:
        write_hf(options.hf, state, shape)


if __name__ == "__main__":
    main()
