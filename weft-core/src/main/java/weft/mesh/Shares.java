package weft.mesh;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import weft.backend.TensorReader;
import weft.backend.Weights;
import weft.ir.Type;
import weft.lir.Share;
import weft.lir.Stored;

/**
 * A checkpoint's tensors as one member of a mesh has them. Rows that lie behind each other are read
 * where the checkpoint has them; columns, and rows from several places, are copied, for kernels
 * read packed rows one behind the other. A copy lives as long as somebody has it.
 */
record Shares(Weights whole, int member, int members) implements Weights {
  @Override
  public Tensor tensor(String name) {
    return Share.of(name).map(share -> cut(name, share)).orElseGet(() -> whole.tensor(name));
  }

  @Override
  public Stored stored() {
    return Share.stored(whole.stored());
  }

  @Override
  public Optional<TensorReader> reader() {
    return whole.reader();
  }

  private Tensor cut(String name, Share share) {
    var tensor = plain(whole.tensor(share.tensor()));
    var parts =
        switch (share.axis()) {
          case ROWS -> rows(tensor, share.runs());
          case COLUMNS -> List.of(columns(tensor, share.runs()));
        };
    return new Tensor(name, share.type(tensor.type()), tensor.encoding(), parts);
  }

  /** Axes of one may lie anywhere in a file, and rows are those of the last but one. */
  private static Tensor plain(Tensor tensor) {
    var dims = tensor.type().dims().stream().filter(dim -> dim.fixed() > 1).toList();
    return new Tensor(
        tensor.name(), new Type(tensor.type().dtype(), dims), tensor.encoding(), tensor.parts());
  }

  /** Of each matrix of a stack its own. */
  private List<MemorySegment> rows(Tensor tensor, List<Share.Run> runs) {
    long matrixRows = tensor.type().dim(tensor.type().rank() - 2).fixed();
    var parts = new ArrayList<MemorySegment>();
    for (var part : tensor.parts()) {
      long matrixBytes = matrixRows * tensor.rowBytes();
      for (long at = 0; at < part.byteSize(); at += matrixBytes) {
        parts.add(joined(pieces(part.asSlice(at, matrixBytes), runs, tensor.rowBytes())));
      }
    }
    return parts;
  }

  private List<MemorySegment> pieces(MemorySegment of, List<Share.Run> runs, long elementBytes) {
    var pieces = new ArrayList<MemorySegment>();
    for (var run : runs) {
      long from = run.start(member, members) * elementBytes;
      pieces.add(of.asSlice(from, run.length() * elementBytes));
    }
    return pieces;
  }

  private static MemorySegment joined(List<MemorySegment> pieces) {
    if (pieces.size() == 1) return pieces.getFirst();
    var copy = copy(pieces.stream().mapToLong(MemorySegment::byteSize).sum());
    long at = 0;
    for (var piece : pieces) {
      MemorySegment.copy(piece, 0, copy, at, piece.byteSize());
      at += piece.byteSize();
    }
    return copy;
  }

  /** Whole blocks: nobody cuts elsewhere. */
  private MemorySegment columns(Tensor tensor, List<Share.Run> runs) {
    int block = tensor.encoding().blockValues();
    long blockBytes = tensor.encoding().bytes(block);
    long bytes = 0;
    for (var run : runs) bytes += run.length() / block * blockBytes;
    var copy = copy(Math.multiplyExact(bytes, tensor.rows()));
    long at = 0;
    for (var part : tensor.parts()) {
      for (long row = 0; row < part.byteSize(); row += tensor.rowBytes()) {
        for (var run : runs) {
          long from = row + run.start(member, members) / block * blockBytes;
          long length = run.length() / block * blockBytes;
          MemorySegment.copy(part, from, copy, at, length);
          at += length;
        }
      }
    }
    return copy;
  }

  private static MemorySegment copy(long bytes) {
    return Arena.ofAuto().allocate(bytes, 64);
  }
}
