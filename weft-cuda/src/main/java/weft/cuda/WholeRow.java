package weft.cuda;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import weft.backend.BackendException;
import weft.backend.HostRow;
import weft.backend.OutputRow;

/** A row on the device, which is fetched once somebody asks anything of it. */
final class WholeRow implements OutputRow {
  private final Fetch fetch;
  private final long address;
  private final int size;
  private Optional<HostRow> here = Optional.empty();

  WholeRow(Fetch fetch, long address, int size) {
    this.fetch = fetch;
    this.address = address;
    this.size = size;
  }

  private HostRow here() {
    if (here.isEmpty()) {
      var copy = new float[size];
      fetch.row(address, size, copy);
      here = Optional.of(new HostRow(MemorySegment.ofArray(copy), size));
    }
    return here.get();
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public boolean isFinite() {
    return here().isFinite();
  }

  @Override
  public int greatest(int count, int[] indexes, float[] values) {
    return count == 0 ? 0 : here().greatest(count, indexes, values);
  }

  @Override
  public void copyTo(float[] to) {
    if (to.length < size) {
      throw new BackendException(
          "a row of " + size + " elements does not fit " + to.length + " elements");
    }
    if (here.isPresent()) here.get().copyTo(to);
    else fetch.row(address, size, to);
  }
}
