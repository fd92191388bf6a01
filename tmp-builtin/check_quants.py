"""Compares quantize.py with gguf-py: decoding bit for bit, and the error of our encoding against theirs."""

import numpy as np
from gguf import GGMLQuantizationType, quants

from quantize import FORMATS, decode, encode

rng = np.random.default_rng(1)
values = (rng.standard_normal((64, 512)) * rng.gamma(1.0, 1.0, (64, 1))).astype(np.float32)
values[3] = 0
for kind in ("Q8_0", "Q4_0", "Q6_K"):
    data = encode(values, kind)
    assert len(data) == values.size // FORMATS[kind].block * FORMATS[kind].size
    ours = decode(data, kind, values.shape)
    theirs = quants.dequantize(np.frombuffer(data, np.uint8).reshape(64, -1), GGMLQuantizationType[kind])
    assert np.array_equal(ours, theirs), kind
    print(kind, "relative error", float(np.linalg.norm(ours - values) / np.linalg.norm(values)))
