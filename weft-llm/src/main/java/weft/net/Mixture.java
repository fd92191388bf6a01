package weft.net;

/**
 * A mixture of experts: how many there are, how many a token uses, and how their words are weighed.
 */
public record Mixture(
    int experts,
    int used,
    int width,
    boolean isRenormalized,
    double scale,
    Activation activation) {}
