"""Writes GGUF version 3: typed metadata, then tensors aligned to 32 bytes."""

import struct

import numpy as np

from quantize import FORMATS, encode

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
