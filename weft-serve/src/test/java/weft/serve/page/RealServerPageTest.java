package weft.serve.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.openqa.selenium.Keys;
import weft.serve.Running;

/** The page before the real server and the built-in model. */
@ExtendWith(WithBrowser.class)
class RealServerPageTest {
  @Test
  void theBuiltInModelAnswers(Browser browser) {
    try (var running = Running.start()) {
      browser.open("http://127.0.0.1:" + running.port() + "/");
      assertThat(browser.text("#model option")).isEqualTo(Running.MODEL);
      browser.click("#open-settings");
      browser.one("[data-option=temperature]").sendKeys("0");
      browser.one("[data-option=max_tokens]").sendKeys("40");
      browser.click("#settings .sheet-head button");
      browser.say("What is 12 + 30?");
      browser.untilMessages("What is 12 + 30?", "12 + 30 = 42");
      browser.until("use is told", () -> browser.text("#context-text").endsWith("of 2,048 tokens"));
      assertThat(browser.text(".assistant .facts")).contains(Running.MODEL, "tokens");
      assertThat(browser.logs()).isEmpty();
    }
  }

  @Test
  void aKeyOpensTheModelsAndASchemaIsKept(Browser browser) {
    try (var running = Running.start(options -> options.withKeys(List.of("secret")))) {
      browser.open("http://127.0.0.1:" + running.port() + "/");
      browser.until("the page asks", () -> browser.one("#ask-key").isDisplayed());
      browser.one("#asked-key").sendKeys("secret", Keys.ENTER);
      browser.untilText("#model option", Running.MODEL);
      browser.click("#open-settings");
      browser.one("[data-option=temperature]").sendKeys("0");
      browser.one("#schema").sendKeys("{\"enum\": [{\"sum\": 42}, {\"sum\": 43}]}");
      browser.click("#settings .sheet-head button");
      browser.say("What is 12 + 30?");
      browser.until(
          "the answer has its form",
          () ->
              browser.messages().getLast().matches("(?s)json\\nCopy\\n\\{\\s+\"sum\": 4[23]\\s+}"));
    }
  }
}
