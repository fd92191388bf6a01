package weft.lir;

import java.util.Optional;
import weft.ir.Op;
import weft.ir.Value;
import weft.quant.Encoding;
import weft.quant.Encodings;

/** How a checkpoint stores the tensors that a graph names. */
@FunctionalInterface
public interface Stored {
  /** Every tensor as float32: for a graph that no checkpoint stands behind. */
  Stored PLAIN = tensor -> Encodings.F32;

  Encoding encoding(String tensor);

  /** The encoding of a value that is a tensor. */
  default Optional<Encoding> of(Value value) {
    return value.op() instanceof Op.Weight(var name, _)
        ? Optional.of(encoding(name))
        : Optional.empty();
  }

  /** A value's type, and how it is stored if it is a tensor. */
  default String described(Value value) {
    return value.type() + of(value).map(encoding -> " as " + encoding.name()).orElse("");
  }
}
