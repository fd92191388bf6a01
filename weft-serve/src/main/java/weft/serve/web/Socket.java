package weft.serve.web;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.buffers.DataReader;
import io.helidon.common.buffers.DataWriter;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * A WebSocket (RFC 6455) from its server's side: whole messages of text, both ways, in turns. What
 * a client does against the protocol ends it with the code that says so. For one thread; who opens
 * it closes it.
 */
public final class Socket implements AutoCloseable {
  /** Why a socket ends, as the protocol counts it. */
  private enum Farewell {
    NORMAL(1000),
    PROTOCOL_ERROR(1002),
    NO_TEXT(1003),
    NO_UTF_8(1007),
    TOO_BIG(1009);

    private final int code;

    Farewell(int code) {
      this.code = code;
    }
  }

  private static final int CONTINUATION = 0x0;
  private static final int TEXT = 0x1;
  private static final int BINARY = 0x2;
  private static final int CLOSE = 0x8;
  private static final int PING = 0x9;
  private static final int PONG = 0xA;

  /** The first byte of a frame is this, three bits that nobody agreed upon, and what it is. */
  private static final int LAST = 0x80;

  private static final int RESERVED = 0x70;
  private static final int KIND = 0x0F;

  /** The second is this, and how long it is, or where that follows. */
  private static final int MASKED = 0x80;

  private static final int LENGTH = 0x7F;
  private static final int LENGTH_IN_TWO = 126;
  private static final int LENGTH_IN_EIGHT = 127;

  /** What the second byte holds by itself; frames about the socket are no longer. */
  private static final int SHORT = 125;

  /** Bytes of the head of a frame that is short, and of the mask behind it. */
  private static final int HEAD = 2;

  private static final int MASK = 4;

  private static final int CHUNK = 8192;
  private static final String SALT = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

  private final DataReader reader;
  private final DataWriter writer;
  private final Connection connection;
  private final Patience patience;
  private final long largest;
  private boolean isOver;

  /** {@code largest} is how long a message may be. */
  Socket(
      DataReader reader,
      DataWriter writer,
      Connection connection,
      Patience patience,
      long largest) {
    this.reader = reader;
    this.writer = writer;
    this.connection = connection;
    this.patience = patience;
    this.largest = largest;
  }

  /** What shows a client that its key was read by somebody who speaks the protocol. */
  static String accept(String key) {
    try {
      var digest = MessageDigest.getInstance("SHA-1");
      return Base64.getEncoder()
          .encodeToString(digest.digest((key + SALT).getBytes(StandardCharsets.US_ASCII)));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has SHA-1", e);
    }
  }

  /** The next message; empty where there is none to come. */
  public Optional<byte[]> next() {
    var message = Optional.<byte[]>empty();
    while (message.isEmpty() && !isOver) {
      byte first = patience.resting(connection, reader::read);
      message = patience.reading(connection, () -> message(first));
    }
    return message;
  }

  /**
   * Reads frames from one on whose first byte is there, up to the end of a message; none where that
   * is about the socket alone, or where it ends.
   */
  private Optional<byte[]> message(byte begun) {
    var message = new ByteArrayOutputStream();
    boolean isBegun = false;
    for (int first = begun; ; first = reader.read()) {
      int second = reader.read();
      long length = length(second & LENGTH);
      boolean isLast = (first & LAST) != 0;
      int kind = first & KIND;
      boolean isControl = kind >= CLOSE;
      boolean isFit = isControl ? isLast && length <= SHORT : isBegun == (kind == CONTINUATION);
      if ((first & RESERVED) != 0 || (second & MASKED) == 0 || !isFit) {
        return end(Farewell.PROTOCOL_ERROR);
      }
      if (!isControl && length > largest - message.size()) return end(Farewell.TOO_BIG);
      var mask = reader.readBytes(MASK);
      switch (kind) {
        case TEXT, CONTINUATION -> {
          unmask(length, mask, message);
          if (isLast) return whole(message.toByteArray());
          isBegun = true;
        }
        case PING, PONG -> {
          heed(kind, length, mask);
          if (!isBegun) return Optional.empty();
        }
        case CLOSE -> {
          control(length, mask);
          return end(Farewell.NORMAL);
        }
        case BINARY -> {
          return end(Farewell.NO_TEXT);
        }
        default -> {
          return end(Farewell.PROTOCOL_ERROR);
        }
      }
    }
  }

  private Optional<byte[]> whole(byte[] message) {
    return isText(message) ? Optional.of(message) : end(Farewell.NO_UTF_8);
  }

  private static boolean isText(byte[] message) {
    var decoder = StandardCharsets.UTF_8.newDecoder();
    var in = ByteBuffer.wrap(message);
    var out = CharBuffer.allocate(CHUNK);
    while (true) {
      var result = decoder.decode(in, out, true);
      if (result.isError()) return false;
      if (result.isUnderflow()) return true;
      out.clear();
    }
  }

  /**
   * Whether the client takes leave while one of its messages is answered. Waits for nothing; pings
   * that have come are answered, and what belongs to the next message stays where it is.
   */
  boolean isLeft() {
    while (isThere(HEAD)) {
      var head = reader.getBuffer(HEAD);
      int first = head.read();
      int second = head.read();
      int kind = first & KIND;
      int length = second & LENGTH;
      boolean isWhole = (first & (LAST | RESERVED)) == LAST && (second & MASKED) != 0;
      boolean isKnown = kind == CLOSE || kind == PING || kind == PONG;
      // Who reads the next message finds what is wrong with it.
      if (!isWhole || !isKnown || length > SHORT || !isThere(HEAD + MASK + length)) return false;
      if (kind == CLOSE) return true;
      reader.skip(HEAD);
      heed(kind, length, reader.readBytes(MASK));
    }
    return false;
  }

  /** Whether so many bytes have come. */
  private boolean isThere(int bytes) {
    while (reader.available() < bytes) {
      if (!connection.hasAhead()) return false;
      reader.pullData();
    }
    return true;
  }

  private void heed(int kind, long length, byte[] mask) {
    var content = control(length, mask);
    if (kind == PING) write(PONG, content);
  }

  private long length(int told) {
    int bytes =
        switch (told) {
          case LENGTH_IN_TWO -> 2;
          case LENGTH_IN_EIGHT -> 8;
          default -> 0;
        };
    long length = bytes == 0 ? told : 0;
    for (int i = 0; i < bytes; i++) length = length << 8 | reader.read() & 0xFF;
    // More than a signed number holds is more than any limit.
    return length < 0 ? Long.MAX_VALUE : length;
  }

  private byte[] control(long length, byte[] mask) {
    var content = new ByteArrayOutputStream();
    unmask(length, mask, content);
    return content.toByteArray();
  }

  /** Room is made for what comes, not for what is announced. */
  private void unmask(long length, byte[] mask, ByteArrayOutputStream out) {
    for (long at = 0; at < length; ) {
      var chunk = reader.readBytes((int) Math.min(CHUNK, length - at));
      for (int i = 0; i < chunk.length; i++) chunk[i] ^= mask[(int) (at + i & 3)];
      out.writeBytes(chunk);
      at += chunk.length;
    }
  }

  /** Sends a message. */
  public void send(JsonNode document) {
    write(TEXT, Json.bytes(document));
  }

  private void write(int kind, byte[] content) {
    var head = BufferData.create(10);
    head.write(LAST | kind);
    if (content.length <= SHORT) {
      head.write(content.length);
    } else if (content.length <= 0xFFFF) {
      head.write(LENGTH_IN_TWO);
      head.writeInt16(content.length);
    } else {
      head.write(LENGTH_IN_EIGHT);
      head.writeInt32(0);
      head.writeInt32(content.length);
    }
    patience.writing(
        connection,
        content.length,
        () -> {
          writer.writeNow(head, BufferData.create(content));
          return content;
        });
  }

  private Optional<byte[]> end(Farewell farewell) {
    isOver = true;
    write(CLOSE, new byte[] {(byte) (farewell.code >> 8), (byte) farewell.code});
    return Optional.empty();
  }

  @Override
  public void close() {
    if (!isOver) end(Farewell.NORMAL);
  }
}
