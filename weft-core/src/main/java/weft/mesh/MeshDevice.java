package weft.mesh;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import weft.backend.BackendException;
import weft.backend.Device;
import weft.backend.Executable;
import weft.backend.MemberExecutable;
import weft.backend.MemorySource;
import weft.backend.PreparedWeights;
import weft.backend.State;
import weft.backend.StatePool;
import weft.backend.Weights;
import weft.ir.Op;
import weft.ir.Slot;
import weft.lir.Program;
import weft.lir.Stored;
import weft.lir.Target;

/**
 * Devices of one kind as one, each of which runs the same program over its share of the weights.
 * What is said of its memory is said of each member: all have the same there. Owns them.
 */
public final class MeshDevice implements Device {
  private final List<Device> members;
  private final MeshTarget target;

  /** Closes them where they make no mesh. */
  public MeshDevice(List<Device> members) {
    this.members = List.copyOf(members);
    this.target = new MeshTarget(members.getFirst().target(), members.size());
    for (var member : members) {
      if (!member.target().name().equals(target.member.name())) {
        close();
        throw new BackendException(
            "members of a mesh are of one kind, but there are %s and %s; name devices that are alike"
                .formatted(target.member.name(), member.target().name()));
      }
    }
  }

  /** What one member takes, and what all do together. */
  private record MeshTarget(Target member, int members) implements Target {
    @Override
    public String name() {
      return "mesh-%d-%s".formatted(members, member.name());
    }

    @Override
    public boolean takes(Op op, Stored weights) {
      return op instanceof Op.Collective || member.takes(op, weights);
    }

    @Override
    public int alignment() {
      return member.alignment();
    }

    @Override
    public int mostRows() {
      return member.mostRows();
    }

    @Override
    public int mostWanted() {
      return member.mostWanted();
    }
  }

  @Override
  public Target target() {
    return target;
  }

  @Override
  public State state(List<Slot> slots) {
    return new MeshState(each(members.size(), i -> members.get(i).state(slots), State::close));
  }

  /** The first member's, whom the others are like. */
  @Override
  public StatePool pool() {
    return members.getFirst().pool();
  }

  @Override
  public MemorySource memory() {
    return members.getFirst().memory();
  }

  @Override
  public void keepResident(MemorySegment mapped) {
    members.getFirst().keepResident(mapped);
  }

  @Override
  public PreparedWeights prepare(Weights weights) {
    int count = members.size();
    return new MeshWeights(
        this,
        each(
            count,
            i -> members.get(i).prepare(new Shares(weights, i, count)),
            PreparedWeights::close));
  }

  @Override
  public Executable load(Program program, PreparedWeights weights) {
    if (!(weights instanceof MeshWeights own) || own.owner() != this) {
      throw new BackendException(
          "weights that another device has prepared; prepare them with the mesh that runs the"
              + " program");
    }
    return new MeshExecutable(
        program,
        each(
            members.size(),
            i -> loaded(members.get(i), program, own.of(i)),
            MemberExecutable::close));
  }

  private static MemberExecutable loaded(Device member, Program program, PreparedWeights weights) {
    var loaded = member.load(program, weights);
    if (loaded instanceof MemberExecutable own) return own;
    loaded.close();
    throw new BackendException(
        "the device " + member.target().name() + " cannot be a member of a mesh; name one device");
  }

  /** Something for each member, or for none: what was made is undone where one fails. */
  static <T> List<T> each(int members, IntFunction<T> made, Consumer<T> undo) {
    var done = new ArrayList<T>();
    try {
      for (int i = 0; i < members; i++) done.add(made.apply(i));
      return done;
    } catch (RuntimeException | Error e) {
      done.forEach(undo);
      throw e;
    }
  }

  @Override
  public List<String> remarks() {
    return members.stream().flatMap(member -> member.remarks().stream()).distinct().toList();
  }

  @Override
  public void close() {
    members.forEach(Device::close);
  }
}
