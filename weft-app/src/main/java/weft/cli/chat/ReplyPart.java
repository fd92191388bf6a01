package weft.cli.chat;

/** Which part of a reply a text belongs to. */
public enum ReplyPart {
  THOUGHT,
  ANSWER
}
