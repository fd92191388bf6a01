package weft.serve.llama;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import tools.jackson.databind.JsonNode;
import weft.serve.ask.Answering;
import weft.serve.ask.Ask;
import weft.serve.ask.Prompt;
import weft.serve.openai.ChatRequest;
import weft.serve.web.Fields;
import weft.serve.web.Json;
import weft.serve.web.Visit;
import weft.text.tokenizer.SpecialText;
import weft.text.tokenizer.SpecialTokens;
import weft.text.tokenizer.Surround;
import weft.text.tokenizer.Tokenizer;

/** Texts and their tokens, in the shapes of llama.cpp's server. */
final class Texts {
  /** Tokens of a text. */
  static final int MOST_TOKENS = 1 << 24;

  private final Answering answering;

  Texts(Answering answering) {
    this.answering = answering;
  }

  private static String model(Fields body) {
    return body.text("model").orElse(Ask.FIRST_MODEL);
  }

  void tokenize(Visit visit) {
    var body = visit.fields();
    body.required("content", "a string");
    var text = body.text("content").orElseThrow();
    var surround = body.flag("add_special").orElse(false) ? Surround.ADDED : Surround.OMITTED;
    var special =
        body.flag("parse_special").orElse(true) ? SpecialText.PARSED : SpecialText.ESCAPED;
    boolean withPieces = body.flag("with_pieces").orElse(false);
    var document = Json.object();
    var tokens = document.putArray("tokens");
    try (var lease = answering.lend(model(body))) {
      var tokenizer = lease.model().tokenizer();
      for (int id : tokenizer.encode(text, surround, special)) {
        if (withPieces) {
          tokens.addObject().put("id", id).set("piece", piece(tokenizer, id));
        } else {
          tokens.add(id);
        }
      }
    }
    visit.send(200, document);
  }

  /** A text, or bytes where they are no whole characters. */
  private static JsonNode piece(Tokenizer tokenizer, int id) {
    var bytes = tokenizer.bytes(id);
    try {
      var text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
      return Json.text(text.toString());
    } catch (CharacterCodingException e) {
      var numbers = Json.array();
      for (byte value : bytes) numbers.add(value & 0xFF);
      return numbers;
    }
  }

  void detokenize(Visit visit) {
    var body = visit.fields();
    var ids = body.wholes("tokens", 0, Integer.MAX_VALUE, MOST_TOKENS);
    try (var lease = answering.lend(model(body))) {
      for (int id : ids) {
        if (!lease.model().tokenizer().has(id)) {
          throw Fields.bad("tokens", "token " + id, "tokens that the model has");
        }
      }
      var text = lease.model().tokenizer().decode(ids, SpecialTokens.SHOWN);
      visit.send(200, Json.object().put("content", text));
    }
  }

  void applyTemplate(Visit visit) {
    var body = visit.fields();
    Prompt.Talk talk = ChatRequest.talk(body, answering.images());
    visit.send(200, Json.object().put("prompt", answering.prompt(model(body), talk)));
  }
}
