package weft.cuda;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Optional;
import weft.cuda.driver.Driver;
import weft.cuda.driver.Driver.Grid;
import weft.cuda.kernel.PutWords;
import weft.cuda.ptx.PtxFunction;

/**
 * Words of the device's memory that are to be other ones: however many and wherever they are, one
 * copy and one launch write them. Sequences in step come to the end of a page together, each in
 * every layer. Owns the memory that they go by.
 */
final class TableWrites implements Owned {
  /** What 64 sequences of 16 layers write at once. */
  private static final int SMALLEST = 1024;

  private final Driver driver;
  private final Kernels kernels;
  private final PtxFunction putWords = new PutWords().kernel();
  private final Memory there;
  private long[] pairs = new long[2 * SMALLEST];
  private int count;
  private Optional<MemorySegment> here = Optional.empty();

  /** Where the queue has read the last of them: until then they must stay as they are. */
  private Optional<Driver.Mark> read = Optional.empty();

  TableWrites(Driver driver, Kernels kernels) {
    this.driver = driver;
    this.kernels = kernels;
    this.there = new Memory(driver);
    // So that it comes with the first program's kernels.
    kernels.want(putWords);
  }

  /** Forgets what was not sent. */
  void begin() {
    count = 0;
  }

  /** No address comes twice. */
  void add(long address, long word) {
    if (2 * count == pairs.length) pairs = Arrays.copyOf(pairs, 2 * pairs.length);
    pairs[2 * count] = address;
    pairs[2 * count + 1] = word;
    count++;
  }

  void send() {
    if (count == 0) return;
    var kernel = kernels.want(putWords);
    kernels.compile();
    if (read.isPresent()) driver.await(read.get());
    long bytes = (long) count * PutWords.BYTES;
    var room = room();
    MemorySegment.copy(pairs, 0, room, ValueLayout.JAVA_LONG, 0, 2 * count);
    driver.upload(room.asSlice(0, bytes), there.address());
    var grid = Grid.of(Math.ceilDiv(count, PutWords.THREADS), PutWords.THREADS);
    driver.launch(kernel.function(), grid, there.address(), count);
    if (read.isPresent()) driver.mark(read.get());
    else read = Optional.of(driver.mark());
  }

  /** Here and there, for as many as there have ever been. */
  private MemorySegment room() {
    long bytes = (long) pairs.length * Long.BYTES;
    if (here.isPresent() && here.get().byteSize() >= bytes) return here.get();
    forget();
    there.allocate(bytes);
    here = Optional.of(driver.pinned(bytes));
    return here.get();
  }

  private void forget() {
    here.ifPresent(driver::unpin);
    here = Optional.empty();
  }

  @Override
  public void close() {
    read.ifPresent(Driver.Mark::close);
    read = Optional.empty();
    forget();
    there.close();
  }
}
