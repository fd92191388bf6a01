package weft.bench.serve;

import java.util.List;

/**
 * One reply as a client met it.
 *
 * @param tokens that the server says it made, or the pieces that came where it broke off
 * @param first seconds until something came
 * @param gaps seconds between one piece and the next
 */
record Told(int tokens, double first, List<Double> gaps) {}
