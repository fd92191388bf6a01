package weft.format;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Supplier;
import weft.quant.Encoding;

/**
 * A model on disk: owns the arena of its mapped files, so that all tensor bytes die when it is
 * closed; its metadata stays. Safe for all threads until it is closed.
 */
public final class Checkpoint implements AutoCloseable {
  private final Path path;
  private final Format format;
  private final Metadata metadata;
  private final SequencedMap<String, StoredTensor> tensors;
  private final long fileBytes;
  private final CheckpointFiles files;
  private final List<MappedFile> mapped;
  private final Arena arena;

  Checkpoint(
      Path path,
      Format format,
      Metadata metadata,
      SequencedMap<String, StoredTensor> tensors,
      List<MappedFile> files,
      Arena arena) {
    this.path = path;
    this.format = format;
    this.metadata = metadata;
    this.tensors = Collections.unmodifiableSequencedMap(tensors);
    this.fileBytes = files.stream().mapToLong(file -> file.bytes().byteSize()).sum();
    this.files =
        new CheckpointFiles(files.stream().flatMap(file -> file.stamp().stream()).toList());
    this.mapped = List.copyOf(files);
    this.arena = arena;
  }

  /**
   * Opens a {@code .gguf} file (the first one of a split checkpoint), a {@code .safetensors} file,
   * or a folder with {@code config.json} and safetensors.
   */
  public static Checkpoint open(Path path) {
    return open(path, new Config.Embedded());
  }

  /** As {@link #open(Path)}, with a configuration from elsewhere. */
  public static Checkpoint open(Path path, Config config) {
    return open(path, FileOpener.mapping(Arena.ofShared(), config));
  }

  /**
   * The same, read to memory that {@code room} gives for a size and an arena: nothing that happens
   * to the files afterwards matters.
   */
  public static Checkpoint copy(
      Path path,
      Config config,
      BiFunction<Long, Arena, MemorySegment> room,
      Consumer<String> progress) {
    return open(path, new FileOpener(Arena.ofShared(), config, Optional.of(room), progress));
  }

  /**
   * The same with all tensors decoded that take fewer bits a value than {@code to}, in memory that
   * {@code room} gives. This one may be closed then.
   */
  public Checkpoint expanded(
      Encoding to, BiFunction<Long, Arena, MemorySegment> room, Consumer<String> progress) {
    return new Expansion(this, to).made(room, progress);
  }

  /** What the tensors of {@link #expanded} take. */
  public long expandedBytes(Encoding to) {
    return new Expansion(this, to).bytes();
  }

  private static Checkpoint open(Path path, FileOpener opener) {
    try {
      if (Files.isDirectory(path)) {
        return SafetensorsCheckpoints.openFolder(path, opener);
      }
      if (path.toString().endsWith(".safetensors")) {
        return SafetensorsCheckpoints.openFile(path, opener);
      }
      return GgufCheckpoints.open(path, opener);
    } catch (InternalError e) {
      opener.arena().close();
      throw new FormatException(path + " was cut short while its header was read", e);
    } catch (Throwable e) {
      opener.arena().close();
      throw e;
    }
  }

  /**
   * A checkpoint of one file whose bytes are in memory already; {@code path} says which format they
   * are in, and is what messages begin with.
   */
  public static Checkpoint of(Path path, byte[] bytes) {
    var file = new MappedFile(path, MemorySegment.ofArray(bytes).asReadOnly(), Optional.empty());
    var opener = FileOpener.mapping(Arena.ofConfined(), new Config.Embedded());
    return path.toString().endsWith(".safetensors")
        ? SafetensorsCheckpoints.openFile(file, opener)
        : GgufCheckpoints.open(file, opener);
  }

  public Path path() {
    return path;
  }

  public Format format() {
    return format;
  }

  /**
   * GGUF: the file's own keys. A folder: {@code config.json} flattened with dots ({@code
   * text_config.hidden_size}), {@code generation_config.json} likewise under {@code
   * generation_config.}, and a safetensors file's own texts under {@code __metadata__.}.
   */
  public Metadata metadata() {
    return metadata;
  }

  /** All tensors by the names the file gives them, in file order. */
  public SequencedMap<String, StoredTensor> tensors() {
    return tensors;
  }

  public Optional<StoredTensor> tensor(String name) {
    return Optional.ofNullable(tensors.get(name));
  }

  /** The files under the tensors and under long metadata. */
  public CheckpointFiles files() {
    return files;
  }

  /** What holds all tensors, a part a file. */
  public List<MemorySegment> memory() {
    return mapped.stream().map(MappedFile::bytes).toList();
  }

  /**
   * Who reads tensors from the files themselves; the caller closes it. Empty where the files were
   * copied to memory.
   */
  public Optional<TensorFiles> tensorFiles() {
    return mapped.stream().allMatch(file -> file.stamp().isPresent())
        ? Optional.of(TensorFiles.open(mapped))
        : Optional.empty();
  }

  /** What {@code read} gives, which reads tensors, if they are still there and what they were. */
  public <T> T reading(Supplier<T> read) {
    requireOpen();
    return files.reading(read);
  }

  /** The same question between two readings. */
  public void requireUnchanged() {
    requireOpen();
    files.requireUnchanged();
  }

  private void requireOpen() {
    if (!arena.scope().isAlive()) throw new FormatException(path + " was closed already");
  }

  /** The size of all mapped files together. */
  public long fileBytes() {
    return fileBytes;
  }

  /** Unmaps the files, once: no tensor's bytes may be in use. */
  @Override
  public void close() {
    if (arena.scope().isAlive()) {
      arena.close();
    }
  }
}
