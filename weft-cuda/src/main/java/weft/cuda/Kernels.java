package weft.cuda;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import weft.backend.CodeStore;
import weft.cuda.driver.CudaException;
import weft.cuda.driver.Driver;
import weft.cuda.product.Product;
import weft.cuda.product.ProductKernel;
import weft.cuda.product.ProductKernels;
import weft.cuda.ptx.PtxFunction;
import weft.cuda.ptx.PtxModule;

/** The kernels of a device, each compiled once, those of a program together; owns them. */
final class Kernels implements AutoCloseable {
  private final Driver driver;
  private final CodeStore store;
  private final int unpackedFrom;
  private final Map<Said, ProductKernel> written;
  private final Map<String, Wanted> known = new HashMap<>();
  private final Map<String, PtxFunction> missing = new LinkedHashMap<>();
  private final List<Driver.Module> modules = new ArrayList<>();

  /**
   * @param unpackedFrom rows from which packed weights become halves before they are multiplied
   */
  Kernels(Driver driver, CodeStore store, int unpackedFrom) {
    this(driver, store, unpackedFrom, new ConcurrentHashMap<>());
  }

  private Kernels(
      Driver driver, CodeStore store, int unpackedFrom, Map<Said, ProductKernel> written) {
    this.driver = driver;
    this.store = store;
    this.unpackedFrom = unpackedFrom;
    this.written = written;
  }

  /** Kernels of another driver, written by the same hand. */
  Kernels by(Driver other) {
    return new Kernels(other, CodeStore.NONE, unpackedFrom, written);
  }

  /** What a kernel is said by: layers are alike, and to write one takes longer than to find it. */
  record Said(String kind, Object what, int rows) {}

  /** The kernel of a product, which is written the first time. */
  ProductKernel product(Said said, Supplier<ProductKernel> writer) {
    return written.computeIfAbsent(said, _ -> writer.get());
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
      var module = module(text());
      modules.add(module);
      for (var name : missing.keySet()) known.get(name).function = module.function(name);
    } catch (RuntimeException | Error e) {
      known.keySet().removeAll(missing.keySet());
      throw e;
    } finally {
      missing.clear();
    }
  }

  private String text() {
    if (!driver.properties().beginsEarly()) return PtxModule.text(missing.values());
    return isForHopper()
        ? PtxModule.hopper(missing.values())
        : PtxModule.sinceHopper(missing.values());
  }

  /** Whether kernels may have what compute capability 9.0 has and no other. */
  boolean isForHopper() {
    var device = driver.properties();
    return device.beginsEarly() && device.capability() == 90;
  }

  /** Whether a product of so many rows has its packed weights as halves first. */
  boolean unpacks(Product product, int most) {
    return isForHopper() && most >= unpackedFrom && ProductKernels.canUnpack(product);
  }

  private Driver.Module module(String ptx) {
    if (store == CodeStore.NONE) return driver.module(ptx);
    var key = key(ptx);
    var kept = store.find(key);
    if (kept.isPresent()) {
      try {
        return driver.module(kept.get());
      } catch (CudaException e) {
        // Whole, and yet not this driver's: compiled as if it were not there, and replaced.
      }
    }
    var code = driver.compile(ptx);
    store.keep(key, code);
    return driver.module(code);
  }

  /** All that compiled code depends on. */
  private String key(String ptx) {
    var device = driver.properties();
    return "%s, capability %d, driver %d%n%s"
        .formatted(device.name(), device.capability(), device.driverVersion(), ptx);
  }

  @Override
  public synchronized void close() {
    modules.forEach(Driver.Module::close);
    modules.clear();
    known.clear();
  }
}
