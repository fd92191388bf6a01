package weft.cuda.ptx;

/** A declared piece of a block's shared memory; the last one may be as large as the launch says. */
public record Shared(String name) {}
