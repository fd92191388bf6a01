package weft.serve.page;

import java.util.Optional;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Gives tests the one browser that all of them share; where there is none, they are skipped. */
final class WithBrowser implements ExecutionCondition, ParameterResolver {
  private record Shared(Optional<Browser> browser) implements AutoCloseable {
    @Override
    public void close() {
      browser.ifPresent(Browser::close);
    }
  }

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    return shared(context).browser().isPresent()
        ? ConditionEvaluationResult.enabled("there is a browser")
        : ConditionEvaluationResult.disabled(
            "no chromium and chromedriver on the path: the page is not tested");
  }

  private static Shared shared(ExtensionContext context) {
    return context
        .getRoot()
        .getStore(Namespace.create(WithBrowser.class))
        .getOrComputeIfAbsent(Shared.class, key -> new Shared(Browser.start()), Shared.class);
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == Browser.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return shared(context).browser().orElseThrow();
  }
}
