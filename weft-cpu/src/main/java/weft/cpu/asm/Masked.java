package weft.cpu.asm;

/** A destination written only where a mask is set; elsewhere it is kept, or zeroed. */
public record Masked(Operand target, Mask mask, boolean zeroing) implements Operand {
  public Masked {
    if (mask.number() == 0) {
      throw new AsmException("k0 cannot mask " + target + ": its encoding means 'no mask'");
    }
    if (zeroing && !(target instanceof Vec)) {
      throw new AsmException("only a vector register can be zeroed by a mask, not " + target);
    }
  }

  @Override
  public String toString() {
    return target + "{" + mask + "}" + (zeroing ? "{z}" : "");
  }
}
