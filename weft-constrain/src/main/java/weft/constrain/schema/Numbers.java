package weft.constrain.schema;

import java.util.LinkedHashSet;
import java.util.List;

/** A set of numbers, as bands that may overlap. */
record Numbers(List<Band> bands) {
  static final Numbers NONE = new Numbers(List.of());
  static final Numbers ALL = new Numbers(List.of(Band.ALL));
  static final Numbers WHOLE = new Numbers(List.of(Band.WHOLE));

  Numbers {
    bands = List.copyOf(bands);
  }

  static Numbers of(Band band) {
    return band.isEmpty() ? NONE : new Numbers(List.of(band));
  }

  boolean isEmpty() {
    return bands.isEmpty();
  }

  boolean isAll() {
    return bands.contains(Band.ALL);
  }

  Numbers and(Numbers other, Effort effort) {
    if (isAll()) return other;
    if (other.isAll()) return this;
    var both = new LinkedHashSet<Band>();
    for (var a : bands) {
      for (var b : other.bands) {
        effort.step();
        var band = a.and(b);
        if (!band.isEmpty()) both.add(band);
      }
    }
    effort.alternatives(both.size());
    return new Numbers(List.copyOf(both));
  }

  Numbers or(Numbers other) {
    if (isEmpty() || other.isAll()) return other;
    if (other.isEmpty() || isAll()) return this;
    var either = new LinkedHashSet<>(bands);
    either.addAll(other.bands);
    return new Numbers(List.copyOf(either));
  }

  Numbers not(Effort effort) {
    var rest = ALL;
    for (var band : bands) rest = rest.and(new Numbers(band.not()), effort);
    return rest;
  }
}
