package weft.cuda;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import weft.cuda.driver.Driver;
import weft.cuda.ptx.PtxFunction;
import weft.cuda.ptx.PtxModule;

/** The kernels of a device, each compiled once, those of a program together; owns them. */
final class Kernels implements AutoCloseable {
  private final Driver driver;
  private final Map<String, Wanted> known = new HashMap<>();
  private final Map<String, PtxFunction> missing = new LinkedHashMap<>();
  private final List<Driver.Module> modules = new ArrayList<>();

  Kernels(Driver driver) {
    this.driver = driver;
  }

  /** A kernel that will be there once {@link #compile} was called. */
  static final class Wanted {
    private final String name;
    private Driver.Function function;

    private Wanted(String name) {
      this.name = name;
    }

    String name() {
      return name;
    }

    Driver.Function function() {
      return function;
    }
  }

  synchronized Wanted want(PtxFunction function) {
    return known.computeIfAbsent(
        function.name(),
        name -> {
          missing.put(name, function);
          return new Wanted(name);
        });
  }

  /** Compiles all that is wanted and not there. */
  synchronized void compile() {
    if (missing.isEmpty()) return;
    try {
      var module = driver.module(PtxModule.text(missing.values()));
      modules.add(module);
      for (var name : missing.keySet()) known.get(name).function = module.function(name);
    } catch (RuntimeException | Error e) {
      known.keySet().removeAll(missing.keySet());
      throw e;
    } finally {
      missing.clear();
    }
  }

  @Override
  public synchronized void close() {
    modules.forEach(Driver.Module::close);
    modules.clear();
    known.clear();
  }
}
