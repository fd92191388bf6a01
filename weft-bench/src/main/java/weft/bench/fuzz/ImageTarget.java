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
import java.util.zip.CRC32;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriteParam;
import weft.image.ImageException;
import weft.image.Pictures;

/** Files of pictures: whatever the bytes are, they are a picture of its size or a sentence. */
final class ImageTarget implements Target {
  /** Headers that ask for more are refused as they would be for fifty times as many. */
  private static final long MOST_PIXELS = 1 << 20;

  private static final int PNG_HEAD = 8;

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
    seeds.add(Base64.getDecoder().decode("UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA=="));
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

  /** A PNG's sums are made right most often: else nothing behind them is read. */
  @Override
  public byte[] mutate(byte[] input, byte[] other, Draw draw) {
    byte[] bytes = input;
    for (int i = draw.small(3); i >= 0; i--) bytes = ByteMutation.mutate(bytes, other, draw);
    return draw.oneIn(6) ? bytes : summed(bytes);
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
