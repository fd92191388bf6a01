package weft.load;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import weft.backend.Weights;
import weft.format.StoredTensor;
import weft.ir.DType;
import weft.ir.Dim;
import weft.ir.Type;
import weft.net.ModelException;
import weft.quant.QuantException;

/** Where the bytes of a canonical tensor lie in the files; they are never moved. */
sealed interface TensorSource {
  /** The tensor under its canonical name. */
  default Weights.Tensor tensor(String name) {
    try {
      return new Weights.Tensor(name, type(name), first().encoding(), bytes(name));
    } catch (QuantException e) {
      throw new ModelException(name + ": " + e.getMessage(), e);
    }
  }

  /** A tensor that has the encoding of all. */
  StoredTensor first();

  Type type(String name);

  List<MemorySegment> bytes(String name);

  /** One tensor of the file. */
  record Whole(StoredTensor first) implements TensorSource {
    @Override
    public Type type(String name) {
      return shaped(name, first.shape());
    }

    @Override
    public List<MemorySegment> bytes(String name) {
      return List.of(first.bytes());
    }
  }

  /** Equal tensors of the file, in order along a first axis of their own. */
  record Stack(List<StoredTensor> parts) implements TensorSource {
    @Override
    public StoredTensor first() {
      return parts.getFirst();
    }

    @Override
    public Type type(String name) {
      var shape = new ArrayList<>(List.of((long) parts.size()));
      shape.addAll(first().shape());
      return shaped(name, shape);
    }

    @Override
    public List<MemorySegment> bytes(String name) {
      for (var part : parts) {
        if (!part.shape().equals(first().shape()) || part.type() != first().type()) {
          throw new ModelException(
              "%s is %s %s, but %s is %s %s; parts of one tensor must agree"
                  .formatted(
                      part.name(),
                      part.type(),
                      part.shape(),
                      first().name(),
                      first().type(),
                      first().shape()));
        }
      }
      return parts.stream().map(StoredTensor::bytes).toList();
    }
  }

  /** A share of the second axis of a tensor of the file. */
  record Share(StoredTensor first, int index, int of) implements TensorSource {
    @Override
    public Type type(String name) {
      var shape = new ArrayList<>(first.shape());
      if (shape.size() < 2 || shape.get(1) % of != 0) {
        throw new ModelException(
            "%s has shape %s, expected a second axis that %d tensors share"
                .formatted(first.name(), shape, of));
      }
      shape.set(1, shape.get(1) / of);
      return shaped(name, shape);
    }

    @Override
    public List<MemorySegment> bytes(String name) {
      var slices = new ArrayList<MemorySegment>();
      long outer = first.shape().getFirst();
      long size = first.bytes().byteSize() / outer / of;
      for (long i = 0; i < outer; i++) {
        slices.add(first.bytes().asSlice((i * of + index) * size, size));
      }
      return slices;
    }
  }

  private static Type shaped(String name, List<Long> shape) {
    var dims = new ArrayList<Dim>();
    if (shape.isEmpty()) throw new ModelException(name + " is a single number, expected axes");
    for (long size : shape) {
      if (size < 1 || size > Integer.MAX_VALUE) {
        throw new ModelException(name + " has an axis of " + size + ", expected 1 to 2^31 - 1");
      }
      dims.add(Dim.of((int) size));
    }
    return new Type(DType.F32, dims);
  }
}
