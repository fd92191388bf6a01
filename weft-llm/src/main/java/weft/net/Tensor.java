package weft.net;

import weft.ir.Bin;
import weft.ir.Fn;
import weft.ir.Op;
import weft.ir.Type;
import weft.ir.Value;

/** The model author's handle on a value: fluent, immutable, shape-checked as it is written. */
public final class Tensor {
  private final Net net;
  private final Value value;

  Tensor(Net net, Value value) {
    this.net = net;
    this.value = value;
  }

  Value value() {
    return value;
  }

  Type type() {
    return value.type();
  }

  /** The size of the last axis. */
  public int width() {
    return value.type().width();
  }

  public Tensor plus(Tensor b) {
    return net.make(new Op.Zip(Bin.ADD, value, b.value));
  }

  public Tensor times(Tensor b) {
    return net.make(new Op.Zip(Bin.MUL, value, b.value));
  }

  public Tensor over(Tensor b) {
    return net.make(new Op.Zip(Bin.DIV, value, b.value));
  }

  public Tensor times(double by) {
    return net.make(new Op.Scale(value, (float) by));
  }

  private Tensor map(Fn fn) {
    return net.make(new Op.Map(fn, value));
  }

  public Tensor silu() {
    return map(Fn.SILU);
  }

  public Tensor activated(Activation by) {
    return map(by.fn());
  }

  public Tensor sigmoid() {
    return map(Fn.SIGMOID);
  }

  public Tensor softplus() {
    return map(Fn.SOFTPLUS);
  }

  public Tensor exp() {
    return map(Fn.EXP);
  }

  public Tensor negated() {
    return map(Fn.NEG);
  }

  /** {@code cap * tanh(x / cap)}. */
  public Tensor softCap(double cap) {
    return net.make(new Op.SoftCap(value, (float) cap));
  }

  public Tensor l2norm(double eps) {
    return net.make(new Op.L2Norm(value, (float) eps));
  }

  public Tensor heads(int count) {
    return net.make(new Op.Heads(value, count));
  }

  public Tensor merge() {
    return net.make(new Op.Merge(value));
  }

  public Tensor slice(int from, int to) {
    return net.make(new Op.Slice(value, from, to));
  }

  /** With so many zeros behind the last axis, no more than it has. */
  Tensor padded(int zeros) {
    return net.concat(this, times(0).slice(0, zeros));
  }

  /** Rotates each head's pairs by its token's position. */
  public Tensor rope(Rope rope) {
    if (rope.dims() == 0) return this;
    int positions = net.hasSections() ? rope.positions() : 1;
    var frequencies = rope.frequencies(net, positions);
    var pairing =
        switch (rope.pairing()) {
          case HALVES -> Op.Pairing.HALVES;
          case NEIGHBOURS -> Op.Pairing.NEIGHBOURS;
        };
    return net.make(
        new Op.Rope(
            value, net.positions(positions), frequencies.value, pairing, (float) rope.scale()));
  }
}
