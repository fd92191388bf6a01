package weft.serve.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.openqa.selenium.By;
import org.openqa.selenium.JavascriptException;
import org.openqa.selenium.Keys;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebDriverException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** A real Chromium without a window, and what a reader does with it. For one thread. */
final class Browser implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final int PAUSE_MILLIS = 20;
  private static final int WIDTH = 1200;
  private static final int HEIGHT = 860;

  private final ChromeDriver driver;
  private final Path folder;

  private Browser(ChromeDriver driver, Path folder) {
    this.driver = driver;
    this.folder = folder;
  }

  /** Starts it; empty where this machine has no Chromium or no driver for it. */
  static Optional<Browser> start() {
    return program("chromium", "chromium-browser", "google-chrome")
        .flatMap(browser -> program("chromedriver").map(driver -> start(browser, driver)));
  }

  private static Optional<Path> program(String... names) {
    var folders = System.getenv().getOrDefault("PATH", "").split(File.pathSeparator);
    return Stream.of(names)
        .flatMap(name -> Arrays.stream(folders).map(folder -> Path.of(folder, name)))
        .filter(Files::isExecutable)
        .findFirst();
  }

  private static Browser start(Path chromium, Path chromedriver) {
    Logger.getLogger("org.openqa.selenium").setLevel(Level.SEVERE);
    try {
      var folder = Files.createTempDirectory("weft-page");
      var options = new ChromeOptions();
      options.setBinary(chromium.toFile());
      options.addArguments(
          "--headless",
          "--no-sandbox",
          "--disable-gpu",
          "--disable-quic",
          "--disable-dev-shm-usage",
          "--no-first-run",
          "--disable-background-networking",
          "--disable-component-update",
          "--disable-sync",
          "--user-data-dir=" + folder.resolve("profile"),
          "--window-size=" + WIDTH + "," + HEIGHT);
      options.setExperimentalOption(
          "prefs", Map.of("download.default_directory", folder.resolve("downloads").toString()));
      var logs = new LoggingPreferences();
      logs.enable(LogType.BROWSER, Level.ALL);
      options.setCapability(ChromeOptions.LOGGING_PREFS, logs);
      var service =
          new ChromeDriverService.Builder().usingDriverExecutable(chromedriver.toFile()).build();
      return new Browser(new ChromeDriver(service, options), folder);
    } catch (IOException e) {
      throw new AssertionError("no folder for the browser", e);
    }
  }

  /** Opens an address and waits until the page has found its models, or has said why not. */
  void open(String address) {
    logs(); // what others said before is theirs
    driver.get(address);
    until("the page is ready", () -> !all("body[data-ready]").isEmpty());
  }

  void reload() {
    driver.navigate().refresh();
    until("the page is ready", () -> !all("body[data-ready]").isEmpty());
  }

  /** Writes a message and sends it by key. */
  void say(String text) {
    one("#message").sendKeys(text, Keys.ENTER);
  }

  WebElement one(String selector) {
    return driver.findElement(By.cssSelector(selector));
  }

  List<WebElement> all(String selector) {
    return driver.findElements(By.cssSelector(selector));
  }

  void click(String selector) {
    // By script where a transition still moves it; by hand otherwise, so that what covers it
    // counts.
    until(
        selector + " can be clicked",
        () -> {
          one(selector).click();
          return true;
        });
  }

  void keys(CharSequence... keys) {
    driver.switchTo().activeElement().sendKeys(keys);
  }

  /** What a script gives back. */
  Object run(String script, Object... arguments) {
    return driver.executeScript(script, arguments);
  }

  /** What an asynchronous function's body gives back; modules of the page can be imported there. */
  Object await(String body) {
    var script =
        "const done = arguments[0]; (async () => {%s})().then(done, (e) => done('failed: ' + e));";
    return driver.executeAsyncScript(script.formatted(body));
  }

  String text(String selector) {
    return one(selector).getText();
  }

  /** The texts of the messages that are shown, each as who sees it reads it. */
  List<String> messages() {
    return all(".message .body").stream().map(WebElement::getText).toList();
  }

  /** Waits until an element's text is what is expected. */
  void untilText(String selector, String expected) {
    untilTrue(
        () -> all(selector).stream().findFirst().map(WebElement::getText).orElse("(nothing)"),
        selector,
        expected);
  }

  void untilMessages(String... expected) {
    untilTrue(this::messages, "messages", List.of(expected));
  }

  private void untilTrue(Supplier<Object> found, String what, Object expected) {
    try {
      until(what, () -> found.get().equals(expected));
    } catch (AssertionError e) {
      assertThat(found.get()).as(what).isEqualTo(expected);
    }
  }

  /** Waits until something holds; what the page redraws meanwhile does not count. */
  void until(String what, BooleanSupplier holds) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    var last = Optional.<Throwable>empty();
    do {
      try {
        if (holds.getAsBoolean()) return;
        Thread.sleep(PAUSE_MILLIS);
      } catch (JavascriptException e) {
        throw e;
      } catch (StaleElementReferenceException e) {
        last = Optional.of(e);
      } catch (WebDriverException e) {
        last = Optional.of(e);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    } while (System.nanoTime() < deadline);
    throw new AssertionError("waited in vain until " + what, last.orElse(null));
  }

  /** What the browser's console was told since the page was opened. */
  List<String> logs() {
    return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
        .map(entry -> entry.getLevel() + " " + entry.getMessage())
        .toList();
  }

  /** Takes the measures of a screen, until {@link #ordinary}. */
  void pretend(int width, int height) {
    driver.executeCdpCommand(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 2, "mobile", true));
  }

  void ordinary() {
    driver.executeCdpCommand("Emulation.clearDeviceMetricsOverride", Map.of());
  }

  /** The file of a name once it has been downloaded. */
  Path download(String name) {
    var file = folder.resolve("downloads").resolve(name);
    until(name + " is downloaded", () -> Files.exists(file));
    return file;
  }

  @Override
  public void close() {
    driver.quit();
    try (var files = Files.walk(folder)) {
      files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
    } catch (IOException e) {
      throw new AssertionError("cannot remove " + folder, e);
    }
  }
}
