"""Writes GGUF version 3: typed metadata, then tensors aligned to 32 bytes; reads the tensors of such a file again, or exchanges some."""

import struct
from pathlib import Path

import numpy as np

from quantize import FORMATS, decode, encode

_ALIGNMENT = 32
_U32, _I32, _F32, _BOOL, _STRING, _ARRAY = 4, 5, 6, 7, 8, 9


def _text(value):
    data = value.encode("utf-8")
    return struct.pack("<Q", len(data)) + data


def _scalar(kind, value):
    if kind == _STRING:
        return _text(value)
    return struct.pack({_U32: "<I", _I32: "<i", _F32: "<f", _BOOL: "<?"}[kind], value)


def u32(value):
    return struct.pack("<I", _U32) + _scalar(_U32, value)


def f32(value):
    return struct.pack("<I", _F32) + _scalar(_F32, value)


def boolean(value):
    return struct.pack("<I", _BOOL) + _scalar(_BOOL, value)


def string(value):
    return struct.pack("<I", _STRING) + _scalar(_STRING, value)


def _array(kind, values):
    return struct.pack("<IIQ", _ARRAY, kind, len(values)) + b"".join(_scalar(kind, value) for value in values)


def strings(values):
    return _array(_STRING, values)


def i32s(values):
    return _array(_I32, values)


def write(path, metadata, tensors):
    """metadata: name -> packed value (see the functions above); tensors: (name, float32 array, format name) in order."""
    head = [b"GGUF", struct.pack("<IQQ", 3, len(tensors), len(metadata))]
    for name, value in metadata.items():
        head += [_text(name), value]
    offset, blobs = 0, []
    for name, array, kind in tensors:
        blob = encode(np.ascontiguousarray(array, dtype=np.float32), kind)
        shape = array.shape[::-1]
        head.append(_text(name) + struct.pack("<I", len(shape)) + struct.pack(f"<{len(shape)}Q", *shape))
        head.append(struct.pack("<IQ", FORMATS[kind].code, offset))
        blob += bytes(-len(blob) % _ALIGNMENT)
        offset += len(blob)
        blobs.append(blob)
    packed = b"".join(head)
    with open(path, "wb") as file:
        file.write(packed + bytes(-len(packed) % _ALIGNMENT))
        file.writelines(blobs)


class _Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, form):
        values = struct.unpack_from(form, self.data, self.at)
        self.at += struct.calcsize(form)
        return values if len(values) > 1 else values[0]

    def text(self):
        length = self.take("<Q")
        self.at += length
        return self.data[self.at - length : self.at].decode("utf-8")

    def value(self, kind):
        if kind == _ARRAY:
            inner, count = self.take("<IQ")
            return [self.value(inner) for _ in range(count)]
        return self.text() if kind == _STRING else self.take({_U32: "<I", _I32: "<i", _F32: "<f", _BOOL: "<?"}[kind])


def _table(data):
    """Where each tensor lies, name -> (format name, shape, first byte, size)."""
    reader = _Reader(data)
    _, _, tensors, entries = reader.take("<4sIQQ")
    for _ in range(entries):
        reader.text()
        reader.value(reader.take("<I"))
    kinds = {form.code: name for name, form in FORMATS.items()}
    table = {}
    for _ in range(tensors):
        name, rank = reader.text(), reader.take("<I")
        shape = tuple(reader.take("<Q") for _ in range(rank))[::-1]
        code, offset = reader.take("<IQ")
        form = FORMATS[kinds[code]]
        table[name] = (kinds[code], shape, offset, int(np.prod(shape)) // form.block * form.size)
    start = reader.at + -reader.at % _ALIGNMENT
    return {name: (kind, shape, start + offset, size) for name, (kind, shape, offset, size) in table.items()}


def read(path):
    """The tensors of a file that `write` made, name -> float32 array."""
    data = Path(path).read_bytes()
    return {name: decode(data[at : at + size], kind, shape) for name, (kind, shape, at, size) in _table(data).items()}


def replace(source, target, tensors):
    """Writes the file again with some of its tensors exchanged, name -> float32 array; every other byte is the source's."""
    data = bytearray(Path(source).read_bytes())
    table = _table(bytes(data))
    for name, array in tensors.items():
        kind, shape, at, size = table[name]
        if array.shape != shape:
            raise ValueError(f"{name} is {shape} in {source}, got {array.shape}")
        data[at : at + size] = encode(np.ascontiguousarray(array, dtype=np.float32), kind)
    Path(target).write_bytes(data)


def differing(one, other):
    """The names of the tensors in which two files differ that are otherwise the same, byte for byte."""
    data, again = (bytearray(Path(path).read_bytes()) for path in (one, other))
    names = []
    for name, (_, _, at, size) in _table(bytes(data)).items():
        if data[at : at + size] != again[at : at + size]:
            names.append(name)
        data[at : at + size] = again[at : at + size] = bytes(size)
    if data != again:
        raise ValueError(f"{one} and {other} differ in more than tensors")
    return names
