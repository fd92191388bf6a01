package weft.compile;

import java.util.Optional;
import weft.ir.Bin;
import weft.ir.Graph;
import weft.ir.Op;
import weft.ir.Value;

/** What one operand of a sum or a product becomes when it takes the other in, if it can. */
@FunctionalInterface
interface ZipRule {
  Optional<Op> of(Value taking, Value other);

  /** Applies a rule wherever {@code bin} joins values of one type, whichever side it fits. */
  static Graph apply(Graph graph, Bin bin, ZipRule rule) {
    return Rewrite.apply(
        graph,
        site ->
            switch (site.op()) {
              case Op.Zip(var by, var a, var b) when by == bin && a.type().equals(b.type()) ->
                  rule.taken(site, b, a)
                      .or(() -> rule.taken(site, a, b))
                      .map(site::add)
                      .orElseGet(site::keep);
              default -> site.keep();
            });
  }

  /** Only what nobody else reads may go. */
  private Optional<Op> taken(Rewrite.Site site, Value taking, Value other) {
    return site.isOnlyUser(taking) ? of(taking, other) : Optional.empty();
  }
}
