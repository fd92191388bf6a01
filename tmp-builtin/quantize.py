"""Block quantization of float32 rows in numpy: F32, F16, Q8_0, Q4_0 and Q6_K, to bytes and back."""

from typing import NamedTuple

import numpy as np


class Format(NamedTuple):
    code: int  # the number that GGUF gives the format
    block: int  # values in one block
    size: int  # bytes of one block
    file_type: int  # what general.file_type says when most tensors have it


FORMATS = {
    "F32": Format(0, 1, 4, 0),
    "F16": Format(1, 1, 2, 1),
    "Q4_0": Format(2, 32, 18, 2),
    "Q8_0": Format(8, 32, 34, 7),
    "Q6_K": Format(14, 256, 210, 18),
}


def _inverse(scale):
    return np.divide(1.0, scale, out=np.zeros_like(scale), where=scale != 0)


def _halves(scale):
    """A float16 column as two bytes."""
    return scale.astype(np.float16).view(np.uint8)


def _q8_0(blocks):
    scale = np.abs(blocks).max(axis=1, keepdims=True) / 127
    values = np.rint(blocks * _inverse(scale)).astype(np.int8)
    return np.hstack([_halves(scale), values.view(np.uint8)])


def _q8_0_back(data):
    scale = data[:, :2].copy().view(np.float16).astype(np.float32)
    return scale * data[:, 2:].view(np.int8).astype(np.float32)


def _q4_0(blocks):
    """Scale from the value farthest from zero, refined by a small search for the least squared error."""
    extreme = np.take_along_axis(blocks, np.abs(blocks).argmax(axis=1)[:, None], axis=1)
    best = np.full(len(blocks), np.inf, dtype=np.float32)
    scales = np.zeros((len(blocks), 1), dtype=np.float32)
    for factor in np.linspace(0.8, 1.15, 15, dtype=np.float32):
        scale = (extreme / -8 * factor).astype(np.float16).astype(np.float32)
        values = np.clip(np.rint(blocks * _inverse(scale)), -8, 7)
        error = ((values * scale - blocks) ** 2).sum(axis=1)
        better = error < best
        best[better] = error[better]
        scales[better] = scale[better]
    values = (np.clip(np.rint(blocks * _inverse(scales)), -8, 7) + 8).astype(np.uint8)
    return np.hstack([_halves(scales), values[:, :16] | values[:, 16:] << 4])


def _q4_0_back(data):
    scale = data[:, :2].copy().view(np.float16).astype(np.float32)
    packed = data[:, 2:]
    return scale * (np.hstack([packed & 15, packed >> 4]).astype(np.float32) - 8)


def _q6_k(blocks):
    """Sixteen groups of 16 with signed 8-bit scales under one float16 scale."""
    groups = blocks.reshape(-1, 16, 16)
    extreme = np.take_along_axis(groups, np.abs(groups).argmax(axis=2)[:, :, None], axis=2)[:, :, 0]
    wanted = extreme / -32
    widest = np.take_along_axis(wanted, np.abs(wanted).argmax(axis=1)[:, None], axis=1)
    super_scale = (widest / -128).astype(np.float16).astype(np.float32)
    scales = np.clip(np.rint(wanted * _inverse(super_scale)), -128, 127)
    step = (super_scale * scales)[:, :, None]
    values = (np.clip(np.rint(groups * _inverse(step)), -32, 31) + 32).astype(np.uint8).reshape(-1, 2, 4, 32)
    low = values & 15
    high = values >> 4
    low_bytes = np.concatenate([low[:, :, 0] | low[:, :, 2] << 4, low[:, :, 1] | low[:, :, 3] << 4], axis=2).reshape(-1, 128)
    high_bytes = (high[:, :, 0] | high[:, :, 1] << 2 | high[:, :, 2] << 4 | high[:, :, 3] << 6).reshape(-1, 64)
    return np.hstack([low_bytes, high_bytes, scales.astype(np.int8).view(np.uint8), _halves(super_scale)])


def _q6_k_back(data):
    low = data[:, :128].reshape(-1, 2, 2, 32)
    high = data[:, 128:192].reshape(-1, 2, 1, 32)
    low = np.concatenate([low & 15, low >> 4], axis=2)
    high = np.concatenate([high >> shift & 3 for shift in (0, 2, 4, 6)], axis=2)
    values = (low | high << 4).astype(np.float32).reshape(-1, 16, 16) - 32
    scales = data[:, 192:208].view(np.int8).astype(np.float32)
    super_scale = data[:, 208:].copy().view(np.float16).astype(np.float32)
    return ((super_scale * scales)[:, :, None] * values).reshape(-1, 256)


_ENCODERS = {"Q8_0": (_q8_0, _q8_0_back), "Q4_0": (_q4_0, _q4_0_back), "Q6_K": (_q6_k, _q6_k_back)}


def encode(array, kind):
    """The bytes of a float32 array whose last axis is whole blocks."""
    if kind == "F32":
        return array.astype("<f4").tobytes()
    if kind == "F16":
        return array.astype("<f2").tobytes()
    form = FORMATS[kind]
    if array.shape[-1] % form.block:
        raise ValueError(f"rows of {array.shape[-1]} values do not divide into {kind} blocks of {form.block}")
    return np.ascontiguousarray(_ENCODERS[kind][0](array.reshape(-1, form.block))).tobytes()


def decode(data, kind, shape):
    """The float32 array that the bytes stand for."""
    if kind == "F32":
        return np.frombuffer(data, "<f4").reshape(shape)
    if kind == "F16":
        return np.frombuffer(data, "<f2").astype(np.float32).reshape(shape)
    form = FORMATS[kind]
    return _ENCODERS[kind][1](np.frombuffer(data, np.uint8).reshape(-1, form.size)).reshape(shape)


def rounded(array, kind):
    """The array as it comes back from the file."""
    return decode(encode(np.ascontiguousarray(array, dtype=np.float32), kind), kind, array.shape)
