package weft.conformance.foreign;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import weft.backend.BackendException;
import weft.backend.Confined;
import weft.backend.Executable;
import weft.backend.HostMailbox;
import weft.backend.HostMemory;
import weft.backend.MemberExecutable;
import weft.backend.OutputRow;
import weft.backend.ReferenceKernels;
import weft.backend.SequenceState;
import weft.backend.Service;
import weft.backend.StatePool;
import weft.backend.StateSteps;
import weft.backend.Step;
import weft.lir.Program;

/**
 * A program on the device. A run tells the device of a copy of the step and returns; whoever reads
 * an output waits for what was told before. Owns its buffers there.
 */
final class ForeignExecutable implements MemberExecutable {
  private final Program program;
  private final StateSteps steps;
  private final ForeignMemory states;
  private final Commands commands;
  private final HostMemory buffers;
  private final HostMailbox mailbox = new HostMailbox();
  private final Confined use = new Confined("the program");

  ForeignExecutable(
      Program program,
      ForeignWeights weights,
      StatePool pool,
      ForeignMemory states,
      Commands commands) {
    this.program = program;
    this.steps = new StateSteps(program, pool);
    this.states = states;
    this.commands = commands;
    this.buffers =
        commands.ask(() -> new HostMemory(program, weights.copies(), ForeignDevice::allocate));
  }

  @Override
  public Program program() {
    return program;
  }

  @Override
  public void run(Step step, Observer observer) {
    feed(step, () -> launch(step, 0, program.steps().size(), observer));
  }

  @Override
  public void feed(Step step, Runnable launches) {
    use.during(() -> steps.feed(step, launches));
  }

  @Override
  public void launch(Step step, int from, int to, Observer observer) {
    var sent = sent(step);
    commands.tell(() -> launched(sent, from, to, observer));
    if (observer != Observer.NONE) commands.ask(() -> sent);
  }

  /** All that the device will see of a step, none of which the caller can change any more. */
  private Step sent(Step step) {
    var parts = new ArrayList<Step.Part>();
    for (var part : step.parts()) {
      var sequence = new ForeignSequence((SequenceState) part.state(), states);
      parts.add(
          new Step.Part(sequence, part.rows(), part.tentative(), part.blocks(), part.origin()));
    }
    var inputs = new HashMap<String, Step.Rows>();
    step.inputs()
        .forEach(
            (name, rows) -> inputs.put(name, new Step.Rows(rows.width(), rows.values().clone())));
    return new Step(
        step.tokens().clone(), step.positions().clone(), step.wanted().clone(), parts, inputs);
  }

  private void launched(Step step, int from, int to, Observer observer) {
    if (from == 0) buffers.fill(step);
    for (var launch : program.steps().subList(from, to)) {
      long start = System.nanoTime();
      ReferenceKernels.run(launch, buffers, step);
      observer.ran(launch, Service.REFERENCE, System.nanoTime() - start);
    }
  }

  /** Comes by way of the host. */
  @Override
  public void send(Step step, Meeting meeting) {
    var sent = sent(step);
    var collective = program.steps().get(meeting.launch());
    var rows = commands.ask(() -> HostMailbox.read(collective, buffers, sent));
    meeting.peers(
        peer -> {
          var to = (ForeignExecutable) peer;
          to.commands.tell(() -> to.mailbox.put(meeting.as(), rows));
        });
  }

  @Override
  public void join(Step step, Meeting meeting) {
    var sent = sent(step);
    var collective = program.steps().get(meeting.launch());
    commands.tell(() -> mailbox.join(collective, buffers, sent, meeting.as()));
  }

  @Override
  public boolean leads(String output) {
    return true;
  }

  @Override
  public void follow(Step step, Executable last, String output) {
    var other = (ForeignExecutable) last;
    var view = StateSteps.output(other.program, output);
    feed(
        step,
        () -> {
          var sent = sent(step);
          commands.tell(
              () -> {
                var index = new int[1];
                for (int i = 0; i < sent.rows(); i++) {
                  other.buffers.row(view, i).greatest(1, index, new float[1]);
                  sent.tokens()[i] = index[0];
                }
                launched(sent, 0, program.steps().size(), Observer.NONE);
              });
        });
  }

  @Override
  public List<Service> services() {
    return Collections.nCopies(program.steps().size(), Service.REFERENCE);
  }

  @Override
  public OutputRow row(String output, int row) {
    var view = StateSteps.output(program, output);
    return new Row(commands.ask(() -> buffers.row(view, row)), commands);
  }

  /** A row on the device: what is asked of it is found there and comes back as a copy. */
  private record Row(OutputRow there, Commands commands) implements OutputRow {
    @Override
    public int size() {
      return there.size();
    }

    @Override
    public boolean isFinite() {
      return commands.ask(there::isFinite);
    }

    @Override
    public int greatest(int count, int[] indexes, float[] values) {
      var foundIndexes = new int[count];
      var foundValues = new float[count];
      int found = commands.ask(() -> there.greatest(count, foundIndexes, foundValues));
      System.arraycopy(foundIndexes, 0, indexes, 0, found);
      System.arraycopy(foundValues, 0, values, 0, found);
      return found;
    }

    @Override
    public void copyTo(float[] to) {
      if (to.length < there.size()) {
        throw new BackendException(
            "a row of " + there.size() + " elements does not fit " + to.length + " elements");
      }
      var copy = new float[there.size()];
      commands.ask(
          () -> {
            there.copyTo(copy);
            return copy;
          });
      System.arraycopy(copy, 0, to, 0, copy.length);
    }
  }

  @Override
  public void close() {
    if (!use.close()) return;
    commands.ask(
        () -> {
          buffers.close();
          return buffers;
        });
  }
}
