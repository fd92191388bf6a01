package weft.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import weft.generate.Album;
import weft.generate.Gallery;
import weft.generate.Request;
import weft.generate.Seen;
import weft.generate.Ticket;
import weft.image.FilmRules;
import weft.image.ImageException;
import weft.image.PatchRules;
import weft.image.Picture;
import weft.image.Reel;
import weft.image.Resampling;
import weft.image.Sizing;
import weft.text.ChatTemplate;
import weft.text.tokenizer.GgufVocabulary;
import weft.text.tokenizer.SpecialText;
import weft.text.tokenizer.Tokenizer;

/** Pictures among the parts of messages. */
class PicturesInChatTest {
  private static final int START = 256;
  private static final int END = 257;
  private static final int VISION_START = 258;
  private static final int VISION_END = 259;
  private static final int PAD = 260;
  private static final int VIDEO_PAD = 261;

  private static final Tokenizer TOKENIZER = tokenizer();

  /** As Qwen's do. */
  private static final String LISTS =
      """
      {%- for message in messages -%}
      <|start|>{{ message.role }}
      {% if message.content is string %}{{ message.content }}
      {%- else %}{% for part in message.content %}{% if part.type == 'image' -%}
      <|vision_start|><|image_pad|><|vision_end|>{% elif part.type == 'video' -%}
      <|vision_start|><|video_pad|><|vision_end|>{% else %}{{ part.text }}{% endif %}{% endfor %}{% endif %}<|end|>
      {% endfor -%}
      {%- if add_generation_prompt %}<|start|>assistant
      {% endif -%}
      """;

  private static final String TEXTS =
      """
      {%- for message in messages -%}
      <|start|>{{ message.role + '\\n' + message.content }}<|end|>
      {% endfor -%}
      {%- if add_generation_prompt %}<|start|>assistant
      {% endif -%}
      """;

  private static Tokenizer tokenizer() {
    var tokens = new ArrayList<String>();
    for (int b = 0; b < 256; b++) tokens.add(Character.toString(b < 33 || b > 126 ? 256 + b : b));
    tokens.addAll(
        List.of(
            "<|start|>",
            "<|end|>",
            "<|vision_start|>",
            "<|vision_end|>",
            "<|image_pad|>",
            "<|video_pad|>"));
    var types = new int[tokens.size()];
    Arrays.fill(types, 1);
    for (int id = START; id <= VIDEO_PAD; id++) types[id] = 3;
    return Tokenizer.of(
        new GgufVocabulary(
            "gpt2",
            "gpt-2",
            tokens,
            types,
            new float[0],
            List.of(),
            Map.of(),
            Map.of(),
            new byte[0]));
  }

  /** Sees as many rows as a picture has pixels, and looks at each of its pictures. */
  private static final class Eye implements Sight {
    private final Gallery gallery = new Gallery();
    private final List<Picture> looked = new ArrayList<>();
    private final FilmRules rules =
        new FilmRules(
            2,
            4,
            768,
            2,
            new PatchRules(
                new Sizing.Filmed(1, 1 << 20, 2, 2),
                Resampling.BICUBIC,
                1,
                1,
                2,
                PatchRules.Colour.grey(0.5f),
                PatchRules.Colour.grey(0.5f)));
    private OptionalInt placeholder = OptionalInt.of(PAD);
    private Sight.Films films = Sight.Films.VIDEOS;

    @Override
    public Seen see(Picture picture) {
      looked.add(picture);
      var grid = new Seen.Grid(1, picture.height(), picture.width());
      var rows = new Seen.Rows(new float[grid.rows()], List.of());
      return gallery.seen("" + picture.at(0, 0, 0), grid, rows, Seen.Manner.GRID);
    }

    @Override
    public Marks marks() {
      return new Marks(
          "<|image_pad|>", "<|image_pad|>", "<|vision_start|><|image_pad|><|vision_end|>", PAD);
    }

    /** As many rows as a frame has pixels, for every two of them. */
    @Override
    public List<Glimpse> watch(Reel reel) {
      return rules.moments(reel).stream()
          .map(
              moment -> {
                var frame = moment.frames().getFirst();
                var grid = new Seen.Grid(1, frame.height(), frame.width());
                var rows = new Seen.Rows(new float[grid.rows()], List.of());
                var content = "moment " + frame.at(0, 0, 0);
                return new Glimpse(
                    moment.second(), gallery.seen(content, grid, rows, Seen.Manner.GRID));
              })
          .toList();
    }

    @Override
    public Films films() {
      return films;
    }

    @Override
    public FilmMarks filmMarks() {
      return new FilmMarks("<|video_pad|>", "<|vision_start|>", "<|vision_end|>", VIDEO_PAD);
    }

    @Override
    public OptionalInt placeholder() {
      return placeholder;
    }

    @Override
    public OptionalInt filmPlaceholder() {
      return placeholder.isEmpty() ? placeholder : OptionalInt.of(VIDEO_PAD);
    }
  }

  private final Eye eye = new Eye();

  private ChatModel model(String template, Optional<Sight> sight) {
    var prompts = new ChatPrompts(ChatTemplate.compile(template), TOKENIZER, Map.of());
    return new ChatModel() {
      @Override
      public ChatPrompts prompts() {
        return prompts;
      }

      @Override
      public Request request(int... prompt) {
        return Request.of(prompt);
      }

      @Override
      public Ticket submit(Request request) {
        throw new IllegalStateException();
      }

      @Override
      public Optional<Sight> sight() {
        return sight;
      }

      @Override
      public String name() {
        return "qwen";
      }
    };
  }

  private static Part.Image image(int width, int red) {
    var image = new BufferedImage(width, 2, BufferedImage.TYPE_INT_RGB);
    image.setRGB(0, 0, red << 16);
    var file = new ByteArrayOutputStream();
    try {
      ImageIO.write(image, "png", file);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return new Part.Image(file.toByteArray(), "photo.png");
  }

  private ChatPrompts.Prompt prompt(String template, Message... messages) {
    return ChatTurn.of(model(template, Optional.of(eye)), List.of(messages), ChatOptions.standard())
        .prompt();
  }

  private static List<Integer> special(ChatPrompts.Prompt prompt) {
    return Arrays.stream(prompt.tokens()).filter(id -> id < 0 || id > START + 1).boxed().toList();
  }

  @Test
  void aPictureIsItsRowsWhereTheTemplateHasIt() {
    for (var template : List.of(LISTS, TEXTS)) {
      var shown =
          Message.of(
              Message.USER,
              new Part.Text("What is "),
              image(3, 1),
              new Part.Text(" and "),
              image(1, 2),
              new Part.Text("?"));
      var prompt = prompt(template, shown);
      assertThat(prompt.text())
          .contains(
              "What is <|vision_start|><|image_pad|><|vision_end|> and <|vision_start|><|image_pad|><|vision_end|>?<|end|>");
      assertThat(special(prompt))
          .containsExactly(
              VISION_START, -1, -1, -1, -1, -1, -1, VISION_END, VISION_START, -2, -2, VISION_END);
      assertThat(prompt.album().pictures()).hasSize(2);
    }
  }

  private static Part.Video video(int... reds) {
    var frames = Arrays.stream(reds).mapToObj(red -> image(2, red).file()).toList();
    return new Part.Video(frames, 2, "clip");
  }

  @Test
  void aVideoIsItsMomentsWithTheirTimes() {
    for (var template : List.of(LISTS, TEXTS)) {
      var shown =
          Message.of(
              Message.USER,
              image(1, 7),
              video(1, 2, 3, 4, 5),
              new Part.Text("What happens?"),
              image(1, 8));
      var prompt = prompt(template, shown);
      assertThat(prompt.text())
          .contains(
              "<|vision_end|><0.2 seconds><|vision_start|><|video_pad|><|vision_end|>"
                  + "<1.2 seconds><|vision_start|><|video_pad|><|vision_end|>"
                  + "<2.0 seconds><|vision_start|><|video_pad|><|vision_end|>What happens?");
      var ids = prompt.pictures().stream().map(Seen::id).toList();
      assertThat(ids).hasSize(5).doesNotHaveDuplicates();
      var rows = Arrays.stream(prompt.tokens()).filter(Album::isRow).distinct().boxed().toList();
      assertThat(rows).isEqualTo(ids);
      assertThat(Arrays.stream(prompt.tokens()).filter(id -> id == ids.get(1))).hasSize(4);
      assertThat(Arrays.stream(prompt.tokens())).doesNotContain(PAD, VIDEO_PAD);
    }
  }

  @Test
  void aModelThatKnowsNoVideosIsShownPictures() {
    eye.films = Sight.Films.PICTURES;
    for (var template : List.of(LISTS, TEXTS)) {
      var prompt = prompt(template, Message.of(Message.USER, video(1, 2, 3, 4)));
      assertThat(prompt.text())
          .contains(
              "user\n<|vision_start|><|image_pad|><|vision_end|><|vision_start|><|image_pad|><|vision_end|><|end|>");
      assertThat(prompt.pictures()).hasSize(2);
    }
  }

  @Test
  void framesOfAVideoHaveOneSizeAndItsName() {
    var other = new Part.Video(List.of(image(2, 1).file(), image(3, 1).file()), 2, "clip");
    assertThatThrownBy(() -> prompt(LISTS, Message.of(Message.USER, other)))
        .isInstanceOf(ImageException.class)
        .hasMessage(
            "clip: frame 1: all frames of a video have one size, but the first has 2 by 2 pixels and another 3 by 2");
    assertThatThrownBy(
            () ->
                prompt(LISTS, Message.of(Message.USER, Part.Video.of(image(2, 1).file(), "a.png"))))
        .isInstanceOf(ImageException.class)
        .hasMessageStartingWith("a.png: the PNG image does not move");
  }

  @Test
  void marksOfATextTakeWhatThereIsOfTheirKind() {
    var shown = List.of(image(1, 1), image(2, 2), video(1, 2));
    var text = "a <|image_pad|> b <|video_pad|> c <|image_pad|>";
    var prompt = PicturedText.of(eye, TOKENIZER, text, shown);
    assertThat(prompt.text())
        .isEqualTo(
            "a <|image_pad|> b <0.2 seconds><|vision_start|><|video_pad|><|vision_end|> c <|image_pad|>");
    assertThat(prompt.pictures().stream().map(Seen::count)).containsExactly(2, 4, 4);
    assertThat(PicturedText.of(eye, TOKENIZER, "what?", shown).text())
        .isEqualTo(
            "<|vision_start|><|image_pad|><|vision_end|><|vision_start|><|image_pad|><|vision_end|>"
                + "<0.2 seconds><|vision_start|><|video_pad|><|vision_end|>what?");
    assertThatThrownBy(() -> PicturedText.of(eye, TOKENIZER, "<|video_pad|>", shown))
        .isInstanceOf(ImageException.class)
        .hasMessage(
            "the prompt has other than one of <|image_pad|> and <|video_pad|> for each of 2 images and 1 videos");
    int[] tokens = {7, VIDEO_PAD, 8, PAD, PAD};
    assertThat(PicturedText.of(eye, tokens, shown).tokens())
        .hasSize(2 + 4 + 2 + 4)
        .startsWith(7, prompt.pictures().get(1).id());
  }

  @Test
  void whatUsersSpellIsNoPicture() {
    for (var template : List.of(LISTS, TEXTS)) {
      for (var special : SpecialText.values()) {
        var spelled = "<|image_pad|> \uFDD2 <|image_pad|>";
        var options = ChatOptions.standard().withSpecialText(special);
        var shown = Message.of(Message.USER, new Part.Text(spelled), image(2, 1));
        var prompt =
            ChatTurn.of(model(template, Optional.of(eye)), List.of(shown), options).prompt();
        assertThat(special(prompt))
            .as("%s", special)
            .containsExactly(VISION_START, -1, -1, -1, -1, VISION_END);
        assertThat(prompt.text()).contains("<|image_pad|> \uFFFD <|image_pad|><|vision_start|>");
      }
    }
  }

  @Test
  void whatWasReadIsNeitherTokenizedNorLookedAtAgain() {
    var model = model(LISTS, Optional.of(eye));
    var viewing = new Viewing(model);
    var messages = new ArrayList<>(List.of(Message.of(Message.USER, image(2, 1))));
    var first =
        ChatTurn.of(model, messages, ChatOptions.standard(), ChatPrompts.Prompt.NONE, viewing);
    var known = first.prompt();
    messages.add(Message.assistant(""));
    messages.add(Message.of(Message.USER, image(1, 2), new Part.Text("and this?")));
    var next = ChatTurn.of(model, messages, ChatOptions.standard(), known, viewing).prompt();
    assertThat(next.encoded()).isLessThan(next.text().length());
    assertThat(Arrays.copyOf(next.tokens(), known.tokens().length)).isEqualTo(known.tokens());
    assertThat(special(next))
        .containsExactly(
            VISION_START, -1, -1, -1, -1, VISION_END, VISION_START, -2, -2, VISION_END);
    assertThat(eye.looked).hasSize(2);

    messages.set(0, Message.of(Message.USER, image(2, 3)));
    var other = ChatTurn.of(model, messages, ChatOptions.standard(), known, viewing).prompt();
    assertThat(other.encoded()).as("another picture").isEqualTo(other.text().length());
    assertThat(special(other)).contains(-3).doesNotContain(-1);
  }

  /** A vocabulary that names no placeholder shows by its repetitions which token is one. */
  @Test
  void tokensHoldAPlaceholderForEachRowOrForEachPicture() {
    var images = List.of(image(2, 1), image(1, 2));
    int[] rows = {7, PAD, PAD, PAD, PAD, 8, 7, PAD, PAD, 7};
    int[] expected = {7, -1, -1, -1, -1, 8, 7, -2, -2, 7};
    assertThat(PicturedText.of(eye, rows, images).tokens()).isEqualTo(expected);
    assertThat(PicturedText.of(eye, new int[] {7, PAD, 8, 7, PAD, 7}, images).tokens())
        .isEqualTo(expected);
    assertThatThrownBy(() -> PicturedText.of(eye, new int[] {7, PAD, 8}, images))
        .hasMessage(
            "the prompt has token %d 1 times; the images want it once each (2 times) or once for each of their rows (6 times)"
                .formatted(PAD));
    eye.placeholder = OptionalInt.empty();
    assertThat(PicturedText.of(eye, rows, images).tokens()).isEqualTo(expected);
    for (int[] other : List.of(new int[] {7, 8}, new int[] {9, 9, 9, 9, 9, 9, 9})) {
      assertThatThrownBy(() -> PicturedText.of(eye, other, images))
          .isInstanceOf(ImageException.class)
          .hasMessage(
              "nothing says which token stands for rows of images, and none of the prompt come as often as those, [4, 2]");
    }
  }

  @Test
  void aModelWithoutSightSaysSo() {
    var blind = model(LISTS, Optional.empty());
    var shown = List.of(Message.of(Message.USER, image(2, 1)));
    assertThatThrownBy(() -> ChatTurn.of(blind, shown, ChatOptions.standard()))
        .isInstanceOf(ImageException.class)
        .hasMessage(
            "qwen takes text alone, and an image was given; load what it sees with (--mmproj FILE), or take a model that has it");
  }

  @Test
  void whatIsNoPictureIsCalledByItsName() {
    var shown = Message.of(Message.USER, new Part.Image(new byte[] {1, 2}, "notes.txt"));
    assertThatThrownBy(() -> prompt(LISTS, shown))
        .isInstanceOf(ImageException.class)
        .hasMessageStartingWith("notes.txt: this is no image that can be read");
  }

  @Test
  void aTemplateThatLosesPicturesIsRefused() {
    assertThatThrownBy(
            () -> prompt("{{ messages[0].role }}", Message.of(Message.USER, image(2, 1))))
        .isInstanceOf(ImageException.class)
        .hasMessageContaining("does not say where in the prompt each of 1 images is");
  }
}
