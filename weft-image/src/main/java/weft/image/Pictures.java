package weft.image;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.stream.MemoryCacheImageInputStream;

/**
 * Reads files of pictures that strangers send: what they are is told by their bytes, how large they
 * are is known before room is made for them, and whatever is wrong with them is an {@link
 * ImageException}. Of a film or a stack of pictures the first is read.
 */
public final class Pictures {
  /** A photograph of 48 megapixels can be read; its pixels take 150 MB on the way. */
  public static final long MOST_PIXELS = 50_000_000;

  public static final long MOST_BYTES = 64L << 20;

  /** Wider or higher ones are no pictures; readers make tables of a row. */
  private static final int LONGEST_SIDE = 65_535;

  /** A progressive picture goes over all pixels for each of its scans; usual ones have ten. */
  private static final int MOST_SCANS = 64;

  /** Of a picture with many scans, all of which go over all pixels. */
  private static final long MOST_SCANNED = 12 * MOST_PIXELS;

  /** So few are in memory at the same time: each may take that of the largest. */
  private static final Semaphore READERS = new Semaphore(2);

  private Pictures() {}

  /** Throws unless a file begins as a picture does, which says little of the rest. */
  public static void requireKnown(byte[] file) {
    if (Kind.of(file).isEmpty()) throw new ImageException(unknown(file));
  }

  /** The first picture of a file, upright. */
  public static Picture read(byte[] file) {
    return read(file, MOST_PIXELS);
  }

  /** The same, of at most so many pixels. */
  public static Picture read(byte[] file, long mostPixels) {
    return read(file, mostPixels, picture -> picture);
  }

  /**
   * What is made of a picture that is not needed any longer then: so few are in memory at the same
   * time, however many ask.
   */
  public static <T> T read(byte[] file, Function<Picture, T> use) {
    return read(file, MOST_PIXELS, use);
  }

  private static <T> T read(byte[] file, long mostPixels, Function<Picture, T> use) {
    if (file.length > MOST_BYTES) {
      throw new ImageException(
          "an image has %d bytes; %d is the most that is taken".formatted(file.length, MOST_BYTES));
    }
    var kind = kind(file);
    return within(
        kind,
        () ->
            use.apply(
                Turn.upright(
                    Exif.orientation(kind, file),
                    Pixels.of(decoded(kind, file, Math.min(mostPixels, MOST_PIXELS))))));
  }

  /** What a file is that is there to its end. */
  static Kind kind(byte[] file) {
    var kind = Kind.of(file).orElseThrow(() -> new ImageException(unknown(file)));
    Endings.require(kind, file, MOST_SCANS);
    return kind;
  }

  /** Does something for which a picture is in memory, as few do at the same time. */
  static <T> T within(Kind kind, Supplier<T> reading) {
    READERS.acquireUninterruptibly();
    try {
      return reading.get();
    } catch (OutOfMemoryError e) {
      // What a header asks for; who shares the memory goes on.
      throw new ImageException(
          "the %s image takes more memory than there is; make it smaller".formatted(kind), e);
    } finally {
      READERS.release();
    }
  }

  private static String unknown(byte[] file) {
    var film = FilmKind.of(file);
    if (film.isPresent()) return film.get().refusal();
    var begins = HexFormat.of().formatHex(file, 0, Math.min(4, file.length));
    return "this is no image that can be read: PNG, JPEG, WebP, GIF, BMP or TIFF is, but it begins with "
        + (begins.isEmpty() ? "nothing" : begins);
  }

  /** The first picture of a file; all that it throws is declared. */
  static BufferedImage decoded(Kind kind, byte[] file, long mostPixels) {
    try {
      return switch (kind) {
        case WEBP -> new WebpPixels(file, WebpChunks.firstPicture(file), mostPixels).image();
        case GIF -> onScreen(file, library(kind, file, mostPixels), mostPixels);
        case JPEG -> library(kind, JpegSegments.withoutProfiles(file), mostPixels);
        case PNG, BMP, TIFF -> library(kind, file, mostPixels);
      };
    } catch (IOException e) {
      throw damaged(kind, e);
    }
  }

  /** As the reader of its kind gives it. */
  static BufferedImage library(Kind kind, byte[] file, long mostPixels) {
    var reader = reader(kind);
    try (var stream = new MemoryCacheImageInputStream(new Bytes(file))) {
      reader.setInput(stream, true, true);
      requireSize(kind, reader.getWidth(0), reader.getHeight(0), mostPixels);
      requireScans(kind, file, (long) reader.getWidth(0) * reader.getHeight(0));
      boolean isTall = kind == Kind.JPEG && JpegSegments.isTall(file) && reader.canReadRaster();
      BufferedImage read = isTall ? TallColours.of(reader.readRaster(0, null)) : reader.read(0);
      requireSize(kind, read.getWidth(), read.getHeight(), mostPixels);
      return read;
    } catch (ImageException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      // Readers throw whatever they stumble over, and their words are not for strangers.
      throw damaged(kind, e);
    } finally {
      reader.dispose();
    }
  }

  static ImageException damaged(Kind kind, Exception cause) {
    return new ImageException(damaged(kind).getMessage(), cause);
  }

  static ImageException damaged(Kind kind) {
    return new ImageException(
        "the %s image cannot be read: it is damaged, incomplete or of a kind that is not known"
            .formatted(kind));
  }

  private static BufferedImage onScreen(byte[] file, BufferedImage read, long mostPixels) {
    var screen = GifScreen.of(file);
    if (screen.isEmpty()) return read;
    requireSize(Kind.GIF, screen.get().width(), screen.get().height(), mostPixels);
    return screen.get().with(read);
  }

  private static ImageReader reader(Kind kind) {
    List<ImageReader> all = new ArrayList<>();
    ImageIO.getImageReadersByFormatName(kind.reader()).forEachRemaining(all::add);
    // TwelveMonkeys reads what the JDK's own does not (CMYK); each stays ready for the other.
    return all.stream()
        .filter(reader -> reader.getClass().getName().startsWith("com.twelvemonkeys."))
        .findFirst()
        .or(() -> all.stream().findFirst())
        .orElseThrow(() -> new ImageException("this installation has no reader of " + kind));
  }

  private static void requireScans(Kind kind, byte[] file, long pixels) {
    if (kind == Kind.JPEG && Endings.scans(file) * pixels > MOST_SCANNED) {
      throw new ImageException(
          "the JPEG image goes over its %d pixels %d times; %d in all are the most that are taken"
              .formatted(pixels, Endings.scans(file), MOST_SCANNED));
    }
  }

  static void requireSize(Kind kind, int width, int height, long mostPixels) {
    if (width < 1 || height < 1) {
      throw new ImageException("the %s image has no pixels".formatted(kind));
    }
    if (width > LONGEST_SIDE || height > LONGEST_SIDE || (long) width * height > mostPixels) {
      throw new ImageException(
          "the %s image has %d by %d pixels; %d in all and %d a side are the most that are taken; make it smaller"
              .formatted(kind, width, height, mostPixels, LONGEST_SIDE));
    }
  }
}
