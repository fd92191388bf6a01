package weft.serve.openai;

import java.util.List;
import java.util.Optional;
import weft.serve.web.Fields;

/** Fields that change no answer here, and must be as the vendor has them all the same. */
final class Aside {
  /** Pairs of {@code metadata}, and the letters of their names and values: the vendor's numbers. */
  static final int MOST_METADATA = 16;

  private static final int LONGEST_NAME = 64;
  private static final int LONGEST_VALUE = 512;

  private static final List<String> TIERS =
      List.of("auto", "default", "flex", "scale", "priority", "fast");

  static final List<String> VERBOSITIES = List.of("low", "medium", "high");

  private Aside() {}

  /** What every kind of answer may be asked with. */
  static void check(Fields body) {
    body.text("user");
    body.text("safety_identifier");
    body.text("prompt_cache_key");
    body.flag("store");
    body.word("service_tier", TIERS);
    metadata(body);
  }

  /** What a client notes of its request. */
  static Optional<Fields> metadata(Fields body) {
    var given = body.object("metadata");
    given.ifPresent(Aside::checkMetadata);
    return given;
  }

  private static void checkMetadata(Fields metadata) {
    int count = metadata.node().size();
    if (count > MOST_METADATA) {
      throw Fields.bad(metadata.path(), count + " pairs", "at most " + MOST_METADATA + " pairs");
    }
    for (var name : metadata.node().propertyNames()) {
      if (name.length() > LONGEST_NAME) {
        throw Fields.bad(
            metadata.path(),
            "a name of " + name.length() + " characters",
            "names of at most " + LONGEST_NAME);
      }
      int length = metadata.text(name).orElse("").length();
      if (length > LONGEST_VALUE) {
        throw Fields.bad(
            metadata.path(name),
            "a string of " + length + " characters",
            "a string of at most " + LONGEST_VALUE);
      }
    }
  }

  /** Whether a stream says at its end what it took; only streams have options. */
  static boolean withUsage(Fields body) {
    var options = body.object("stream_options");
    if (options.isEmpty()) return false;
    if (!body.flag("stream").orElse(false)) {
      throw Fields.bad("stream_options", "an object", "absent, unless 'stream' is true");
    }
    options.get().flag("include_obfuscation");
    return options.get().flag("include_usage").orElse(false);
  }
}
