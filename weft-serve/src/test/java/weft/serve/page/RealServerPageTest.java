package weft.serve.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;
import weft.serve.Running;
import weft.serve.Seeing;

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

  @Test
  void aModelThatSeesIsShownAPicture(Browser browser, @TempDir Path folder) throws IOException {
    var shelf = Seeing.shelf(Seeing.write(Files.createDirectory(folder.resolve("model"))));
    try (var running = Running.start(options -> options, shelf)) {
      var loading = "{\"messages\":[{\"role\":\"user\",\"content\":\"a\"}],\"max_tokens\":1}";
      assertThat(running.post("/v1/chat/completions", loading).status()).isEqualTo(200);
      browser.open("http://127.0.0.1:" + running.port() + "/");
      browser.until("pictures can be attached", () -> browser.one("#attach").isDisplayed());
      browser.click("#open-settings");
      browser.one("[data-option=temperature]").sendKeys("0");
      browser.one("[data-option=max_tokens]").sendKeys("8");
      browser.click("#settings .sheet-head button");
      var picture = Files.write(folder.resolve("line.png"), Seeing.png(64, 48, 0xFF8800));
      browser.one("#picture-file").sendKeys(picture.toString());
      browser.until("the picture is shown", () -> browser.all(".picture img").size() == 1);
      browser.say("What is this?");
      browser.until("an answer came", () -> browser.all(".assistant .facts").size() == 1);
      assertThat(browser.all(".user img.attached")).hasSize(1);
      assertThat(browser.text(".assistant .facts")).contains("tokens");
      assertThat(browser.logs()).isEmpty();
    }
  }
}
