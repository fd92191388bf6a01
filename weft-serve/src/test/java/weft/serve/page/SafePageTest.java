package weft.serve.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a model writes is shown and never run; nothing is fetched from anywhere else. */
@ExtendWith(WithBrowser.class)
class SafePageTest {
  private static final String RICH =
      """
      # Title

      Text with **weight**, `code`, $e^{i\\pi} + 1 = 0$ and $5 or $6 of money.

      ```java
      record Point(int x, int y) {}
      ```

      $$\\vec{v} = \\frac{a}{b}$$

      | a | b |
      |---|--:|
      | 1 | 2 |

      - [x] done

      [a link](https://example.org/) ![a picture](https://example.org/x.png)
      """;

  private final Browser browser;
  private final ScriptedServer server = new ScriptedServer();

  SafePageTest(Browser browser) {
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
  void aScriptInAReplyStaysText() {
    var attacks =
        List.of(
            "<script>window.hacked = 1</script>",
            "<img src=x onerror=\"window.hacked = 1\">",
            "<svg onload=\"window.hacked = 1\"></svg>",
            "<iframe src=\"javascript:parent.hacked = 1\"></iframe>",
            "<details open ontoggle=\"window.hacked = 1\">x</details>",
            "<style>body { display: none }</style>",
            "<kbd><img src=x onerror=\"window.hacked = 1\"></kbd>",
            "<form action=\"https://example.org\"><input name=q></form>",
            "[link](javascript:window.hacked=1)",
            "![pic](javascript:window.hacked=1)",
            "[link](data:text/html,<script>window.hacked=1</script>)",
            "[link](data:image/svg+xml,<svg onload=alert(1)>)",
            "$\\href{javascript:window.hacked=1}{x}$",
            "```\"><img/src=x/onerror=window.hacked=1>\ncode\n```");
    server.then(String.join("\n\n", attacks) + "\n\nThe end.");
    browser.say("<script>window.hacked = 1</script>");
    browser.until("all is there", () -> browser.text("#messages").endsWith("tokens"));
    var shown = browser.text(".assistant .prose");
    assertThat(shown).contains(attacks.get(0), attacks.get(1), attacks.get(2), attacks.get(5));
    assertThat(browser.text(".user .asked")).isEqualTo("<script>window.hacked = 1</script>");
    assertThat(browser.run("return window.hacked")).isNull();
    assertThat(
            browser.all(
                "#messages script, #messages iframe, #messages style, #messages form,"
                    + " #messages img, #messages .prose svg[onload], #messages [onerror],"
                    + " #messages a[href^='javascript'], #messages a[href^='data']"))
        .isEmpty();
    assertThat(browser.logs()).as("what the policy had to stop").isEmpty();
  }

  @Test
  void markdownIsSetAndNothingComesFromElsewhere() {
    server.then(RICH);
    browser.say("Show me");
    browser.until("formulas are drawn", () -> browser.all(".formula .katex").size() == 2);
    assertThat(browser.text(".prose h1")).isEqualTo("Title");
    assertThat(browser.text(".prose p")).contains("$5 or $6 of money");
    assertThat(browser.all(".code .hljs-keyword")).isNotEmpty();
    assertThat(browser.text(".code figcaption span")).isEqualTo("java");
    assertThat(browser.all("td[align=right]")).hasSize(1);
    assertThat(browser.text(".task")).isEqualTo("☑ done");
    assertThat(browser.all(".prose a[rel~=noreferrer][target=_blank]")).hasSize(2);
    browser.click(".code button");
    browser.untilText(".code button", "Copied");
    assertThat(
            browser.run(
                "return performance.getEntriesByType('resource').map((entry) => entry.name)"
                    + ".filter((name) => !name.startsWith(location.origin))"))
        .as("requests to others")
        .isEqualTo(List.of());
    assertThat(browser.logs()).as("what the policy had to stop, or was missing").isEmpty();
  }

  @Test
  void whatCanBePressedHasANameAndNothingOverflowsAPhone() {
    server.then(RICH);
    browser.pretend(360, 740);
    try {
      browser.reload();
      browser.one("#message").sendKeys("Show me");
      browser.click("#send");
      browser.until("formulas are drawn", () -> browser.all(".formula .katex").size() == 2);
      assertThat(browser.run("return document.documentElement.scrollWidth")).isEqualTo(360L);
      assertThat(
              browser.run(
                  "return [...document.querySelectorAll('button, input, select, textarea')]"
                      + ".filter((node) => !node.hidden && !(node.ariaLabel || node.textContent.trim()"
                      + " || node.labels?.length)).map((node) => node.outerHTML)"))
          .as("controls without a name")
          .isEqualTo(List.of());
      browser.click("#toggle-sidebar");
      browser.until("the list is over the chat", () -> browser.one("#fresh").isDisplayed());
      browser.click("#fresh");
      browser.until("it is gone again", () -> !browser.one("#fresh").isDisplayed());
    } finally {
      browser.ordinary();
    }
  }

  @Test
  void aThemeThatIsChosenStays() {
    browser.click("#open-settings");
    browser.one("#theme").sendKeys("dark");
    browser.until(
        "it is dark",
        () -> "dark".equals(browser.run("return getComputedStyle(document.body).colorScheme")));
    browser.reload();
    assertThat(browser.run("return document.documentElement.dataset.theme")).isEqualTo("dark");
  }
}
