package weft.constrain;

import java.util.ArrayDeque;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/** Finds rules that begin with themselves: to go down into one would never end. */
record LeftRecursion(
    Grammar grammar,
    List<Grammar.Rule> rules,
    boolean[] isNullable,
    Function<Grammar.Rule, Part> part,
    Predicate<Part> nullable) {

  void refuse() {
    record Visit(Grammar.Rule rule, ArrayDeque<Grammar.Rule> firsts) {}
    var isOpen = new boolean[grammar.rules().size()];
    var isDone = new boolean[grammar.rules().size()];
    for (var start : rules) {
      if (isDone[start.index()]) continue;
      var open = new ArrayDeque<Visit>();
      isOpen[start.index()] = true;
      open.push(new Visit(start, firsts(start)));
      while (!open.isEmpty()) {
        var visit = open.peek();
        if (visit.firsts.isEmpty()) {
          isDone[open.pop().rule.index()] = true;
          continue;
        }
        var first = visit.firsts.pop();
        if (isDone[first.index()]) continue;
        if (isOpen[first.index()]) {
          throw new ConstrainException(
              "the rule %s begins with itself through the rule %s; let it begin with what comes first"
                  .formatted(first.name(), visit.rule.name()));
        }
        isOpen[first.index()] = true;
        open.push(new Visit(first, firsts(first)));
      }
    }
  }

  private ArrayDeque<Grammar.Rule> firsts(Grammar.Rule rule) {
    var firsts = new ArrayDeque<Grammar.Rule>();
    collect(part.apply(rule), firsts);
    return firsts;
  }

  private void collect(Part of, ArrayDeque<Grammar.Rule> firsts) {
    switch (of) {
      case Part.Lexeme _ -> {}
      case Part.Sequence(var parts) -> {
        for (var p : parts) {
          collect(p, firsts);
          if (!nullable.test(p)) break;
        }
      }
      case Part.Choice(var parts) -> parts.forEach(p -> collect(p, firsts));
      case Part.Repeat(var inner, _, _) -> collect(inner, firsts);
      case Part.Reference(var rule) -> firsts.add(rule);
    }
  }
}
