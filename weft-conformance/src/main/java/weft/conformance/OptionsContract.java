package weft.conformance;

import java.util.ArrayList;
import java.util.List;
import weft.backend.Backend;
import weft.backend.BackendException;
import weft.backend.Device;

/** What a backend refuses to open, by a {@link BackendException} that names what was asked for. */
final class OptionsContract {
  private static final int NO_SUCH_DEVICE = 4711;

  private OptionsContract() {}

  static List<String> failures(Backend backend, Backend.Options options) {
    var failures = new ArrayList<String>();
    if (!backend.instructionSets().isEmpty()) {
      refuses(failures, backend, options.withIsa("no-such-isa"), "no-such-isa");
    }
    refuses(
        failures, backend, options.withOrdinal(NO_SUCH_DEVICE), Integer.toString(NO_SUCH_DEVICE));
    for (var isa : backend.instructionSets()) {
      try {
        backend.open(options.withIsa(isa)).close();
      } catch (BackendException e) {
        if (!String.valueOf(e.getMessage()).contains(isa)) {
          failures.add("options: " + isa + " is refused without its name: " + e.getMessage());
        }
      }
    }
    return failures;
  }

  private static void refuses(
      List<String> failures, Backend backend, Backend.Options wrong, String name) {
    try (Device opened = backend.open(wrong)) {
      failures.add("options: " + name + " is accepted, as " + opened.target().name());
    } catch (BackendException e) {
      if (!String.valueOf(e.getMessage()).contains(name)) {
        failures.add("options: " + name + " is refused without its name: " + e.getMessage());
      }
    } catch (RuntimeException e) {
      failures.add("options: " + name + " fails: " + e);
    }
  }
}
