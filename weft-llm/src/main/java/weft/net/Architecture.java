package weft.net;

/** A model of some family: from the tokens fed to the logits of every row. */
public interface Architecture {
  Tensor logits(Net net);

  /** How many positions the model was made for. */
  int contextLength();
}
