package weft.load;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import weft.backend.Service;

/** What a program's user should know of the launches that slower kernels serve than the others. */
final class SlowerKernels {
  /** A launch that nobody asked slower kernels for. */
  record Served(String launch, Service.Kind kind) {}

  private SlowerKernels() {}

  /** A sentence for each kind of kernel that is not the best of them. */
  static Map<Service.Kind, String> sentences(List<Served> served) {
    var byKind = new TreeMap<Service.Kind, Set<String>>();
    for (var one : served) {
      if (one.kind == Service.Kind.COLLECTIVE) continue; // there is no other way
      byKind.computeIfAbsent(one.kind, kind -> new TreeSet<>()).add(one.launch);
    }
    if (!byKind.isEmpty()) byKind.remove(Collections.min(byKind.keySet()));
    var sentences = new TreeMap<Service.Kind, String>();
    byKind.forEach(
        (kind, launches) -> sentences.put(kind, sentence(kind, String.join(", ", launches))));
    return sentences;
  }

  private static String sentence(Service.Kind kind, String launches) {
    return switch (kind) {
      case EMITTED, COLLECTIVE -> throw new IllegalArgumentException("nothing is faster: " + kind);
      case PORTABLE ->
          "no emitted kernel takes the sizes or encodings of "
              + launches
              + ", so slower ones in Java do";
      case REFERENCE ->
          "no fast kernel takes "
              + launches
              + ", so the slow reference does; --isa portable may be faster, or another encoding";
    };
  }
}
