package weft.serve.batch;

/** What happens while a batch runs; told one at a time. A value, safe for all threads. */
public sealed interface BatchEvent {
  /**
   * The files were looked at.
   *
   * @param lines requests in the file
   * @param known answers of an earlier run
   */
  record Begun(int lines, int known) implements BatchEvent {}

  /**
   * A line was answered, and its answer is in the file.
   *
   * @param number the line, counted from 1
   * @param isGood whether it is an answer, rather than what is wrong with the line
   * @param tokens those that were made for it
   * @param output the line that was written, as JSON text
   */
  record Answered(int number, boolean isGood, int tokens, String output) implements BatchEvent {}

  /** The answer to a line failed by no fault of the line; its output says no more than that. */
  record Failed(int number, Throwable failure) implements BatchEvent {}
}
