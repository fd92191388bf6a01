package weft.serve.web;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.buffers.DataReader;
import io.helidon.common.buffers.DataWriter;
import io.helidon.webserver.ServerConnectionException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A client's connection: what it sends, whether it is still there, and for how long it is silent.
 * While a request is answered, somebody may read ahead to learn that the client has gone; what
 * comes then is the beginning of the next request. Safe for all threads, of which one reads.
 */
public final class Connection implements Supplier<byte[]> {
  private static final long BUSY = Long.MAX_VALUE;
  private static final long NEVER = Long.MAX_VALUE;

  private final SocketChannel channel;
  private volatile long silentSince = System.nanoTime();
  private volatile long deadline = NEVER;
  private boolean isLast;
  private Supplier<byte[]> socket = () -> new byte[0];
  private byte[] early = {};
  private Optional<CompletableFuture<byte @Nullable []>> ahead = Optional.empty();
  private Optional<DataReader> reader = Optional.empty();
  private Optional<DataWriter> writer = Optional.empty();

  Connection(SocketChannel channel) {
    this.channel = channel;
  }

  /** What it sends comes from a socket, after what was read of it to know what it is. */
  void readFrom(Supplier<byte[]> source, byte[] first) {
    socket = source;
    early = first;
  }

  /** Where what it sends is read by who knows how it is cut, and where answers go. */
  void speak(DataReader dataReader, DataWriter dataWriter) {
    reader = Optional.of(dataReader);
    writer = Optional.of(dataWriter);
  }

  /** A socket in the place of requests, from now on. */
  Socket socket(Patience patience, long largestMessage) {
    return new Socket(reader.orElseThrow(), writer.orElseThrow(), this, patience, largestMessage);
  }

  /** The head of an answer, as it is. */
  void write(String head) {
    writer.orElseThrow().writeNow(BufferData.create(head.getBytes(StandardCharsets.US_ASCII)));
  }

  /** A request is here, and is being answered. */
  public void begin() {
    silentSince = BUSY;
  }

  /** It is answered. */
  public void end() {
    silentSince = System.nanoTime();
  }

  /**
   * Who asked waits for the end of it, and the library would wait for another request: when it asks
   * for that, all of the answer is written, the end of its last chunk as well.
   */
  public void endBehindAnswer() {
    isLast = true;
  }

  boolean isSilentFor(Duration limit) {
    long since = silentSince;
    return since != BUSY && System.nanoTime() - since > limit.toNanos();
  }

  /**
   * Something is done with it that its client takes part in, for so long at most.
   *
   * @return until when something else was done that this is part of
   */
  long waitFor(Duration limit) {
    long before = deadline;
    deadline = System.nanoTime() + limit.toNanos();
    return before;
  }

  /** The client has done that part; what it was part of goes on. */
  void waitUntil(long before) {
    deadline = before;
  }

  boolean isLate() {
    long end = deadline;
    return end != NEVER && System.nanoTime() - end > 0;
  }

  boolean isClosed() {
    return !channel.isOpen();
  }

  /** Ends it, whoever waits for it. */
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      // Then it is closed already.
    }
  }

  /**
   * Whether nothing says that the client has gone; it is listened to from the first question on.
   */
  boolean isOpen() {
    if (ahead.isEmpty()) {
      var next = new CompletableFuture<byte @Nullable []>();
      ahead = Optional.of(next);
      Thread.ofVirtual().name("weft-listens").start(() -> readAhead(next));
    }
    var next = ahead.get();
    return !next.isDone() || (!next.isCompletedExceptionally() && next.join() != null);
  }

  /** Whether some of what comes next is there already, so that nobody waits for it. */
  boolean hasAhead() {
    if (ahead.isEmpty() || !ahead.get().isDone() || ahead.get().isCompletedExceptionally()) {
      return false;
    }
    var bytes = ahead.get().join();
    return bytes != null && bytes.length > 0;
  }

  private void readAhead(CompletableFuture<byte @Nullable []> next) {
    try {
      next.complete(socket.get());
    } catch (RuntimeException e) {
      next.completeExceptionally(e);
    }
  }

  /** The next bytes that it sends; null at the end, as Helidon wants it. */
  @Override
  public byte @Nullable [] get() {
    if (isLast) {
      close();
      return null;
    }
    if (early.length > 0) {
      var first = early;
      early = new byte[0];
      return first;
    }
    try {
      if (ahead.isEmpty()) return socket.get();
      var next = ahead.get();
      ahead = Optional.empty();
      return next.get();
    } catch (UncheckedIOException | ExecutionException e) {
      throw new ServerConnectionException("the client is gone", e);
    } catch (InterruptedException e) {
      close();
      throw new ServerConnectionException("interrupted while waiting for the client", e);
    }
  }
}
