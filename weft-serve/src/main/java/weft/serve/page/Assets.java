package weft.serve.page;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The files of the page, by names that are all written here: what a request names is looked up,
 * never opened. Each is read when it is first asked for. Safe for all threads.
 */
final class Assets {
  /** The first one is what {@code /} answers with. */
  static final String START = "index.html";

  private static final Set<String> NAMES =
      """
      index.html icon.svg
      theme.css layout.css message.css prose.css sheet.css
      early.js main.js
      chat.js client.js clipboard.js code.js composer.js connection.js dom.js files.js formulas.js images.js kept.js
      menu.js message.js meter.js models.js notices.js options.js preferences.js prose.js settings.js
      shortcuts.js sidebar.js sse.js store.js transcript.js tree.js
      lib/marked/marked.esm.js lib/dompurify/purify.es.mjs lib/highlightjs/highlight.min.js
      lib/katex/katex.mjs lib/katex/katex.min.css
      """
          .lines()
          .flatMap(line -> Arrays.stream(line.split(" ")))
          .collect(Collectors.toUnmodifiableSet());

  /** KaTeX's fonts, each {@code lib/katex/fonts/KaTeX_NAME.woff2}. */
  private static final Set<String> FONTS =
      Set.of(
          "AMS-Regular",
          "Caligraphic-Bold",
          "Caligraphic-Regular",
          "Fraktur-Bold",
          "Fraktur-Regular",
          "Main-Bold",
          "Main-BoldItalic",
          "Main-Italic",
          "Main-Regular",
          "Math-BoldItalic",
          "Math-Italic",
          "SansSerif-Bold",
          "SansSerif-Italic",
          "SansSerif-Regular",
          "Script-Regular",
          "Size1-Regular",
          "Size2-Regular",
          "Size3-Regular",
          "Size4-Regular",
          "Typewriter-Regular");

  private final Set<String> known = names();
  private final Map<String, Asset> read = new ConcurrentHashMap<>();

  /** The names of all files. */
  static Set<String> names() {
    var fonts = FONTS.stream().map(font -> "lib/katex/fonts/KaTeX_" + font + ".woff2");
    return Stream.concat(NAMES.stream(), fonts).collect(Collectors.toUnmodifiableSet());
  }

  /** The file of a name; empty where the page has none of that name. */
  Optional<Asset> find(String name) {
    return known.contains(name)
        ? Optional.of(read.computeIfAbsent(name, Assets::load))
        : Optional.empty();
  }

  private static Asset load(String name) {
    try (var in = Assets.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException(
            "the page has no file "
                + name
                + "; was weft-serve built with Maven, which puts it there?");
      }
      var bytes = new ByteArrayOutputStream(); // of our own jar: no bound is needed
      in.transferTo(bytes);
      return Asset.of(name, bytes.toByteArray());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
