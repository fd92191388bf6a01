package weft.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;

/** Small files that ask for much work or memory, or break off where nobody thinks of it. */
class HostileFilesTest {
  private static byte[] hex(String digits) {
    return HexFormat.of().parseHex(digits);
  }

  private static byte[] joined(byte[]... parts) {
    var out = new ByteArrayOutputStream();
    for (var part : parts) out.writeBytes(part);
    return out.toByteArray();
  }

  private static byte[] chunk(String name, byte[] body) {
    var head = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
    head.put(name.getBytes(StandardCharsets.US_ASCII)).putInt(body.length);
    return joined(head.array(), body, new byte[body.length & 1]);
  }

  private static byte[] webp(byte[]... chunks) {
    return chunk("RIFF", joined("WEBP".getBytes(StandardCharsets.US_ASCII), joined(chunks)));
  }

  /** A lossless picture of one colour, whose pixels take no bits at all. */
  private static byte[] flat(int width, int height) {
    var bytes = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).put((byte) 0x2F);
    return chunk("VP8L", bytes.putInt(width - 1 | height - 1 << 14).put(hex("888808")).array());
  }

  /** A picture of a film, which says to be of one pixel. */
  private static byte[] dot(byte[] pixels) {
    return chunk("ANMF", joined(new byte[16], pixels));
  }

  private static byte[] film(byte[]... frames) {
    return webp(chunk("VP8X", hex("02000000" + "030000" + "030000")), joined(frames));
  }

  private static Picture last(Reel reel) {
    var all = new ArrayList<Picture>();
    reel.read(new int[] {reel.frames() - 1}, all::add);
    return all.getFirst();
  }

  /** Else a few bytes for each of ten thousand frames would be fifty million pixels each. */
  @Test
  void aFrameOfWebpIsAsLargeAsItSays() {
    var sound = Reel.of(List.of(film(dot(flat(1, 1)), dot(flat(1, 1)))), 2);
    assertThat(last(sound).width()).isEqualTo(4);
    for (var other : List.of(flat(2, 1), flat(1, 2), flat(7000, 7000))) {
      var wrong = Reel.of(List.of(film(dot(flat(1, 1)), dot(other))), 2);
      assertThatThrownBy(() -> last(wrong))
          .isInstanceOf(ImageException.class)
          .hasMessageContaining("damaged");
    }
  }

  @Test
  void transparencyWithoutAByteIsDamage() {
    var dot =
        chunk(
            "VP8 ",
            hex(
                "d001009d012a0100010002c04c25a00274ba01f80003b000feda26ffe52a8b54dbe4ffe52a8b54db8a000000"));
    assertThatThrownBy(() -> Pictures.read(webp(chunk("ALPH", new byte[0]), dot)))
        .isInstanceOf(ImageException.class)
        .hasMessageContaining("damaged");
  }

  @Test
  void partsOfWebpAreNotListedWithoutEnd() {
    var parts = new ByteArrayOutputStream();
    for (int i = 0; i < 100_000; i++) parts.writeBytes(chunk("none", new byte[0]));
    assertThat(WebpChunks.of(webp(parts.toByteArray()))).hasSizeLessThan(40_000);
  }

  @Test
  void segmentsOfJpegAreNotListedWithoutEnd() {
    var segments = new ByteArrayOutputStream();
    segments.writeBytes(hex("ffd8"));
    for (int i = 0; i < 100_000; i++) segments.writeBytes(hex("ffe00002"));
    assertThat(JpegSegments.of(segments.toByteArray())).hasSizeLessThan(40_000);
  }

  /** What a picture covers comes back, not all of its canvas. */
  @Test
  void smallPicturesOfALargeGifTakeLittle() {
    int frames = 9_000;
    var frame =
        joined(
            hex("21f9040c0a000000"), // what was there comes back
            hex("2c" + "00000000" + "01000100" + "00"),
            hex("02" + "02" + "4401" + "00"));
    var screen = hex("474946383961" + "a00fa00f" + "800000" + "000000" + "ffffff");
    var gif = new ByteArrayOutputStream();
    gif.writeBytes(screen);
    for (int i = 0; i < frames; i++) gif.writeBytes(frame);
    gif.write(0x3B);
    var reel = Reel.of(List.of(gif.toByteArray()), 2);
    assertThat(reel.frames()).isEqualTo(frames);
    var shown = assertTimeoutPreemptively(Duration.ofSeconds(30), () -> last(reel));
    assertThat(shown.width()).isEqualTo(4000);
  }

  private static byte[] png(String name, byte[] body) {
    var mark = name.getBytes(StandardCharsets.US_ASCII);
    var sum = new CRC32();
    sum.update(mark);
    sum.update(body);
    return joined(
        ByteBuffer.allocate(4).putInt(body.length).array(),
        mark,
        body,
        ByteBuffer.allocate(4).putInt((int) sum.getValue()).array());
  }

  /** What comes before the first picture of a PNG goes with each of them. */
  @Test
  void whatComesBeforeThePicturesOfAPngIsShort() {
    var begin =
        joined(hex("89504e470d0a1a0a"), png("IHDR", hex("00000001" + "00000001" + "0803000000")));
    var frame =
        joined(
            png("fcTL", joined(new byte[4], hex("0000000100000001"), new byte[14])),
            png("fdAT", joined(new byte[4], hex("789c6360000000020001"))));
    var rest = joined(png("acTL", new byte[8]), frame, frame, png("IEND", new byte[0]));
    var colours = png("PLTE", new byte[768]);
    assertThat(Reel.of(List.of(joined(begin, colours, rest)), 2).frames()).isEqualTo(2);
    for (var wrong :
        List.of(
            png("PLTE", new byte[771]),
            png("tRNS", new byte[1 << 20]),
            joined(colours, png("tRNS", new byte[1]), png("tRNS", new byte[1])))) {
      assertThatThrownBy(() -> Reel.of(List.of(joined(begin, wrong, rest)), 2))
          .isInstanceOf(ImageException.class)
          .hasMessageContaining("damaged");
    }
  }
}
