package weft.text.jinja;

import java.util.List;

/** Finds filters and tests that do not exist before a template runs, where Jinja2 does so too. */
final class Analysis {
  private final Source source;

  private Analysis(Source source) {
    this.source = source;
  }

  static void check(Source source, List<Statement> statements) {
    Analysis analysis = new Analysis(source);
    statements.forEach(statement -> analysis.visit(statement, false));
  }

  /**
   * {@code guarded} nodes stand directly in a condition and may never run, so a name missing there
   * is no error yet.
   */
  private void visit(Node node, boolean guarded) {
    switch (node) {
      case Expression.Filter filter when !guarded && !Filters.exists(filter.name()) ->
          throw source.syntaxError(filter.position(), "No filter named '" + filter.name() + "'.");
      case Expression.Test test when !guarded && !Tests.exists(test.name()) ->
          throw source.syntaxError(test.position(), "No test named '" + test.name() + "'.");
      case Expression.Conditional conditional -> visitAll(conditional.children(), true);
      case Statement.If branches -> visitAll(branches.children(), true);
      case Statement.For loop -> {
        visit(loop.iterable(), guarded);
        visitAll(loop.loop().children(), false);
      }
      case Statement.With with -> {
        visitAll(with.values(), guarded);
        visitAll(with.body(), false);
      }
      case Statement.CallBlock call -> {
        visit(call.call(), guarded);
        visitAll(call.caller().children(), false);
      }
      case Statement.MacroDefinition macro -> visitAll(macro.children(), false);
      case Statement.Generation generation -> visitAll(generation.children(), false);
      case Statement.SetBlock set -> visitAll(set.children(), false);
      case Statement.FilterBlock filter -> visitAll(filter.children(), false);
      default -> visitAll(node.children(), guarded);
    }
  }

  private void visitAll(List<? extends Node> nodes, boolean guarded) {
    nodes.forEach(node -> visit(node, guarded));
  }
}
