package weft.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.awt.Color;
import java.awt.color.ColorSpace;
import java.awt.color.ICC_Profile;
import java.awt.image.BufferedImage;
import java.awt.image.DataBuffer;
import java.awt.image.IndexColorModel;
import java.awt.image.Raster;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.Random;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Pictures of every kind, and files that only look like some. */
class PicturesTest {
  /** Red, green, blue and white, from the left and the top. */
  private static BufferedImage four(int type) {
    var image = new BufferedImage(32, 16, type);
    var draw = image.createGraphics();
    Color[] colours = {Color.RED, Color.GREEN, Color.BLUE, Color.WHITE};
    for (int i = 0; i < 4; i++) {
      draw.setColor(colours[i]);
      draw.fillRect(i % 2 * 16, i / 2 * 8, 16, 8);
    }
    draw.dispose();
    return image;
  }

  private static byte[] file(BufferedImage image, String kind) throws IOException {
    var out = new ByteArrayOutputStream();
    assertThat(ImageIO.write(image, kind, out)).as(kind).isTrue();
    return out.toByteArray();
  }

  /** Which of red, green, blue and white is at a place. */
  private static String colour(Picture picture, int x, int y) {
    var names = new StringBuilder();
    for (int c = 0; c < 3; c++) if (picture.at(x, y, c) > 128) names.append("rgb".charAt(c));
    return names.toString();
  }

  private static String corners(Picture picture) {
    int right = picture.width() - 2;
    int bottom = picture.height() - 2;
    return String.join(
        " ",
        colour(picture, 1, 1),
        colour(picture, right, 1),
        colour(picture, 1, bottom),
        colour(picture, right, bottom));
  }

  @ParameterizedTest
  @ValueSource(strings = {"png", "jpeg", "gif", "bmp", "tiff"})
  void everyKindIsRead(String kind) throws IOException {
    var picture = Pictures.read(file(four(BufferedImage.TYPE_INT_RGB), kind));
    assertThat(picture.width()).isEqualTo(32);
    assertThat(corners(picture)).isEqualTo("r g b rgb");
  }

  @Test
  void webpIsRead() {
    var file = Base64.getDecoder().decode("UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==");
    assertThat(Pictures.read(file).width()).isEqualTo(1);
  }

  @Test
  void sixteenBitsGreyAndPalettesAreRead() throws IOException {
    var deep = Pictures.read(file(four(BufferedImage.TYPE_USHORT_GRAY), "png"));
    assertThat(deep.at(31, 15, 0)).isEqualTo(255);
    assertThat(deep.at(31, 15, 2)).isEqualTo(255);
    byte[] red = {(byte) 200, 0};
    byte[] none = {0, 0};
    byte[] seen = {0, (byte) 255}; // the red one is transparent
    var palette = new IndexColorModel(1, 2, red, none, none, seen);
    var image = new BufferedImage(4, 4, BufferedImage.TYPE_BYTE_BINARY, palette);
    var read = Pictures.read(file(image, "png"));
    assertThat(read.at(0, 0, 0)).as("what is transparent has its colour").isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource({
    "1, r g b rgb",
    "2, g r rgb b",
    "3, rgb b g r",
    "4, b rgb r g",
    "5, r b g rgb",
    "6, b r rgb g",
    "7, rgb g b r",
    "8, g rgb r b",
    "9, r g b rgb"
  })
  void camerasSayWhichWayIsUp(int orientation, String corners) throws IOException {
    var plain = file(four(BufferedImage.TYPE_INT_RGB), "jpeg");
    var exif = ByteBuffer.allocate(36);
    exif.putShort((short) 0xFFE1).putShort((short) 34).put(new byte[] {'E', 'x', 'i', 'f', 0, 0});
    exif.put(new byte[] {'M', 'M', 0, 42}).putInt(8).putShort((short) 1);
    exif.putShort((short) 0x0112).putShort((short) 3).putInt(1).putShort((short) orientation);
    var turned = new ByteArrayOutputStream();
    turned.write(plain, 0, 2);
    turned.write(exif.array());
    turned.write(plain, 2, plain.length - 2);
    var picture = Pictures.read(turned.toByteArray());
    assertThat(corners(picture)).isEqualTo(corners);
    assertThat(picture.width()).isEqualTo(orientation >= 5 && orientation <= 8 ? 16 : 32);
  }

  @Test
  void aBombIsRefusedBeforeItIsRead() throws IOException {
    var file = file(four(BufferedImage.TYPE_INT_RGB), "png");
    ByteBuffer.wrap(file).putInt(16, 20_000).putInt(20, 20_000);
    var sum = new java.util.zip.CRC32();
    sum.update(file, 12, 17);
    ByteBuffer.wrap(file).putInt(29, (int) sum.getValue());
    assertThatThrownBy(() -> Pictures.read(file))
        .isInstanceOf(ImageException.class)
        .hasMessageContaining("20000 by 20000 pixels");
  }

  @Test
  void whatIsNoPictureIsSaidToBeNone() {
    assertThatThrownBy(() -> Pictures.read("<svg></svg>".getBytes()))
        .isInstanceOf(ImageException.class)
        .hasMessageContaining("begins with 3c737667");
    assertThatThrownBy(() -> Pictures.read(new byte[0])).hasMessageContaining("nothing");
    assertThatThrownBy(() -> Pictures.read("RIFF\4\0\0\0WAVE".getBytes()))
        .isInstanceOf(ImageException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"png", "jpeg", "gif", "bmp", "tiff"})
  void damagedFilesAreRefusedOrRead(String kind) throws IOException {
    var whole = file(four(BufferedImage.TYPE_INT_RGB), kind);
    var random = new Random(7);
    for (int i = 0; i < 400; i++) {
      var damaged = i % 4 == 0 ? Arrays.copyOf(whole, random.nextInt(whole.length)) : whole.clone();
      for (int n = random.nextInt(4); n >= 0 && damaged.length > 4; n--) {
        damaged[4 + random.nextInt(damaged.length - 4)] = (byte) random.nextInt();
      }
      try {
        assertThat(Pictures.read(damaged).width()).isPositive();
      } catch (ImageException declared) {
        assertThat(declared).hasMessageNotContainingAny("java.", "Exception");
      }
    }
  }

  @Test
  void halfAPictureIsNone() throws IOException {
    for (var kind : new String[] {"png", "jpeg"}) {
      var whole = file(four(BufferedImage.TYPE_INT_RGB), kind);
      assertThatThrownBy(() -> Pictures.read(Arrays.copyOf(whole, whole.length - 20)))
          .isInstanceOf(ImageException.class)
          .hasMessageContaining("incomplete");
    }
  }

  /** Its reader would make up each byte that is missing, and an exception for each. */
  @Test
  void aReaderThatGoesOnBehindTheEndIsStopped() {
    for (var hex :
        new String[] {
          "524946461a000000574542505650384c0d0000002f0000001007101111a988fe0700",
          "524946461a000000574542505650384c616161612f61fd0310071011118888fe0700"
        }) {
      assertThatThrownBy(() -> Pictures.read(java.util.HexFormat.of().parseHex(hex)))
          .isInstanceOf(ImageException.class);
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "20000, 1", "1, 20000"})
  void everyShapeIsRead(int width, int height) throws IOException {
    var picture =
        Pictures.read(file(new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB), "png"));
    assertThat(picture.width()).isEqualTo(width);
    assertThat(picture.height()).isEqualTo(height);
  }

  @ParameterizedTest
  @ValueSource(strings = {"png", "jpeg"})
  void interlacedAndProgressiveOnesAreRead(String kind) throws IOException {
    var writer = ImageIO.getImageWritersByFormatName(kind).next();
    var out = new ByteArrayOutputStream();
    try (var stream = ImageIO.createImageOutputStream(out)) {
      writer.setOutput(stream);
      var how = writer.getDefaultWriteParam();
      how.setProgressiveMode(javax.imageio.ImageWriteParam.MODE_DEFAULT);
      var image = new javax.imageio.IIOImage(four(BufferedImage.TYPE_INT_RGB), null, null);
      writer.write(null, image, how);
    }
    assertThat(corners(Pictures.read(out.toByteArray()))).isEqualTo("r g b rgb");
  }

  @Test
  void ofAnAnimationTheFirstIsRead() throws IOException {
    var writer = ImageIO.getImageWritersByFormatName("gif").next();
    var out = new ByteArrayOutputStream();
    try (var stream = ImageIO.createImageOutputStream(out)) {
      writer.setOutput(stream);
      writer.prepareWriteSequence(null);
      var first = new javax.imageio.IIOImage(four(BufferedImage.TYPE_INT_RGB), null, null);
      var next = new BufferedImage(32, 16, BufferedImage.TYPE_INT_RGB);
      writer.writeToSequence(first, null);
      writer.writeToSequence(new javax.imageio.IIOImage(next, null, null), null);
      writer.endWriteSequence();
    }
    assertThat(corners(Pictures.read(out.toByteArray()))).isEqualTo("r g b rgb");
  }

  /** A chunk of a PNG before its pixels. */
  private static byte[] withChunk(byte[] png, String name, byte[] body) {
    var all = ByteBuffer.allocate(png.length + 12 + body.length);
    all.put(png, 0, 33).putInt(body.length).put(name.getBytes()).put(body);
    var sum = new java.util.zip.CRC32();
    sum.update(all.array(), 37, 4 + body.length);
    all.putInt((int) sum.getValue()).put(png, 33, png.length - 33);
    return all.array();
  }

  /** A profile that inflates to 32 megabytes, and one that is none. */
  @Test
  void profilesOfColoursAreLeftAlone() throws IOException {
    var png = file(four(BufferedImage.TYPE_INT_RGB), "png");
    var packed = new ByteArrayOutputStream();
    packed.write(new byte[] {'x', 0, 0});
    try (var deflated = new java.util.zip.DeflaterOutputStream(packed)) {
      for (int i = 0; i < 32; i++) deflated.write(new byte[1 << 20]);
    }
    for (var profile : new byte[][] {packed.toByteArray(), {'x', 0, 0, 1, 2, 3}}) {
      try {
        assertThat(corners(Pictures.read(withChunk(png, "iCCP", profile)))).isEqualTo("r g b rgb");
      } catch (ImageException declared) {
        assertThat(declared).hasMessageContaining("PNG");
      }
    }
  }

  /** Segments of a JPEG before all others. */
  private static byte[] withSegment(byte[] jpeg, int marker, byte[] body) {
    var all = ByteBuffer.allocate(jpeg.length + 4 + body.length);
    all.put(jpeg, 0, 2).putShort((short) (0xFF00 | marker)).putShort((short) (2 + body.length));
    return all.put(body).put(jpeg, 2, jpeg.length - 2).array();
  }

  private static byte[] joined(String name, byte[] rest) {
    var out = new ByteArrayOutputStream();
    out.writeBytes(name.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1));
    out.writeBytes(rest);
    return out.toByteArray();
  }

  /** A model was trained on the numbers of a file, not on what they mean. */
  @Test
  void aProfileChangesNoNumberOfAPhotograph() throws IOException {
    var image = new BufferedImage(16, 16, BufferedImage.TYPE_INT_RGB);
    for (int i = 0; i < 256; i++) image.setRGB(i % 16, i / 16, 0x406080);
    var jpeg = file(image, "jpeg");
    var linear = ICC_Profile.getInstance(ColorSpace.CS_LINEAR_RGB).getData();
    var profile = withSegment(jpeg, 0xE2, joined("ICC_PROFILE\0\1\1", linear));
    var plain = Pictures.read(jpeg);
    var read = Pictures.read(profile);
    for (int c = 0; c < 3; c++) assertThat(read.at(3, 3, c)).isEqualTo(plain.at(3, 3, c));
  }

  /** Whoever wrote them, four channels say how little ink there is, as Adobe has it. */
  @Test
  void fourChannelsAreInks() throws IOException {
    var writer = ImageIO.getImageWritersByFormatName("jpeg").next();
    var raster = Raster.createInterleavedRaster(DataBuffer.TYPE_BYTE, 8, 8, 4, null);
    for (int i = 0; i < 64; i++) raster.setPixel(i % 8, i / 8, new int[] {255, 64, 128, 192});
    var out = new ByteArrayOutputStream();
    try (var stream = ImageIO.createImageOutputStream(out)) {
      writer.setOutput(stream);
      writer.write(new javax.imageio.IIOImage(raster, null, null));
    }
    var bare = out.toByteArray();
    var adobe = withSegment(bare, 0xEE, joined("Adobe\0\144\0\0\0\0", new byte[1]));
    for (var file : new byte[][] {bare, adobe}) {
      var picture = Pictures.read(file);
      assertThat(picture.at(4, 4, 0)).isBetween(190, 194);
      assertThat(picture.at(4, 4, 1)).isBetween(46, 50);
      assertThat(picture.at(4, 4, 2)).isBetween(94, 98);
    }
  }

  @Test
  void aPictureIsOnTheScreenThatItsFileSays() throws IOException {
    var gif = file(four(BufferedImage.TYPE_INT_RGB), "gif");
    var screen = ByteBuffer.wrap(gif).order(java.nio.ByteOrder.LITTLE_ENDIAN);
    int picture =
        new String(gif, java.nio.charset.StandardCharsets.ISO_8859_1).indexOf(",\0\0\0\0 ");
    screen.putShort(6, (short) 40).putShort(8, (short) 30);
    screen.putShort(picture + 1, (short) 5).putShort(picture + 3, (short) 7);
    var read = Pictures.read(gif);
    assertThat(read.width()).isEqualTo(40);
    assertThat(read.height()).isEqualTo(30);
    assertThat(colour(read, 5, 7)).isEqualTo("r");
    assertThat(colour(read, 36, 22)).isEqualTo("rgb");
    assertThat(colour(read, 39, 29)).isEqualTo(colour(read, 0, 0));
    screen.putShort(6, (short) 60_000).putShort(8, (short) 60_000);
    assertThatThrownBy(() -> Pictures.read(gif)).hasMessageContaining("60000 by 60000 pixels");
  }

  /** Offsets that lead around, far away or nowhere. */
  @Test
  void exifTrapsTurnNothing() throws IOException {
    var png = file(four(BufferedImage.TYPE_INT_RGB), "png");
    for (int offset : new int[] {0, 8, -1, Integer.MAX_VALUE, 1 << 20}) {
      var exif = ByteBuffer.allocate(40).put(new byte[] {'M', 'M', 0, 42}).putInt(offset);
      exif.putShort((short) -1).putShort((short) 0x0112).putShort((short) 3).putInt(-1).putInt(-1);
      assertThat(corners(Pictures.read(withChunk(png, "eXIf", exif.array()))))
          .isEqualTo("r g b rgb");
    }
  }

  /**
   * What else a file is behind its picture is nobody's business, and before it, it is no picture.
   */
  @Test
  void polyglotsAreTheirPictureOrNothing() throws IOException {
    var png = file(four(BufferedImage.TYPE_INT_RGB), "png");
    var zip = "PK\3\4<script>alert(1)</script>".getBytes();
    var behind = Arrays.copyOf(png, png.length + zip.length);
    System.arraycopy(zip, 0, behind, png.length, zip.length);
    assertThat(corners(Pictures.read(behind))).isEqualTo("r g b rgb");
    var before = new byte[zip.length + png.length];
    System.arraycopy(zip, 0, before, 0, zip.length);
    System.arraycopy(png, 0, before, zip.length, png.length);
    assertThatThrownBy(() -> Pictures.read(before)).isInstanceOf(ImageException.class);
    var mixed = png.clone();
    System.arraycopy("GIF89a".getBytes(), 0, mixed, 0, 6);
    assertThatThrownBy(() -> Pictures.read(mixed)).isInstanceOf(ImageException.class);
  }
}
