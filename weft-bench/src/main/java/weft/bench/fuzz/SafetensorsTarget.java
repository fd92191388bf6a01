package weft.bench.fuzz;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import weft.format.Checkpoint;
import weft.format.FormatException;

/** Safetensors files: the JSON header is changed as JSON, and its length made right most often. */
final class SafetensorsTarget implements Target {
  private static final Path FILE = Path.of("fuzz.safetensors");
  private static final int PREFIX = Long.BYTES;

  /** A type and its size. */
  private record Type(String name, int bits) {}

  private static final List<Type> TYPES =
      List.of(
          new Type("F32", 32),
          new Type("F16", 16),
          new Type("F64", 64),
          new Type("U8", 8),
          new Type("BOOL", 8),
          new Type("F4", 4),
          new Type("F6_E2M3", 6),
          new Type("F8_E8M0", 8),
          new Type("C64", 64));

  private static final JsonMutation HEADERS =
      new JsonMutation(
          new TextMutation(
              List.of(
                  "dtype",
                  "shape",
                  "data_offsets",
                  "__metadata__",
                  "F32",
                  "F16",
                  "BF16",
                  "F64",
                  "I64",
                  "U8",
                  "BOOL",
                  "F8_E4M3",
                  "F8_E5M2",
                  "F4",
                  "F6_E2M3",
                  "C64",
                  "Q8_0",
                  "format",
                  "0",
                  "8",
                  "16",
                  "9223372036854775807",
                  "18446744073709551615",
                  "1e3",
                  "\\u0000",
                  "[]",
                  "[0]",
                  "{}",
                  ",",
                  ":",
                  "\"")));

  @Override
  public String name() {
    return "safetensors";
  }

  @Override
  public List<byte[]> seeds() {
    return List.of(
        file(
            """
            {"__metadata__":{"format":"pt","by":"weft"},
             "a":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]},
             "b":{"dtype":"BF16","shape":[4],"data_offsets":[16,24]},
             "c":{"dtype":"I64","shape":[],"data_offsets":[24,32]},
             "d":{"dtype":"F8_E4M3","shape":[0,3],"data_offsets":[32,32]},
             "e":{"dtype":"U8","shape":[1,2,3],"data_offsets":[32,38]}}""",
            38),
        file("{}", 0));
  }

  static byte[] file(String header, int data) {
    return file(header.getBytes(StandardCharsets.UTF_8), new byte[data]);
  }

  private static byte[] file(byte[] header, byte[] data) {
    return ByteBuffer.allocate(PREFIX + header.length + data.length)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(header.length)
        .put(header)
        .put(data)
        .array();
  }

  @Override
  public byte[] mutate(byte[] input, byte[] other, Draw draw) {
    if (draw.oneIn(8)) return consistent(draw);
    int end = headerEnd(input);
    if (end < 0 || draw.oneIn(10)) return ByteMutation.mutate(input, other, draw);
    byte[] header = HEADERS.mutate(Arrays.copyOfRange(input, PREFIX, end), header(other), draw);
    byte[] data = Arrays.copyOfRange(input, end, input.length);
    if (draw.oneIn(8)) data = Arrays.copyOf(data, draw.small(64));
    byte[] file = file(header, data);
    return draw.oneIn(12) ? ByteMutation.number(file, 0, draw.instead(header.length), 8) : file;
  }

  /** A good file of any tensors: offsets that fit are hard to hit upon. */
  private static byte[] consistent(Draw draw) {
    var header = new StringBuilder("{");
    int end = 0;
    for (int i = draw.small(6); i >= 0; i--) {
      var type = draw.of(TYPES);
      var shape = new ArrayList<Integer>();
      int values = 1;
      for (int axis = draw.small(5); axis > 0; axis--) {
        shape.add(draw.small(5));
        values *= shape.getLast();
      }
      int size = Math.ceilDiv(values * type.bits, 8);
      header.append(
          "\"t%d\":{\"dtype\":\"%s\",\"shape\":%s,\"data_offsets\":[%d,%d]}%s"
              .formatted(i, type.name, shape, end, end + size, i > 0 ? "," : "}"));
      end += size;
    }
    return file(header.toString(), end);
  }

  private static byte[] header(byte[] file) {
    int end = headerEnd(file);
    return end < 0 ? file : Arrays.copyOfRange(file, PREFIX, end);
  }

  private static int headerEnd(byte[] file) {
    if (file.length < PREFIX) return -1;
    long length = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).getLong();
    return length < 0 || length > file.length - PREFIX ? -1 : PREFIX + (int) length;
  }

  @Override
  public void run(byte[] input) {
    try (var checkpoint = Checkpoint.of(FILE, input)) {
      checkpoint.tensors().values().forEach(GgufTarget::touch);
    }
  }

  @Override
  public boolean declares(RuntimeException failure) {
    return failure instanceof FormatException;
  }

  @Override
  public long mostAllocated() {
    return 16L << 20;
  }
}
