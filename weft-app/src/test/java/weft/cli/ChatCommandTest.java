package weft.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Chats over streams with random weights: what is said makes no sense, how it is said does. */
class ChatCommandTest {
  @TempDir static Path folder;

  private static String model;

  @BeforeAll
  static void write() {
    model = folder.resolve("tiny.gguf").toString();
    assertThat(Cli.run("synth", "--shape=tiny-llama", "--type=F32", model).status()).isZero();
  }

  private static Cli chat(String input, String... more) {
    var args = new java.util.ArrayList<String>();
    args.addAll(java.util.List.of("chat", model, "--max-tokens=4", "--temperature=0"));
    args.addAll(java.util.List.of(more));
    var result = Cli.runWithInput(input, args.toArray(String[]::new));
    assertThat(result.status()).as(result.err()).isZero();
    return result;
  }

  @Test
  void answersEachMessageAndFeedsOnlyWhatIsNew() {
    var result = chat("hello there\nand again\n");
    var fed = Pattern.compile("\\[(\\d+) new prompt tokens").matcher(result.err());
    assertThat(fed.find()).isTrue();
    int first = Integer.parseInt(fed.group(1));
    assertThat(fed.find()).isTrue();
    assertThat(Integer.parseInt(fed.group(1))).isLessThan(first + 12);
    assertThat(result.err()).contains("of 2048").contains("tokens/s");
  }

  @Test
  void aLineThatEndsWithABackslashGoesOn() {
    chat("one\\\ntwo\n/save " + folder.resolve("two-lines.json") + "\n");
    assertThat(folder.resolve("two-lines.json")).content().contains("one\\ntwo");
  }

  @Test
  void conversationsAreSavedAndLoaded() throws IOException {
    var file = folder.resolve("saved.json");
    chat("hi\n/save " + file + "\n", "--system", "be kind");
    assertThat(file).content().contains("\"be kind\"").contains("\"hi\"");
    var loaded = chat("/load " + file + "\n/system\n/load /no/such\n/save\n");
    assertThat(loaded.err())
        .contains("Loaded 3 messages.")
        .contains("System: be kind")
        .contains("/no/such does not exist")
        .contains("/save takes the name of a file");
    var broken = Files.writeString(folder.resolve("broken.json"), "{\"messages\":[{\"role\":1}]}");
    assertThat(chat("/load " + broken + "\n").err()).contains("a message needs a role");
  }

  @Test
  void onlyARegularFileIsSavedTo() throws IOException {
    var link = Files.createSymbolicLink(folder.resolve("link.json"), folder.resolve("absent"));
    var result = chat("/save " + link + "\n/save /dev/null\n/save " + folder + "\n");
    assertThat(result.err())
        .contains("not saved: " + link + " is a link")
        .contains("not saved: /dev/null is a device")
        .contains("not saved: " + folder + " is a folder");
    assertThat(link).isSymbolicLink();
  }

  @Test
  void optionsCanBeSetAndWrongOnesAreSentences() {
    var result =
        chat("/set top-k 7\n/set top-p 3\n/set color red\n/set seed x\n/set thinking maybe\n");
    assertThat(result.err())
        .containsPattern("top-k +7")
        .contains("top-p must be between 0 and 1")
        .contains("no option is called color; there are [temperature")
        .contains("seed takes a number, got x")
        .contains("thinking is on or off, got maybe");
  }

  @Test
  void theOtherCommandsAnswer() {
    var result = chat("/help\n/stats\n/clear\n/dance\n/exit\nnot read\n");
    assertThat(result.err())
        .contains("/help")
        .contains("0 replies")
        .contains("The conversation is forgotten.")
        .contains("There is no command /dance; /help lists them.");
    assertThat(result.out()).isEmpty();
  }

  @Test
  void aMessageThatDoesNotFitIsTakenBack() {
    var result =
        chat("x".repeat(300) + "\n/save " + folder.resolve("none.json") + "\n", "--context=64");
    assertThat(result.err()).contains("the context holds 64").contains("Saved 0 messages");
  }

  @Test
  void answersOnceForScripts() {
    var result = Cli.run("chat", "-p", "What is 12 + 30?", "--temperature", "0");
    assertThat(result.status()).as(result.err()).isZero();
    assertThat(result.out()).isEqualTo("12 + 30 = 42\n");
  }

  @Test
  void answersOnceAsADocument() {
    var document =
        Cli.run("chat", "--json", "-p", "What is 12 + 30?", "--temperature=0", "--system=Hi")
            .json();
    assertThat(document.get("content").stringValue()).isNotEmpty();
    assertThat(document.get("reasoning").stringValue()).isEmpty();
    assertThat(document.get("finish_reason").stringValue()).isEqualTo("stop");
    var usage = document.get("usage");
    assertThat(usage.get("total_tokens").intValue())
        .isEqualTo(
            usage.get("prompt_tokens").intValue() + usage.get("completion_tokens").intValue());
  }

  @Test
  void aModelThatSeesNothingSaysSo() throws IOException {
    var picture = folder.resolve("dot.png");
    javax.imageio.ImageIO.write(
        new java.awt.image.BufferedImage(1, 1, java.awt.image.BufferedImage.TYPE_INT_RGB),
        "png",
        picture.toFile());
    var blind =
        "tiny.gguf takes text alone, and an image was given; load what it sees with (--mmproj FILE)";
    for (var command : new String[] {"chat", "run"}) {
      var result = Cli.run(command, model, "--image", picture.toString(), "-p", "What is this?");
      assertThat(result.status()).isEqualTo(1);
      assertThat(result.err()).contains(blind);
    }
    var text = Files.writeString(folder.resolve("notes.txt"), "no picture");
    var chat =
        chat("/image\n/image %s\n/image %s\n/image /no/such\n".formatted(picture, text)).err();
    assertThat(chat)
        .contains("Nothing is shown with the next message.")
        .contains(blind)
        .contains("notes.txt: this is no image that can be read")
        .contains("/no/such does not exist");
  }

  @Test
  void whatIsNoVideoIsSaidBeforeAModelIsLookedFor() throws IOException {
    var film = folder.resolve("film.mp4");
    Files.write(film, new byte[] {0, 0, 0, 24, 'f', 't', 'y', 'p', 'i', 's', 'o', 'm'});
    var none = Files.createDirectory(folder.resolve("none"));
    var mixed = Files.createDirectory(folder.resolve("mixed"));
    Files.writeString(mixed.resolve("notes.txt"), "no picture");
    Files.writeString(mixed.resolve("more.txt"), "no picture");
    for (var command : new String[] {"chat", "run"}) {
      assertThat(Cli.run(command, "absent.gguf", "--video=" + film, "-p", "?").err())
          .contains("film.mp4: this is a film (MP4), which cannot be decoded here");
      assertThat(Cli.run(command, "absent.gguf", "--video=" + none, "-p", "?").err())
          .contains("none: the folder has 0 files; a video has a picture for each of its frames");
      assertThat(Cli.run(command, "absent.gguf", "--video=" + mixed, "-p", "?").err())
          .contains("mixed: more.txt: this is no image that can be read");
      assertThat(Cli.run(command, "absent.gguf", "--video=/no/such", "-p", "?").err())
          .contains("/no/such does not exist");
    }
    var chat = chat("/video %s\n/video\n".formatted(film)).err();
    assertThat(chat).contains("this is a film (MP4)").contains("Nothing is shown with the next");
  }

  @Test
  void picturesAndVideosAreShownInTheOrderOfTheirOptions() throws IOException {
    var golden = Path.of(Cli.golden("film"));
    var film = Files.createDirectory(folder.resolve("film"));
    for (var name : new String[] {"frame00.png", "frame01.png"}) {
      Files.copy(golden.resolve(name), film.resolve(name));
    }
    var one = golden.resolve("frame02.png");
    var other = golden.resolve("frame03.png");
    var result =
        Cli.runWithInput(
            "/image\n",
            "chat",
            Cli.golden("gguf/qwen3-vl-f32.gguf"),
            "--image=" + one,
            "--video=" + film,
            "--image=" + other,
            "--video=" + film);
    assertThat(result.err())
        .contains("With the next message: %s, %s, %s, %s".formatted(one, film, other, film));
  }

  @Test
  void whatIsNoPictureIsSaidBeforeAModelIsLookedFor() throws IOException {
    var text = Files.writeString(folder.resolve("text.txt"), "no picture");
    for (var command : new String[] {"chat", "run"}) {
      var result = Cli.run(command, "absent.gguf", "--image=" + text, "-p", "What is this?");
      assertThat(result.err()).contains("this is no image that can be read");
    }
  }
}
