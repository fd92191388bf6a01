package weft.format;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/** Opens a safetensors checkpoint: one file, or a folder with its configuration and its shards. */
final class SafetensorsCheckpoints {
  private static final String CONFIG = "config.json";
  private static final String GENERATION_CONFIG = "generation_config.json";
  private static final String SINGLE = "model.safetensors";
  private static final String INDEX = "model.safetensors.index.json";

  private SafetensorsCheckpoints() {}

  static Checkpoint openFile(Path path, FileOpener opener) {
    return openFile(opener.open(path), opener);
  }

  static Checkpoint openFile(MappedFile file, FileOpener opener) {
    var contents = SafetensorsReader.read(file);
    var said = new LinkedHashMap<>(contents.texts());
    if (!(opener.config() instanceof Config.Embedded)) opener.config().addTo(said, file.path());
    var metadata = new Metadata(file.path().toString(), said);
    var tensors = new LinkedHashMap<String, StoredTensor>();
    contents.tensors().forEach(tensor -> tensors.put(tensor.name(), tensor));
    return new Checkpoint(
        file.path(), Format.SAFETENSORS, metadata, tensors, List.of(file), opener.arena());
  }

  static Checkpoint openFolder(Path folder, FileOpener opener) {
    var metadata = new LinkedHashMap<String, MetadataValue>();
    opener.config().addTo(metadata, folder.resolve(CONFIG));
    if (Files.exists(folder.resolve(GENERATION_CONFIG))) {
      JsonMetadata.add(folder.resolve(GENERATION_CONFIG), "generation_config.", metadata);
    }
    var index = index(folder);
    var tensors = new LinkedHashMap<String, StoredTensor>();
    var files = new ArrayList<MappedFile>();
    for (String shard : index.shards()) {
      var file = opener.open(folder.resolve(shard));
      var contents = SafetensorsReader.read(file);
      files.add(file);
      contents.texts().forEach(metadata::putIfAbsent);
      for (StoredTensor tensor : contents.tensors()) {
        if (index.places(tensor.name(), shard)) {
          tensors.put(tensor.name(), tensor);
        }
      }
    }
    index.checkComplete(tensors.keySet());
    return new Checkpoint(
        folder,
        Format.SAFETENSORS,
        new Metadata(folder.toString(), metadata),
        tensors,
        files,
        opener.arena());
  }

  private static ShardIndex index(Path folder) {
    if (Files.exists(folder.resolve(INDEX))) {
      return ShardIndex.read(folder.resolve(INDEX));
    }
    if (Files.exists(folder.resolve(SINGLE))) {
      return ShardIndex.single(SINGLE);
    }
    throw new FormatException(
        folder + " has neither " + SINGLE + " nor " + INDEX + ": expected one of them");
  }
}
