package weft.backend;

import java.util.List;
import java.util.function.Consumer;
import weft.ir.Op;

/**
 * A program on one member of a mesh: the mesh has all of them run their launches up to a {@link
 * Op.Collective}, does that with them, and goes on. Members of one mesh are of one kind.
 */
public interface MemberExecutable extends Executable {
  /**
   * Makes room for a step's rows in its states, does what it is given, which runs all launches, and
   * moves the states on. Where that fails they are as before.
   */
  void feed(Step step, Runnable launches);

  /** Runs the launches from one up to another, none of them a collective, of the step being fed. */
  void launch(Step step, int from, int to, Observer observer);

  /** Sends what a collective reads to all peers, behind what was launched before. */
  void send(Step step, Meeting meeting);

  /**
   * Makes a collective's result of what all peers have sent and its own, in the order of members:
   * all of them get the same bits. Whoever launches what comes behind it has it.
   */
  void join(Step step, Meeting meeting);

  /**
   * A collective as one of the members sees it.
   *
   * @param launch which of the program's it is
   * @param number how many there were before, in this step and all others
   * @param as the member's own place among all
   */
  record Meeting(int launch, int number, int as, List<MemberExecutable> members) {
    /** All members but the one itself. */
    public void peers(Consumer<MemberExecutable> task) {
      for (int i = 0; i < members.size(); i++) if (i != as) task.accept(members.get(i));
    }
  }

  /** What a device says that meets a collective alone. */
  static BackendException needsMesh(Op op) {
    return new BackendException(
        op.mnemonic()
            + " is what members of a mesh do together, but the program runs on one device");
  }
}
