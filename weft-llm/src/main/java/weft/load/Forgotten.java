package weft.load;

import java.lang.ref.Cleaner;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Warns of a model that nobody can close any more, for nobody holds it. It is only told, not
 * closed: a session of it may still be in use. Safe for all threads.
 */
final class Forgotten {
  private static final Cleaner CLEANER =
      Cleaner.create(Thread.ofPlatform().name("weft-forgotten").daemon().factory());

  private final AtomicBoolean isOpen;

  private Forgotten(AtomicBoolean isOpen) {
    this.isOpen = isOpen;
  }

  /** Watches an owner, which no listener to warnings may hold. */
  static Forgotten watch(Object owner, Path path, Consumer<String> warnings) {
    var isOpen = new AtomicBoolean(true);
    CLEANER.register(owner, () -> warn(isOpen, path, warnings));
    return new Forgotten(isOpen);
  }

  private static void warn(AtomicBoolean isOpen, Path path, Consumer<String> warnings) {
    if (!isOpen.get()) return;
    warnings.accept(
        "the model "
            + path.getFileName()
            + " was never closed, and its memory is lost until the program ends; close what you"
            + " load, in a try statement");
  }

  /** Its owner has closed it. */
  void isClosed() {
    isOpen.set(false);
  }
}
