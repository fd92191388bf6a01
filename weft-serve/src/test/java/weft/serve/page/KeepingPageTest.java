package weft.serve.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

/** What is kept in the browser: found again, renamed, deleted, taken out and brought back. */
@ExtendWith(WithBrowser.class)
class KeepingPageTest {
  private final Browser browser;
  private final ScriptedServer server = new ScriptedServer();

  KeepingPageTest(Browser browser) {
    this.browser = browser;
  }

  @BeforeEach
  void open() {
    browser.open(server.address());
  }

  @AfterEach
  void close() {
    server.close();
  }

  private List<String> titles() {
    return browser.all("#conversations .open").stream().map(WebElement::getText).toList();
  }

  private void untilTitles(String... expected) {
    browser.until("the list is " + List.of(expected), () -> titles().equals(List.of(expected)));
  }

  private void twoConversations() {
    server.then("It is **Nairobi**.");
    browser.say("The capital of Kenya?");
    browser.untilMessages("The capital of Kenya?", "It is Nairobi.");
    browser.click("#fresh");
    browser.say("A story");
    browser.untilMessages("A story", "Reply to A story");
    untilTitles("A story", "The capital of Kenya?");
  }

  @Test
  void conversationsOutliveThePageAndAreFoundByWhatWasSaid() {
    twoConversations();
    browser.reload();
    browser.untilMessages("A story", "Reply to A story");
    browser.keys(Keys.chord(Keys.CONTROL, "k"));
    browser.keys("nairobi kenya");
    untilTitles("The capital of Kenya?");
    browser.keys(Keys.ARROW_DOWN);
    browser.keys(Keys.ENTER);
    browser.untilMessages("The capital of Kenya?", "It is Nairobi.");
    browser.one("#search").sendKeys("zzz");
    browser.untilText("#conversations", "Nothing kept here says that.");
    browser.one("#search").sendKeys(Keys.ESCAPE);
    untilTitles("A story", "The capital of Kenya?");
  }

  @Test
  void aConversationIsRenamedDeletedAndBroughtBack() {
    twoConversations();
    browser.click("#conversations .current .icon-button");
    browser.keys(Keys.ENTER);
    browser.keys("A tale", Keys.ENTER);
    untilTitles("A tale", "The capital of Kenya?");
    browser.untilText("#title", "A tale");

    browser.click("#conversations .current .icon-button");
    browser.keys(Keys.END);
    browser.keys(Keys.ENTER);
    untilTitles("The capital of Kenya?");
    assertThat(browser.messages()).isEmpty();
    browser.click(".toast button");
    untilTitles("A tale", "The capital of Kenya?");
  }

  @Test
  void whatIsExportedComesInElsewhere() throws IOException {
    twoConversations();
    browser.click("#conversations li:not(.current)");
    browser.untilMessages("The capital of Kenya?", "It is Nairobi.");
    browser.click(".assistant [data-do=retry]");
    browser.untilMessages("The capital of Kenya?", "Reply to The capital of Kenya?");
    browser.click("#export-all");
    var file = browser.download("weft-conversations.json");
    try (var elsewhere = new ScriptedServer()) {
      browser.open(elsewhere.address());
      assertThat(titles()).isEmpty();
      browser.one("#import-file").sendKeys(file.toString());
      browser.until("both came in", () -> titles().size() == 2);
      assertThat(titles()).containsExactlyInAnyOrder("A story", "The capital of Kenya?");
      browser.click("#conversations li:first-child .open");
      browser.untilMessages("The capital of Kenya?", "Reply to The capital of Kenya?");
      browser.click(".assistant [data-step='-1']");
      browser.untilMessages("The capital of Kenya?", "It is Nairobi.");

      Files.writeString(file, "{\"format\": \"something else\"}");
      browser.one("#import-file").sendKeys(file.toString());
      browser.until(
          "it is refused in words",
          () -> browser.text("#toasts").contains("holds no conversations of Weft"));
      assertThat(titles()).hasSize(2);
    }
    Files.delete(file);
  }

  @Test
  void aReplyThatThePageLeftIsKeptAsFarAsItCame() {
    server.then(
        reply -> {
          reply.say("Begun");
          reply.untilTheyLeave();
        });
    browser.say("Hello");
    browser.untilMessages("Hello", "Begun");
    browser.reload();
    browser.until(
        "it says what happened",
        () ->
            browser.text("#messages").contains("The page was left while this was being written."));
    browser.say("And now?");
    browser.until("it goes on", () -> browser.messages().getLast().startsWith("Reply to "));
  }
}
