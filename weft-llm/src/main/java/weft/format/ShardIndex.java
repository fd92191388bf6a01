package weft.format;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Which file of a folder holds which tensor; what the index does not place is not loaded. */
sealed interface ShardIndex {
  /** The files to open, each a plain name in the folder. */
  List<String> shards();

  boolean places(String tensor, String shard);

  void checkComplete(Set<String> found);

  /** One file that holds everything. */
  static ShardIndex single(String file) {
    return new Single(file);
  }

  /** The index file that Hugging Face writes beside its shards. */
  static ShardIndex read(Path path) {
    return Sharded.read(path);
  }

  /** All tensors in one file. */
  record Single(String file) implements ShardIndex {
    @Override
    public List<String> shards() {
      return List.of(file);
    }

    @Override
    public boolean places(String tensor, String shard) {
      return true;
    }

    @Override
    public void checkComplete(Set<String> found) {}
  }

  /** Tensors by the shard that an index file gives them. */
  record Sharded(Path path, Map<String, String> weightMap) implements ShardIndex {
    private static final int LONGEST_FILE = 100_000_000;
    // No separator, no leading dot: a name cannot lead out of the folder.
    private static final Pattern NAME = Pattern.compile("\\w[\\w.-]*\\.safetensors");

    static Sharded read(Path path) {
      var json = MappedFile.copy(path, LONGEST_FILE);
      var weightMap = new LinkedHashMap<String, String>();
      JsonReader.object(
          path,
          "index",
          json,
          (reader, field) -> {
            if (field.equals("weight_map")) {
              reader.object(field, tensor -> put(reader, tensor, weightMap));
            } else {
              reader.skip();
            }
          });
      if (weightMap.isEmpty()) {
        throw new FormatException(path + ": weight_map is missing or empty");
      }
      return new Sharded(path, weightMap);
    }

    private static void put(JsonReader reader, String tensor, Map<String, String> weightMap) {
      var shard = reader.string("weight_map " + Quoted.text(tensor));
      if (!NAME.matcher(shard).matches()) {
        throw reader.broken(
            "weight_map puts %s into %s, expected the name of a .safetensors file in this folder"
                .formatted(Quoted.text(tensor), Quoted.text(shard)));
      }
      if (weightMap.size() == Extents.MOST_TENSORS) {
        throw reader.broken("weight_map has more than " + Extents.MOST_TENSORS + " tensors");
      }
      weightMap.put(tensor, shard);
    }

    @Override
    public List<String> shards() {
      return weightMap.values().stream().distinct().sorted().toList();
    }

    @Override
    public boolean places(String tensor, String shard) {
      return shard.equals(weightMap.get(tensor));
    }

    @Override
    public void checkComplete(Set<String> found) {
      for (var entry : weightMap.entrySet()) {
        if (!found.contains(entry.getKey())) {
          throw new FormatException(
              "%s: weight_map puts %s into %s, but that file has no such tensor"
                  .formatted(path, Quoted.text(entry.getKey()), entry.getValue()));
        }
      }
    }
  }
}
