package weft.load;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import weft.chat.ChatPrompts;
import weft.format.Checkpoint;
import weft.text.ChatTemplate;
import weft.text.tokenizer.Tokenizer;

/**
 * What a checkpoint says about text: its special tokens, and its tokenizer and its chat template,
 * which are read when they are first asked for. Safe for all threads.
 */
public final class TextParts {
  private final TextSource source;
  private final Supplier<Optional<Tokenizer>> tokenizer;
  private final Supplier<Optional<ChatTemplate>> template;

  private TextParts(TextSource source) {
    this.source = source;
    this.tokenizer = new Once<>(source::tokenizer);
    this.template = new Once<>(() -> source.template().map(ChatTemplate::compile));
  }

  /**
   * The text parts at a path: a checkpoint, one without weights, a folder with tokenizer files, a
   * {@code tokenizer.json}, or a {@code .jinja} file.
   */
  public static TextParts at(Path path) {
    if (!Files.exists(path)) throw new LoadException(path + " does not exist");
    if (Files.isDirectory(path)) return new TextParts(FolderText.of(path));
    var name = path.getFileName().toString();
    var folder = path.toAbsolutePath().getParent();
    if (name.endsWith(".jinja")) return new TextParts(new TemplateFile(path));
    if (name.endsWith(".json")) return new TextParts(new FolderText(folder, path));
    if (name.endsWith(".safetensors")) return new TextParts(FolderText.of(folder));
    try (var checkpoint = Checkpoint.open(path)) {
      return of(checkpoint);
    }
  }

  /** The text parts of an open checkpoint, which may be closed before they are read. */
  public static TextParts of(Checkpoint checkpoint) {
    return new TextParts(
        switch (checkpoint.format()) {
          case GGUF ->
              new GgufText(checkpoint.path().toString(), checkpoint.metadata(), checkpoint.files());
          case SAFETENSORS -> FolderText.of(folder(checkpoint.path()));
        });
  }

  private static Path folder(Path path) {
    return Files.isDirectory(path) ? path : path.toAbsolutePath().getParent();
  }

  /** Empty when the checkpoint has none. */
  public Optional<Tokenizer> tokenizer() {
    return tokenizer.get();
  }

  /** For {@code orElseThrow}: what is missing, and where. */
  public LoadException noTokenizer() {
    return new LoadException(
        "there is no tokenizer at "
            + source.place()
            + "; weft reads tokenizer.json and the vocabularies of GGUF files");
  }

  /** The Jinja source of the checkpoint's own template, right or wrong. */
  public Optional<String> templateSource() {
    return source.template();
  }

  /** The checkpoint's own template; empty when it has none. */
  public Optional<ChatTemplate> chatTemplate() {
    return template.get();
  }

  /** The checkpoint's own template, else one in the style of its tokens, which is a warning. */
  public ChatTemplate chatTemplate(Consumer<String> warnings) {
    return chatTemplate()
        .orElseGet(
            () -> {
              var style = style();
              warnings.accept(
                  "the checkpoint has no chat template; using weft's own in the style " + style);
              return ChatTemplate.ofStyle(style);
            });
  }

  /** Conversations as this checkpoint's tokens; its own template is used where it has one. */
  public ChatPrompts chat(Consumer<String> warnings) {
    return new ChatPrompts(
        chatTemplate(warnings), tokenizer().orElseThrow(this::noTokenizer), specialTokens());
  }

  /** By the markers in the vocabulary, which are what the model was trained to see. */
  private String style() {
    if (has("<|im_start|>")) return "chatml";
    if (has("<|start_header_id|>")) return "headers";
    if (has("<start_of_turn>")) return "turns";
    // SentencePiece vocabularies of the first generation had no markers.
    return has("<0x0A>") ? "instructions" : "plain";
  }

  private boolean has(String token) {
    return tokenizer().map(t -> t.idOf(token).isPresent()).orElse(false);
  }

  /** The special tokens that templates know by name: {@code bos_token} and the like. */
  public Map<String, String> specialTokens() {
    return source.specialTokens();
  }

  /** A template alone. */
  private record TemplateFile(Path file) implements TextSource {
    @Override
    public String place() {
      return file.toString();
    }

    @Override
    public Optional<Tokenizer> tokenizer() {
      return Optional.empty();
    }

    @Override
    public Optional<String> template() {
      return Optional.of(FolderText.text(file));
    }

    @Override
    public Map<String, String> specialTokens() {
      return Map.of();
    }
  }
}
