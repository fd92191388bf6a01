package weft.image;

import java.util.List;
import java.util.function.Consumer;

/** A video as a picture's file for each frame, so many a second. */
record FrameFiles(List<byte[]> files, double perSecond) implements Reel {
  FrameFiles {
    Reel.requireFrames(files.size());
    Reel.requireRate(perSecond);
  }

  @Override
  public int frames() {
    return files.size();
  }

  @Override
  public double begins(int frame) {
    return frame / perSecond;
  }

  @Override
  public double seconds() {
    return files.size() / perSecond;
  }

  @Override
  public void read(int[] frames, Consumer<Picture> use) {
    for (int frame : frames) {
      try {
        use.accept(Pictures.read(files.get(frame)));
      } catch (ImageException e) {
        throw e.about("frame " + frame);
      }
    }
  }
}
