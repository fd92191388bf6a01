package weft.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import weft.image.PatchRules.Colour;

/** Patches against those that Hugging Face's processor makes of the same pictures. */
class PatchesTest {
  private static final String GOLDEN = "/golden/qwen35-vl/";
  private static final PatchRules QWEN =
      new PatchRules(
          new Sizing.Within(256, 4096),
          Resampling.BICUBIC,
          8,
          2,
          2,
          Colour.grey(0.5f),
          Colour.grey(0.5f));

  private static byte[] resource(String name) throws IOException {
    try (var in = PatchesTest.class.getResourceAsStream(GOLDEN + name)) {
      assertThat(in).as(name).isNotNull();
      return in.readAllBytes();
    }
  }

  /** A tensor of floats of a safetensors file: a header that names where it is, then bytes. */
  private static float[] tensor(String name) throws IOException {
    var file = ByteBuffer.wrap(resource("golden.safetensors")).order(ByteOrder.LITTLE_ENDIAN);
    int length = (int) file.getLong(0);
    var header = new String(file.array(), 8, length, StandardCharsets.UTF_8);
    var entry =
        Pattern.compile(
                Pattern.quote("\"" + name + "\"")
                    + ":\\{[^}]*\"data_offsets\":\\s*\\[(\\d+),\\s*(\\d+)")
            .matcher(header);
    assertThat(entry.find()).as(name).isTrue();
    int from = 8 + length + Integer.parseInt(entry.group(1));
    int to = 8 + length + Integer.parseInt(entry.group(2));
    var values = new float[(to - from) / Float.BYTES];
    file.slice(from, to - from).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().get(values);
    return values;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void patchesAreThoseOfTheProcessor(int image) throws IOException {
    var patches = QWEN.patches(Pictures.read(resource("image" + image + ".png")));
    float[] expected = tensor(image + ".pixel_values");
    assertThat(patches.count()).isEqualTo(24);
    assertThat(patches.rows()).isEqualTo(image == 0 ? 4 : 6);
    assertThat(patches.values()).hasSameSizeAs(expected);
    double worst = 0;
    for (int i = 0; i < expected.length; i++) {
      worst = Math.max(worst, Math.abs(expected[i] - patches.values()[i]));
    }
    // The same bytes: a step of one would be 2/255.
    assertThat(worst).isLessThan(1e-6);
  }

  /** What Python gives for the same numbers. */
  @ParameterizedTest
  @CsvSource({
    "1024, 768, 28, 3136, 1003520, 1036, 756",
    "1, 1, 32, 65536, 16777216, 256, 256",
    "640, 480, 32, 65536, 16777216, 640, 480",
    "48, 80, 32, 1024, 16777216, 64, 64",
    "8000, 40, 28, 3136, 1003520, 8008, 28",
    "5000, 4000, 32, 65536, 1048576, 1120, 896",
    "112, 80, 32, 1024, 16777216, 128, 64",
  })
  void sizesAreSmart(int width, int height, int factor, long fewest, long most, int w, int h) {
    var size = new Sizing.Within(fewest, most).of(width, height, factor);
    assertThat(size).isEqualTo(new Sizing.Size(w, h));
  }

  @Test
  void narrowPicturesAreRefused() {
    assertThatThrownBy(() -> new Sizing.Within(1, 4096).of(20000, 1, 16))
        .isInstanceOf(ImageException.class)
        .hasMessageContaining("20000 by 1 pixels is too narrow");
  }

  @Test
  void aFixedSizeMustBeWholePatches() {
    assertThat(new Sizing.Fixed(896, 896).of(5, 7, 14)).isEqualTo(new Sizing.Size(896, 896));
    assertThatThrownBy(() -> new Sizing.Fixed(900, 896).of(5, 7, 14))
        .isInstanceOf(ImageException.class);
  }

  @Test
  void ofOneColourEverySizeIsOfThatColour() {
    var pixels = new byte[3 * 31 * 17];
    for (int i = 0; i < pixels.length; i++) pixels[i] = (byte) (i % 3 * 100);
    for (var way : Resampling.values()) {
      var sized = way.resize(Picture.of(31, 17, pixels), 97, 5);
      for (int c = 0; c < 3; c++) assertThat(sized.at(96, 4, c)).isEqualTo(c * 100);
    }
  }

  @Test
  void valuesAreRelativeToMeanAndDeviation() {
    var rules =
        new PatchRules(
            new Sizing.Fixed(2, 2),
            Resampling.BILINEAR,
            2,
            1,
            1,
            new Colour(0.5f, 0, 0),
            new Colour(0.5f, 1, 2));
    var patches = rules.patches(Picture.of(1, 1, new byte[] {(byte) 255, (byte) 255, 0}));
    assertThat(patches.values()[0]).isEqualTo(1, within(1e-6f));
    assertThat(patches.values()[4]).isEqualTo(1, within(1e-6f));
    assertThat(patches.values()[8]).isEqualTo(0, within(1e-6f));
  }
}
