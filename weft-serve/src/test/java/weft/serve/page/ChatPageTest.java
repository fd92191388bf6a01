package weft.serve.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;

/**
 * Talking: a reply that streams, is stopped, asked for again, branched; what goes wrong is said.
 */
@ExtendWith(WithBrowser.class)
class ChatPageTest {
  private final Browser browser;
  private final ScriptedServer server = new ScriptedServer();

  ChatPageTest(Browser browser) {
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

  @Test
  void aReplyIsShownWhileItComes() {
    var seen = new CountDownLatch(1);
    server.then(
        reply -> {
          reply.say("One, ").say("two");
          seen.await(20, TimeUnit.SECONDS);
          reply.say(", three.").end();
        });
    browser.say("Count");
    browser.untilMessages("Count", "One, two");
    assertThat(browser.one("#send").getAttribute("aria-label")).isEqualTo("Stop");
    seen.countDown();
    browser.untilMessages("Count", "One, two, three.");
    browser.untilText("#context-text", "103 of 2,048 tokens");
    assertThat(browser.text(".assistant .facts")).contains("plain").contains("3 tokens");
    browser.untilText("#voice", "One, two, three.");
    var asked = server.asked().getFirst();
    assertThat(asked.get("stream").asBoolean()).isTrue();
    assertThat(asked.get("model").asString()).isEqualTo("plain");
    assertThat(asked.get("messages").toString())
        .isEqualTo("[{\"role\":\"user\",\"content\":\"Count\"}]");
    assertThat(browser.run("return document.activeElement.id")).isEqualTo("message");
  }

  @Test
  void callsOfToolsAreShownWithTheirArguments() {
    server.then(
        reply ->
            reply
                .say("Let me look.")
                .call(0, "weather", "{\"ci")
                .call(0, "", "ty\":\"Oslo\"}")
                .call(1, "<b>clock</b>", "{}")
                .end("tool_calls"));
    browser.say("How is it in Oslo?");
    browser.untilText(".call:last-child p", "Calls <b>clock</b>");
    assertThat(browser.text(".call p")).isEqualTo("Calls weather");
    browser.untilText(".call pre", "{\n  \"city\": \"Oslo\"\n}");
    assertThat(browser.messages().getLast()).startsWith("Let me look.");
  }

  @Test
  void stopKeepsWhatCameAndLeavesTheServer() throws InterruptedException {
    var left = new CountDownLatch(1);
    server.then(
        reply -> {
          reply.say("This goes on");
          reply.untilTheyLeave();
          left.countDown();
        });
    browser.say("Go on");
    browser.untilMessages("Go on", "This goes on");
    browser.keys(Keys.ESCAPE);
    browser.untilMessages("Go on", "This goes on\nStopped.");
    assertThat(left.await(20, TimeUnit.SECONDS)).as("the server noticed").isTrue();
    browser.say("Next");
    browser.untilMessages("Go on", "This goes on\nStopped.", "Next", "Reply to Next");
  }

  @Test
  void aQuestionThatWasNeverAnsweredGoesWithTheNext() {
    server.then(ScriptedServer.Reply::untilTheyLeave);
    browser.say("One");
    browser.until("it waits", () -> server.asked().size() == 1);
    browser.click("#send");
    browser.until("it stopped", () -> browser.messages().contains("Stopped."));
    browser.say("Two");
    browser.until("it was asked", () -> server.asked().size() == 2);
    assertThat(server.asked().getLast().get("messages").toString())
        .isEqualTo("[{\"role\":\"user\",\"content\":\"One\\n\\nTwo\"}]");
  }

  @Test
  void anEditedQuestionIsABranchBesideTheFirst() {
    browser.say("First");
    browser.untilMessages("First", "Reply to First");
    browser.say("Second");
    browser.untilMessages("First", "Reply to First", "Second", "Reply to Second");

    // The arrow edits the last question; its field has the focus.
    browser.keys(Keys.ARROW_UP);
    browser.keys(Keys.chord(Keys.CONTROL, "a"), "Other", Keys.ENTER);
    browser.untilMessages("First", "Reply to First", "Other", "Reply to Other");
    assertThat(server.asked().getLast().get("messages").toString())
        .contains("First", "Reply to First", "Other")
        .doesNotContain("Second");

    browser.untilText(".user .arrows", "2 / 2");
    browser.click(".user [data-step='-1']");
    browser.untilMessages("First", "Reply to First", "Second", "Reply to Second");
    browser.reload();
    browser.untilMessages("First", "Reply to First", "Second", "Reply to Second");
    browser.click(".user [data-step='1']");
    browser.untilMessages("First", "Reply to First", "Other", "Reply to Other");
  }

  @Test
  void replyingAgainKeepsBothReplies() {
    server.then("One way").then("Another way");
    browser.say("Which?");
    browser.untilMessages("Which?", "One way");
    browser.click(".assistant [data-do=retry]");
    browser.untilMessages("Which?", "Another way");
    browser.untilText(".assistant .arrows", "2 / 2");
    browser.click(".assistant [data-step='-1']");
    browser.untilMessages("Which?", "One way");
  }

  @Test
  void thinkingFoldsWhenTheAnswerBegins() {
    var seen = new CountDownLatch(1);
    server.then(
        reply -> {
          reply.think("Let me see.");
          seen.await(20, TimeUnit.SECONDS);
          reply.say("Yes.").end();
        });
    browser.say("Is it?");
    browser.untilText(".thought summary", "Thinking");
    browser.untilText(".thought .prose", "Let me see.");
    seen.countDown();
    browser.untilMessages("Is it?", "Thought\nYes.");
    assertThat(browser.one(".thought").getAttribute("open")).isNull();
    browser.click(".thought summary");
    browser.untilText(".thought .prose", "Let me see.");
  }

  @Test
  void aServerThatGoesAwayIsToldAndRecovered() {
    server.goAway();
    browser.say("Are you there?");
    browser.untilMessages("Are you there?", "The server cannot be reached.\nTry again");
    browser.until("the banner says so", () -> browser.text("#banner").contains("trying again"));
    server.comeBack();
    browser.until("the banner is gone", () -> !browser.one("#banner").isDisplayed());
    browser.one(".problem").findElement(By.tagName("button")).click();
    browser.untilMessages("Are you there?", "Reply to Are you there?");
    assertThat(browser.all(".arrows")).as("what failed at once is no branch").isEmpty();
  }

  @Test
  void whatGoesWrongIsASentence() {
    server.then(reply -> reply.refuse(429, "rate_limit_exceeded", "busy"));
    browser.say("Hello");
    browser.untilMessages(
        "Hello", "The server is busy and asks to try again in 7 seconds.\nTry again");
    server.then(reply -> reply.refuse(400, "context_length_exceeded", "2100 tokens of 2048"));
    browser.click(".problem button");
    browser.untilMessages(
        "Hello",
        "2100 tokens of 2048. Start a new chat, or edit an earlier message to make this one"
            + " shorter.\nTry again");
    server.then(reply -> reply.say("Half a"));
    browser.click(".problem button");
    browser.untilMessages(
        "Hello", "Half a\nThe connection broke before the reply was whole.\nTry again");
    server.then(reply -> reply.write("data: {\"error\": {\"message\": \"it broke\"}}\n\n"));
    browser.click(".problem button");
    browser.untilMessages("Hello", "It broke.\nTry again");
  }

  @Test
  void aKeyIsAskedForAndKept() {
    server.locked("secret");
    browser.reload();
    browser.until("the page asks", () -> browser.one("#ask-key").isDisplayed());
    browser.one("#asked-key").sendKeys("secret", Keys.ENTER);
    browser.untilText("#model option", "plain");
    browser.say("Hello");
    browser.untilMessages("Hello", "Reply to Hello");
    browser.reload();
    assertThat(browser.one("#ask-key").isDisplayed()).isFalse();
  }

  @Test
  void settingsGoWithTheQuestion() {
    browser.click("#open-settings");
    browser.one("[data-option=system]").sendKeys("Be brief.");
    browser.one("[data-option=temperature]").sendKeys("0.5");
    browser.one("[data-option=top_k]").sendKeys("-3");
    browser.one("[data-option=seed]").sendKeys("7");
    browser.one("[data-option=stop]").sendKeys("END");
    browser.one("[data-option=thinking]").sendKeys("off");
    browser.one("#schema").sendKeys("{");
    browser.until(
        "JSON is asked for", () -> browser.text("#schema-problem").startsWith("This is not JSON"));
    browser.one("#schema").sendKeys("\"type\": \"object\"}");
    browser.untilText("#schema-problem", "");
    browser.keys(Keys.ESCAPE);
    browser.until("the sheet is closed", () -> !browser.one("#settings").isDisplayed());
    assertThat(browser.one("#schema-on").isDisplayed()).isTrue();
    server.then("{\"answer\": 42}");
    browser.say("Hello");
    browser.untilMessages("Hello", "json\nCopy\n{\n  \"answer\": 42\n}");
    var asked = server.asked().getFirst();
    assertThat(asked.get("messages").get(0).toString())
        .isEqualTo("{\"role\":\"system\",\"content\":\"Be brief.\"}");
    assertThat(asked.get("temperature").asDouble()).isEqualTo(0.5);
    assertThat(asked.get("seed").asInt()).isEqualTo(7);
    assertThat(asked.get("stop").toString()).isEqualTo("[\"END\"]");
    assertThat(asked.get("enable_thinking").asBoolean()).isFalse();
    assertThat(asked.has("top_k")).as("out of its range").isFalse();
    assertThat(asked.get("response_format").toString())
        .isEqualTo(
            "{\"type\":\"json_schema\",\"json_schema\":"
                + "{\"name\":\"answer\",\"strict\":true,\"schema\":{\"type\":\"object\"}}}");
  }

  @Test
  void picturesGoOnlyToModelsThatSee() throws Exception {
    assertThat(browser.one("#attach").isDisplayed()).isFalse();
    browser.one("#model").sendKeys("seeing");
    browser.until("pictures can be attached", () -> browser.one("#attach").isDisplayed());
    var picture = java.nio.file.Files.createTempFile("weft", ".png");
    javax.imageio.ImageIO.write(
        new java.awt.image.BufferedImage(8, 8, java.awt.image.BufferedImage.TYPE_INT_RGB),
        "png",
        picture.toFile());
    browser.one("#picture-file").sendKeys(picture.toString());
    browser.until("the picture is shown", () -> browser.all(".picture img").size() == 1);
    server.then("Black.");
    browser.say("What is this?");
    browser.untilMessages("What is this?", "Black.");
    var asked = server.asked().getFirst();
    assertThat(asked.get("model").asString()).isEqualTo("seeing");
    var content = asked.get("messages").get(0).get("content");
    assertThat(content.get(0).get("image_url").get("url").asString())
        .startsWith("data:image/png;base64,");
    assertThat(content.get(1).get("text").asString()).isEqualTo("What is this?");
    java.nio.file.Files.delete(picture);
  }

  /** An event that brings a picture of so many by so many pixels, as a browser makes it. */
  private void bring(String event, String field, int width, int height) {
    browser.await(
        """
        const canvas = Object.assign(document.createElement('canvas'), { width: %d, height: %d });
        const blob = await new Promise((take) => canvas.toBlob(take, 'image/png'));
        const transfer = new DataTransfer();
        transfer.items.add(new File([blob], 'shot.png', { type: 'image/png' }));
        const event = new Event('%s', { bubbles: true, cancelable: true });
        Object.defineProperty(event, '%s', { value: transfer });
        document.getElementById('message').dispatchEvent(event);
        return event.defaultPrevented;"""
            .formatted(width, height, event, field));
  }

  @Test
  void picturesArePastedDroppedAndTakenBackByKeyboard() {
    bring("paste", "clipboardData", 8, 8);
    assertThat(browser.all(".picture")).as("this model sees nothing").isEmpty();
    browser.one("#model").sendKeys("seeing");
    browser.until("pictures can be attached", () -> browser.one("#attach").isDisplayed());
    bring("paste", "clipboardData", 8, 8);
    browser.until("it is shown", () -> browser.all(".picture img").size() == 1);
    browser.untilText("#voice", "A picture is attached.");
    bring("drop", "dataTransfer", 5000, 1);
    browser.until("both are shown", () -> browser.all(".picture img").size() == 2);
    assertThat(browser.all(".picture").getLast().getAttribute("aria-label"))
        .isEqualTo("Remove picture 2 of 2");
    browser.all(".picture").getFirst().sendKeys(Keys.ENTER);
    browser.until("one is left", () -> browser.all(".picture img").size() == 1);
    assertThat(browser.run("return document.activeElement.id")).isEqualTo("message");
    server.then("A line.");
    browser.keys("What?", Keys.ENTER);
    browser.untilMessages("What?", "A line.");
    var content = server.asked().getFirst().get("messages").get(0).get("content");
    assertThat(content).hasSize(2);
    assertThat(content.get(0).get("image_url").get("url").asString())
        .startsWith("data:image/jpeg;base64,");
    browser.reload();
    browser.until("it is kept", () -> browser.all(".user img.attached").size() == 1);
  }
}
