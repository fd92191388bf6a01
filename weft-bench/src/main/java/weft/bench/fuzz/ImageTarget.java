package weft.bench.fuzz;

import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.IntStream;
import java.util.zip.CRC32;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriteParam;
import weft.image.ImageException;
import weft.image.Pictures;
import weft.image.Reel;

/**
 * Files of pictures and of videos: whatever the bytes are, they are a picture of its size or a
 * sentence.
 */
final class ImageTarget implements Target {
  /** Headers that ask for more are refused as they would be for fifty times as many. */
  private static final long MOST_PIXELS = 1 << 20;

  private static final int PNG_HEAD = 8;

  private static final String LOSSLESS = "UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==";
  private static final String LOSSY =
      "UklGRl4AAABXRUJQVlA4IFIAAADwAQCdASoMAAoABUB8JbACdADhaQvjHQAA+oo8V7RtfcMxgv4hl+jzvsiB"
          + "Vl2waV3qDhaX6yQqo1mWYnblthsmH2KhNyfLy0ORRSa4f+8PwcAA";
  private static final String MOVING_GIF =
      "R0lGODlhDAAKAIEAAMrDS2u2po97jZZFOCH5BAAKAAAALAAAAAAMAAoAAAhCAAcIHCCgoIABARIKNMhQgEKD"
          + "AwkKABCgYMSIFS0KTJgQAEWLFDsCEAjAYgCKAzySzHjypMeRIQtSfLlS4cyULwMCACH5BAEKAAQALAAAAAAM"
          + "AAoAgcDUh4becXpzl4oj1Qg/AAMIHAgAgICDAwYSPIhw4ICHAgoaFCDw4YCIEg0GsDigoEWPDw1m7AjAIsWC"
          + "AUQahCgxJUaEHUm2hNgRY8uAACH5BAEKAAQALAAAAAAMAAoAgb7FPsqEkFheijonewg9AAUIHDig4ICBCA0a"
          + "RCgwgMMABwUWfEgR4kSHAypaDABAgEMAADKGzMjxI4CPF0+CPMnRYMmVKxWq5LgyIAA7";
  private static final String MOVING_PNG =
      "iVBORw0KGgoAAAANSUhEUgAAAAwAAAAKCAIAAAAPTiitAAAACGFjVEwAAAADAAAAAM7tusAAAAAaZmNUTAAA"
          + "AAAAAAAMAAAACgAAAAAAAAAAAAEACgAAs6AGEQAAAJlJREFUeJxjnOZqwQADP81C4Wz2U6uvFuZB2IwQRcjS"
          + "yOCOtSQDAwMLsgr2U6vRTI3nXbrwczQLhIMsjaxhoXWeytHnLGhycHdAjDFhWLrQOhqhyKROeOHnaLg0AwPD"
          + "maa3DAwM8XVLmeCKFn6Ohshp909CM54J4n5k35nUCaMxmOD+VDn6HM0AiHVQRRB1yB6ESJvUCUMMAwC24jlQ"
          + "w9RWWgAAABpmY1RMAAAAAQAAAAwAAAAKAAAAAAAAAAAAAQAKAAAo0+zFAAAAmWZkQVQAAAACeJxjbLtXyIAK"
          + "rL6JMTAw7JovAOEKbLBjYsAG4CoggAXBck2Bqgg45Jb4Aa76Q8AhJjQVH5BUMDAwQNgsyCrgoqf8/SBcs42b"
          + "3BI/MMFVmG3c9CHgEJxttnETXCfC4bvmC/Bk34Kwj3G9glgNVQRnwT2PCZjgOgQ22MFdA1ENcd8xrldMAhvs"
          + "BDbYwc1DNhgOAPsGO2zpIGNoAAAAGmZjVEwAAAADAAAADAAAAAoAAAAAAAAAAAABAAoAAMVFPywAAAB6ZmRB"
          + "VAAAAAR4nGOMiOtiQAWPTn6Es+XM+RkYGJjwqIBzWdAUTYgVhbMLFr+GmMQCV44sjayhYPFrJjQVBYtfYypF"
          + "uOmL47q+W78gqr84rvviuA6i4YvjOoQinv1BaelbsLoP3XcQrWgiTLicArcUxSRkdTz7g5BVAwChTzWA0cS5"
          + "yQAAAABJRU5ErkJggg==";
  private static final String MOVING_WEBP =
      "UklGRq4BAABXRUJQVlA4WAoAAAASAAAACwAACQAAQU5JTQYAAAAAAAAAAABBTk1GYAAAAAAAAAAAAAsAAAkA"
          + "AGQAAAJWUDggSAAAAFABAJ0BKgwACgAHQJYlsAAGBoAA/sPbwdALaD3zhGtlYbytOKe88UMa8DzPnX3K+/cU"
          + "MGJV2J7K4F3bgwhtN/gdOnQR1ZAAAEFOTUaMAAAAAAAAAAAACwAACQAAZAAAAkFMUEgZAAAAAQ9wrdKICKGg"
          + "bRsGQmAX9tnhENH/MEbPFwBWUDggUgAAAFABAJ0BKgwACgAHQJYlsAAFjAAA/tA10DFH1+XZGHuEK8XOxsgI"
          + "Vqkqgwt/qaP2X+/pcIZPo5kK4dyCAz+4QNZ9TpnsTGaP3BzhxCb2DKkAAABBTk1GhgAAAAAAAAAAAAsAAAkA"
          + "AGQAAAJBTFBIGQAAAAEPcK3SiAihoG0bBkJgF/bZ4RDR/zBGzxcAVlA4IEwAAABQAQCdASoMAAoAB0CWJbAA"
          + "BYwAAOQ/2Z/85om997buVK/j55ZTSmL/UsakAxYR8Gd5bljYGSfuFHAbHpanOnXseMzeLOM8WzZabsAA";

  @Override
  public String name() {
    return "image";
  }

  @Override
  public List<byte[]> seeds() {
    var seeds = new ArrayList<byte[]>();
    for (var kind : List.of("png", "jpeg", "gif", "bmp", "tiff")) {
      seeds.add(written(kind, BufferedImage.TYPE_INT_RGB, false));
    }
    seeds.add(written("png", BufferedImage.TYPE_USHORT_GRAY, false));
    seeds.add(written("png", BufferedImage.TYPE_BYTE_INDEXED, false));
    seeds.add(written("jpeg", BufferedImage.TYPE_INT_RGB, true));
    for (var packed : List.of(LOSSLESS, LOSSY, MOVING_GIF, MOVING_PNG, MOVING_WEBP)) {
      seeds.add(Base64.getDecoder().decode(packed));
    }
    seeds.add(WebpMutation.covered(Base64.getDecoder().decode(LOSSY), 12 * 10));
    return seeds;
  }

  /** Interlaced or progressive, unless as the writer likes. */
  private static byte[] written(String kind, int type, boolean isProgressive) {
    var image = new BufferedImage(8, 8, type);
    var draw = image.createGraphics();
    draw.setColor(Color.ORANGE);
    draw.fillRect(1, 2, 4, 5);
    draw.dispose();
    var out = new ByteArrayOutputStream();
    var writer = ImageIO.getImageWritersByFormatName(kind).next();
    try (var stream = ImageIO.createImageOutputStream(out)) {
      writer.setOutput(stream);
      var how = writer.getDefaultWriteParam();
      if (how.canWriteProgressive() && isProgressive) {
        how.setProgressiveMode(ImageWriteParam.MODE_DEFAULT);
      }
      writer.write(null, new IIOImage(image, null, null), how);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      writer.dispose();
    }
    return out.toByteArray();
  }

  /** Sums of a PNG and sizes of a WebP are made right most often: else nothing more is read. */
  @Override
  public byte[] mutate(byte[] input, byte[] other, Draw draw) {
    byte[] bytes = input;
    for (int i = draw.small(3); i >= 0; i--) {
      boolean isOfParts = WebpMutation.isWebp(bytes) && draw.oneIn(3);
      bytes =
          isOfParts ? WebpMutation.mutate(bytes, draw) : ByteMutation.mutate(bytes, other, draw);
    }
    return draw.oneIn(6) ? bytes : WebpMutation.sized(summed(bytes));
  }

  private static byte[] summed(byte[] file) {
    var bytes = file.clone();
    if (bytes.length < PNG_HEAD || bytes[1] != 'P') return bytes;
    var view = ByteBuffer.wrap(bytes);
    for (long at = PNG_HEAD; at + 12 <= bytes.length; ) {
      long length = view.getInt((int) at) & 0xFFFF_FFFFL;
      if (at + 12 + length > bytes.length) break;
      var sum = new CRC32();
      sum.update(bytes, (int) at + 4, (int) length + 4);
      view.putInt((int) (at + 8 + length), (int) sum.getValue());
      at += 12 + length;
    }
    return bytes;
  }

  @Override
  public void run(byte[] input) {
    var picture = Pictures.read(input, MOST_PIXELS);
    if ((long) picture.width() * picture.height() > MOST_PIXELS) {
      throw new Violation("more pixels than were allowed");
    }
    picture.at(picture.width() - 1, picture.height() - 1, 2);
    try {
      watch(input, (long) picture.width() * picture.height());
    } catch (ImageException e) {
      // Most pictures are no videos.
      if (!declares(e)) throw e;
    }
  }

  private static void watch(byte[] input, long pixels) {
    var reel = Reel.of(List.of(input), 2);
    if (pixels * reel.frames() > MOST_PIXELS) return;
    reel.read(
        IntStream.range(0, reel.frames()).toArray(),
        frame -> frame.at(frame.width() - 1, frame.height() - 1, 2));
  }

  @Override
  public boolean declares(RuntimeException failure) {
    return failure instanceof ImageException
        && !String.valueOf(failure.getMessage()).matches(".*(java\\.|Exception|null).*");
  }

  /** Pixels several times over, and what readers make of a header before it is refused. */
  @Override
  public long mostAllocated() {
    return 160L << 20;
  }
}
