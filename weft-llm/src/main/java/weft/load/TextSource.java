package weft.load;

import java.util.Map;
import java.util.Optional;
import weft.text.tokenizer.Tokenizer;

/** A place that a checkpoint keeps its tokenizer and its chat template in. */
interface TextSource {
  /** Where this is, for messages. */
  String place();

  Optional<Tokenizer> tokenizer();

  /** The Jinja source of the chat template. */
  Optional<String> template();

  /** The special tokens that templates know by name: {@code bos_token} and the like. */
  Map<String, String> specialTokens();
}
