package weft.cpu.asm;

import java.util.Map;

/** Where the functions of some {@link Code} begin in it, by name. */
record Entries(Map<String, Integer> offsets) {
  Entries {
    offsets = Map.copyOf(offsets);
  }

  int offset(String name) {
    var offset = offsets.get(name);
    if (offset == null) {
      throw new AsmException("the code has no entry " + name + "; it has " + offsets.keySet());
    }
    return offset;
  }
}
