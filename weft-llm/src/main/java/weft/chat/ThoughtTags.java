package weft.chat;

import java.util.List;

/** What a model writes around its thoughts. */
record ThoughtTags(String open, String close) {
  /** Those of all models that may be control tokens. */
  static final List<String> CONTROLS =
      List.of("<think>", "</think>", "[THINK]", "[/THINK]", "<|channel>", "<channel|>");

  /** What most models write, and what messages keep thoughts between. */
  static final ThoughtTags USUAL = new ThoughtTags("<think>", "</think>");

  private static final ThoughtTags MISTRAL = new ThoughtTags("[THINK]", "[/THINK]");
  private static final ThoughtTags GEMMA = new ThoughtTags("<|channel>thought\n", "<channel|>");

  /** By what the template of the model spells. */
  static ThoughtTags of(String template) {
    if (template.contains(MISTRAL.open)) return MISTRAL;
    return template.contains("<|channel>thought") ? GEMMA : USUAL;
  }
}
