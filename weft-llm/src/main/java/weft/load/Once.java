package weft.load;

import java.util.Optional;
import java.util.function.Supplier;

/** Computes a value the first time it is asked for; a failure is not kept. */
final class Once<T> implements Supplier<T> {
  private final Supplier<T> compute;
  private Optional<T> value = Optional.empty();

  Once(Supplier<T> compute) {
    this.compute = compute;
  }

  @Override
  public synchronized T get() {
    if (value.isEmpty()) value = Optional.of(compute.get());
    return value.get();
  }
}
