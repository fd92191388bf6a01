package weft.cuda;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import weft.backend.MemberExecutable.Meeting;
import weft.cuda.driver.Driver;
import weft.cuda.driver.Driver.Grid;
import weft.cuda.kernel.Elementwise;
import weft.cuda.kernel.Elementwise.Formula;
import weft.cuda.kernel.Strided;
import weft.ir.Bin;
import weft.ir.Op;
import weft.lir.Launch;
import weft.lir.Program;
import weft.lir.Region;

/**
 * The collectives of a member of a mesh. Its peers copy what they have to places of its memory, and
 * it waits for their marks before it reads them, all of it queued. Of each place there are two,
 * used in turn: who writes to one a second time has waited for a mark that its owner set behind its
 * last look at it. Owns the places and its marks.
 */
final class Meetings implements Owned {
  private static final int TURNS = 2;

  /** How a collective is told, with the places of all members' rows in their order. */
  private interface Joint {
    void tell(Shape shape, long[] parts);
  }

  /**
   * @param x what is sent, rows behind each other
   * @param before what is told first, where they lie apart
   */
  private record Collective(Located x, List<Call> before, Joint joint) {}

  private final Driver driver;
  private final Binding binding;
  private final Memory places;
  private final List<Memory> copies = new ArrayList<>();
  private final Map<Integer, Collective> collectives = new HashMap<>();
  private final List<Driver.Mark> marks = new ArrayList<>();
  private final int members;
  private final long placeBytes;

  Meetings(Driver driver, Program program, Binding binding) {
    this.driver = driver;
    this.binding = binding;
    this.places = new Memory(driver);
    int most = 0;
    long largest = 0;
    for (int i = 0; i < program.steps().size(); i++) {
      var launch = program.steps().get(i);
      if (!(launch.op() instanceof Op.Collective op)) continue;
      collectives.put(i, bound(launch, op));
      most = Math.max(most, op.members());
      largest = Math.max(largest, Region.bytes(op.x().type(), program.bounds(), Driver.ALIGNMENT));
    }
    this.members = most;
    this.placeBytes = largest;
    if (most > 0) places.allocate(TURNS * most * largest);
  }

  /** How many pieces the launches are in. */
  int pieces() {
    return collectives.size() + 1;
  }

  private Collective bound(Launch launch, Op.Collective op) {
    var met = binding.operand(launch, op.x());
    var result = binding.located(launch.result());
    var part = Strided.contiguous(met.type());
    var before = new ArrayList<Call>();
    var x = met.lie().equals(part) ? met : copied(met, part, before);
    return new Collective(
        x,
        before,
        switch (op) {
          case Op.AllReduce _ -> sum(x, result, part);
          case Op.AllGather _ -> beside(x, result, part);
        });
  }

  private Located copied(Located x, Strided part, List<Call> before) {
    var memory = new Memory(driver);
    copies.add(memory.allocate(Region.bytes(x.type(), binding.bounds(), Driver.ALIGNMENT)));
    var copy = kernel(new Formula.Copy(), part, List.of(x.lie()));
    before.add(
        shape -> {
          int count = shape.elements(x.type());
          launch(copy, count, memory.address(), x.address(), count);
        });
    return new Located(memory, 0, x.type(), part);
  }

  /** The first two, and each other to what there is. */
  private Joint sum(Located x, Located result, Strided part) {
    var add = kernel(new Formula.Zip(Bin.ADD), part, List.of(part, part));
    return (shape, parts) -> {
      int count = shape.elements(x.type());
      launch(add, count, result.address(), parts[0], parts[1], count);
      for (int i = 2; i < parts.length; i++) {
        launch(add, count, result.address(), result.address(), parts[i], count);
      }
    };
  }

  private Joint beside(Located x, Located result, Strided part) {
    int width = x.type().width();
    var copy = kernel(new Formula.Copy(), result.lie().withLast(width), List.of(part));
    return (shape, parts) -> {
      int count = shape.elements(x.type());
      for (int i = 0; i < parts.length; i++) {
        launch(copy, count, result.from(i * width).address(), parts[i], count);
      }
    };
  }

  private Kernels.Wanted kernel(Formula formula, Strided result, List<Strided> values) {
    return binding.kernel(new Elementwise(formula, result, values, false).kernel());
  }

  private void launch(Kernels.Wanted kernel, int count, long... arguments) {
    int blocks = Math.ceilDiv(count, Elementwise.THREADS);
    binding.launch(kernel, Grid.of(blocks, Elementwise.THREADS), arguments);
  }

  private long place(Meeting meeting, int member) {
    int turn = meeting.number() % TURNS;
    return places.address() + (turn * members + member) * placeBytes;
  }

  /** Copies the rows of this member to its peers, and marks where that is done. */
  void send(Meeting meeting, Shape shape) {
    var collective = collectives.get(meeting.launch());
    var x = collective.x;
    collective.before.forEach(call -> call.tell(shape));
    long bytes = (long) shape.elements(x.type()) * Float.BYTES;
    meeting.peers(
        peer -> {
          var theirs = ((CudaExecutable) peer).meetings();
          driver.send(x.address(), theirs.driver, theirs.place(meeting, meeting.as()), bytes);
        });
    int turn = meeting.number() % TURNS;
    if (turn == marks.size()) marks.add(driver.mark());
    else driver.mark(marks.get(turn));
  }

  /** Tells the collective, behind the copies of all peers. */
  void join(Meeting meeting, Shape shape) {
    int turn = meeting.number() % TURNS;
    meeting.peers(peer -> driver.follow(((CudaExecutable) peer).meetings().marks.get(turn)));
    var collective = collectives.get(meeting.launch());
    var parts = new long[meeting.members().size()];
    for (int i = 0; i < parts.length; i++) {
      parts[i] = i == meeting.as() ? collective.x.address() : place(meeting, i);
    }
    collective.joint.tell(shape, parts);
  }

  @Override
  public void close() {
    marks.forEach(Driver.Mark::close);
    marks.clear();
    copies.forEach(Memory::close);
    places.close();
  }
}
