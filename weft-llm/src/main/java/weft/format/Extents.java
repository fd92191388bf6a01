package weft.format;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The byte ranges that a file's tensors claim: each inside the file, no two overlapping. */
final class Extents {
  /** Models that store every expert apart have some 100,000 tensors; each costs memory here. */
  static final int MOST_TENSORS = 1 << 20;

  private final MappedFile file;
  private final long start;
  private final List<Extent> claimed = new ArrayList<>();

  private record Extent(String tensor, long from, long to) {}

  /** Offsets are counted from {@code start}, which may lie past the end of a file without data. */
  Extents(MappedFile file, long start) {
    this.file = file;
    this.start = start;
  }

  MemorySegment claim(String tensor, long offset, long byteSize) {
    long size = file.bytes().byteSize();
    // Both terms are at most size where the first test passes, so the sum cannot overflow.
    if (offset > size - start || byteSize > size - start - offset) {
      throw file.broken(
          "tensor %s has %d bytes at offset %d of the data, which starts at %d; the file ends at %d. Is it cut short?"
              .formatted(Quoted.text(tensor), byteSize, offset, start, size));
    }
    claimed.add(new Extent(tensor, offset, offset + byteSize));
    return file.bytes().asSlice(start + offset, byteSize);
  }

  void checkDisjoint() {
    claimed.sort(Comparator.comparingLong(Extent::from).thenComparingLong(Extent::to));
    for (int i = 1; i < claimed.size(); i++) {
      var before = claimed.get(i - 1);
      var after = claimed.get(i);
      if (after.from() < before.to()) {
        throw file.broken(
            "tensors %s (bytes %d to %d of the data) and %s (bytes %d to %d) overlap"
                .formatted(
                    Quoted.text(before.tensor()),
                    before.from(),
                    before.to(),
                    Quoted.text(after.tensor()),
                    after.from(),
                    after.to()));
      }
    }
  }
}
