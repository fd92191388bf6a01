package weft.cpu.kernel;

import java.lang.reflect.Modifier;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import weft.cpu.kernel.emit.Kernel;
import weft.cpu.kernel.walk.Meeting;
import weft.cpu.kernel.walk.WalkPlan;

/** What a library can be asked for, by its own methods: nobody has to remember a new one. */
final class LibraryMethods {
  private static final Set<Class<?>> KERNELS = Set.of(Kernel.class, Optional.class);

  private static final Set<Class<?>> WALKS = Set.of(WalkPlan.class, Meeting.class);

  private LibraryMethods() {}

  /** The methods that give kernels which are called with data. */
  static Set<String> kernels() {
    return giving(KERNELS);
  }

  /** The same, and those whose kernels go through plans of others. */
  static Set<String> all() {
    var all = giving(KERNELS);
    all.addAll(giving(WALKS));
    return all;
  }

  private static Set<String> giving(Set<Class<?>> types) {
    var names = new TreeSet<String>();
    for (var method : KernelLibrary.class.getDeclaredMethods()) {
      if (types.contains(method.getReturnType())
          && !Modifier.isPrivate(method.getModifiers())
          && !method.isSynthetic()) {
        names.add(method.getName());
      }
    }
    return names;
  }
}
