package weft.load;

/** What the user of a model should know, where nobody was named to hear it: the system's log. */
final class Warnings {
  private Warnings() {}

  static void log(String sentence) {
    System.getLogger("weft").log(System.Logger.Level.WARNING, sentence);
  }
}
