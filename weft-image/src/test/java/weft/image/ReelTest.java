package weft.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Pictures that move, and what of them a model is shown. */
class ReelTest {
  private static final Path FOLDER = Path.of("src/test/resources/moving");

  /** What Pillow, which reads WebP by its own library, makes of a file: a hash for each picture. */
  record Expected(String file, int width, int height, List<String> hashes) {}

  static List<Expected> expected() throws IOException {
    return Files.readAllLines(FOLDER.resolve("expected.txt")).stream()
        .map(line -> line.split(" "))
        .map(
            words ->
                new Expected(
                    words[0],
                    Integer.parseInt(words[1]),
                    Integer.parseInt(words[2]),
                    List.of(words).subList(3, words.length)))
        .toList();
  }

  private static String hash(Picture picture) {
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(picture.pixels()));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  private static Reel reel(String file) throws IOException {
    return Reel.of(List.of(Files.readAllBytes(FOLDER.resolve(file))), 2);
  }

  @ParameterizedTest
  @MethodSource("expected")
  void picturesAreThoseOfOthersToTheByte(Expected expected) throws IOException {
    var first = Pictures.read(Files.readAllBytes(FOLDER.resolve(expected.file)));
    assertThat(first.width()).isEqualTo(expected.width);
    assertThat(first.height()).isEqualTo(expected.height);
    assertThat(hash(first)).isEqualTo(expected.hashes.getFirst());
    if (expected.hashes.size() == 1) return;
    var reel = reel(expected.file);
    var met = new ArrayList<String>();
    reel.read(IntStream.range(0, reel.frames()).toArray(), frame -> met.add(hash(frame)));
    assertThat(met).isEqualTo(expected.hashes);
    var some = new ArrayList<String>();
    reel.read(new int[] {1, 3}, frame -> some.add(hash(frame)));
    assertThat(some).containsExactly(expected.hashes.get(1), expected.hashes.get(3));
  }

  /** A hundredth of a second is no delay that anybody shows. */
  @Test
  void framesHaveTheirOwnDelays() throws IOException {
    var gif = reel("moves.gif");
    assertThat(IntStream.range(0, 5).mapToDouble(gif::begins).toArray())
        .containsExactly(new double[] {0, 0.1, 0.3, 0.6, 0.7}, within(1e-9));
    assertThat(gif.seconds()).isCloseTo(1.2, within(1e-9));
    var webp = reel("moves.webp");
    assertThat(IntStream.range(0, 5).mapToDouble(webp::begins).toArray())
        .containsExactly(new double[] {0, 0.125, 0.205, 0.295, 0.395}, within(1e-9));
    assertThat(reel("moves.png").seconds()).isEqualTo(1.25);
  }

  private static byte[] file(int width, int height, String kind) {
    var out = new ByteArrayOutputStream();
    try {
      ImageIO.write(new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB), kind, out);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return out.toByteArray();
  }

  @ParameterizedTest
  @ValueSource(strings = {"png", "gif", "jpeg", "bmp", "tiff"})
  void whatDoesNotMoveIsNoVideo(String kind) {
    assertThatThrownBy(() -> Reel.of(List.of(file(4, 4, kind)), 2))
        .isInstanceOf(ImageException.class)
        .hasMessageContaining("does not move");
  }

  @ParameterizedTest
  @CsvSource({
    "0000001866747970, MP4",
    "1A45DFA3A3428681, WebM or Matroska",
    "524946460000000041564920, AVI",
    "4F67675300020000, Ogg"
  })
  void filmsAreRefusedByTheirName(String bytes, String name) {
    var film = HexFormat.of().parseHex(bytes);
    for (var read : List.<Runnable>of(() -> Reel.of(List.of(film), 2), () -> Pictures.read(film))) {
      assertThatThrownBy(read::run)
          .isInstanceOf(ImageException.class)
          .hasMessage(
              "this is a film (%s), which cannot be decoded here; give its frames as pictures, or an animated GIF, PNG or WebP"
                  .formatted(name));
    }
  }

  /** As Transformers' video processor of Qwen3-VL has them. */
  @ParameterizedTest
  @CsvSource({
    "5, 52, 40, 16, 256, 8192, 48, 32",
    "5, 52, 40, 16, 256, 4096, 32, 16",
    "2, 20, 1000, 32, 4096, 25165824, 32, 1600",
    "768, 1920, 1080, 32, 4096, 25165824, 224, 128",
    "7, 1920, 1080, 32, 4096, 25165824, 1920, 1088",
    "3, 8, 8, 32, 131072, 786432, 224, 224",
    "4, 640, 360, 32, 131072, 786432, 576, 320",
    "9, 31, 31, 16, 100, 90000, 32, 32",
    "10, 1280, 720, 32, 4096, 786432, 352, 192",
    "64, 100, 37, 28, 4096, 300000, 112, 28"
  })
  void sizesAreThoseOfTheProcessor(
      int frames, int width, int height, int factor, long few, long most, int wide, int high) {
    assertThat(new Sizing.Filmed(few, most, 2, 2).filmed(frames, 2).of(width, height, factor))
        .isEqualTo(new Sizing.Size(wide, high));
  }

  private static FilmRules rules(int depth) {
    var half = PatchRules.Colour.grey(0.5f);
    var patches =
        new PatchRules(
            new Sizing.Filmed(16, 1 << 20, 2, 2), Resampling.BICUBIC, 2, 2, depth, half, half);
    return new FilmRules(2, 4, 768, depth, patches);
  }

  /** As Transformers' video processor of Qwen3-VL takes them. */
  @ParameterizedTest
  @CsvSource({
    "10, 4, 5, 0 2 4 7 9",
    "100, 30, 6, 0 20 40 59 79 99",
    "3, 2, 3, 0 1 2",
    "1, 2, 1, 0",
    "2000, 1, 768, 0 3 5 8 10 13",
    "48, 24, 4, 0 16 31 47",
    "7, 2, 7, 0 1 2 3 4 5",
    "9, 3, 6, 0 2 3 5 6 8"
  })
  void framesAreTakenAsTheProcessorDoes(int frames, double perSecond, int count, String first) {
    var taken = rules(2).sample(frames, frames / perSecond);
    assertThat(taken).hasSize(count);
    assertThat(taken[count - 1]).isEqualTo(frames - 1);
    int[] begin = Arrays.stream(first.split(" ")).mapToInt(Integer::parseInt).toArray();
    assertThat(taken).startsWith(begin);
  }

  /** The floats of a patch: channel by channel, and within each frame by frame. */
  @Test
  void aMomentHoldsItsFramesBesideEachOther() {
    var one = flat(10);
    var other = flat(200);
    var cut = rules(2).patches().cut(List.of(one, other));
    assertThat(cut.count()).isEqualTo(4);
    for (int i = 0; i < cut.values().length; i++) {
      int frame = i / 4 % 2;
      float expected = ((frame == 0 ? 10 : 200) - 127.5f) / 127.5f;
      assertThat(cut.values()[i]).isEqualTo(expected);
    }
  }

  private static Picture flat(int value) {
    var bytes = new byte[4 * 4 * 3];
    Arrays.fill(bytes, (byte) value);
    return Picture.of(4, 4, bytes);
  }

  @Test
  void theLastFrameIsRepeatedForAWholeMoment() throws IOException {
    var moments = rules(2).moments(reel("moves.gif"));
    assertThat(moments.stream().map(Moment::second)).hasSize(2);
    var files = List.of(file(4, 4, "png"), file(4, 4, "png"), file(4, 4, "png"));
    var three = rules(2).moments(Reel.of(files, 2));
    assertThat(three.stream().map(Moment::second)).containsExactly(0.25, 1.0);
    assertThat(three.getLast().frames().get(1)).isSameAs(three.getLast().frames().get(0));
  }

  @Test
  void whatIsWrongWithAFrameIsSaidWithItsNumber() {
    var files = List.of(file(4, 4, "png"), new byte[] {1, 2, 3, 4});
    assertThatThrownBy(() -> rules(2).moments(Reel.of(files, 2)))
        .isInstanceOf(ImageException.class)
        .hasMessageStartingWith("frame 1: this is no image that can be read");
    assertThatThrownBy(() -> Reel.of(List.of(file(4, 4, "png"), file(4, 4, "png")), 0))
        .isInstanceOf(ImageException.class)
        .hasMessageContaining("frames a second");
    assertThatThrownBy(() -> Reel.of(List.of(), 2)).hasMessage("the video has no frames");
  }

  /** A header costs nothing: what it asks for is counted before room is made for it. */
  @Test
  void videosOfTooManyPixelsAreRefused() throws IOException {
    var gif = Files.readAllBytes(FOLDER.resolve("moves.gif"));
    for (int at : new int[] {6, 8}) { // the screen's width and height
      gif[at] = (byte) 0x58;
      gif[at + 1] = (byte) 0x1B;
    }
    gif[7] = (byte) 0x40;
    assertThatThrownBy(() -> Reel.of(List.of(gif), 2))
        .isInstanceOf(ImageException.class)
        .hasMessageContaining("make it smaller");
    var many = new ArrayList<byte[]>();
    for (int i = 0; i <= Reel.MOST_FRAMES; i++) many.add(gif);
    assertThatThrownBy(() -> Reel.of(many, 2))
        .isInstanceOf(ImageException.class)
        .hasMessageContaining("more than 10000 frames");
  }
}
