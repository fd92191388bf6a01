package weft.format;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Opens a GGUF checkpoint of one file, or of the files that llama.cpp splits it into. */
final class GgufCheckpoints {
  private static final Pattern SPLIT_NAME =
      Pattern.compile("(.+)-(\\d{5})-of-(\\d{5})\\.gguf", Pattern.DOTALL);
  private static final int MOST_FILES = 99_999;

  private GgufCheckpoints() {}

  static Checkpoint open(Path path, FileOpener opener) {
    return open(opener.open(path), opener);
  }

  static Checkpoint open(MappedFile first, FileOpener opener) {
    var contents = GgufReader.read(first);
    long count = contents.metadata().integer("split.count").orElse(1);
    var files = new ArrayList<MappedFile>(List.of(first));
    var tensors = new LinkedHashMap<String, StoredTensor>();
    addAll(first, contents, tensors);
    if (count != 1) {
      checkSplit(first, contents.metadata(), 0, count);
      for (int i = 1; i < count; i++) {
        var next = opener.open(sibling(first.path(), i, count));
        var more = GgufReader.read(next);
        checkSplit(next, more.metadata(), i, count);
        addAll(next, more, tensors);
        files.add(next);
      }
    }
    checkTotal(first, contents.metadata(), tensors.size());
    return new Checkpoint(
        first.path(),
        Format.GGUF,
        ConfigKeys.over(contents.metadata(), opener.config(), first),
        tensors,
        files,
        opener.arena());
  }

  private static void addAll(
      MappedFile file, GgufReader.Contents contents, LinkedHashMap<String, StoredTensor> tensors) {
    for (StoredTensor tensor : contents.tensors()) {
      if (tensors.putIfAbsent(tensor.name(), tensor) != null) {
        throw file.broken(
            "tensor "
                + Quoted.text(tensor.name())
                + " is there twice, expected each name once in a checkpoint");
      }
    }
  }

  private static void checkSplit(MappedFile file, Metadata metadata, long number, long count) {
    if (count < 1 || count > MOST_FILES) {
      throw file.broken("split.count is %d, expected 1 to %d".formatted(count, MOST_FILES));
    }
    long saidCount = metadata.integer("split.count").orElseThrow(metadata.absent("split.count"));
    long saidNumber = metadata.integer("split.no").orElseThrow(metadata.absent("split.no"));
    if (saidCount != count) {
      throw file.broken(
          "split.count is %d, but the first file says %d".formatted(saidCount, count));
    }
    if (saidNumber != number) {
      throw file.broken(
          "split.no is %d, expected %d%s"
              .formatted(
                  saidNumber, number, number == 0 ? ": open the first file of the split" : ""));
    }
  }

  private static void checkTotal(MappedFile file, Metadata metadata, int tensors) {
    var said = metadata.integer("split.tensors.count");
    if (said.isPresent() && said.getAsLong() != tensors) {
      throw file.broken(
          "split.tensors.count is %d, but the files hold %d tensors"
              .formatted(said.getAsLong(), tensors));
    }
  }

  private static Path sibling(Path first, int number, long count) {
    Matcher name = SPLIT_NAME.matcher(first.getFileName().toString());
    if (!name.matches()
        || Integer.parseInt(name.group(2)) != 1
        || Integer.parseInt(name.group(3)) != count) {
      throw new FormatException(
          "%s is the first of %d files, so its name must end in -00001-of-%05d.gguf"
              .formatted(first, count, count));
    }
    return first.resolveSibling("%s-%05d-of-%05d.gguf".formatted(name.group(1), number + 1, count));
  }
}
