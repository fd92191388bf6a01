package weft.mesh;

import java.util.List;
import weft.backend.BackendException;
import weft.backend.State;

/**
 * A sequence on all members of a mesh, each of which keeps its own heads and channels of it. All
 * are told the same and so decide the same; where one could not, the sequence is of no use any
 * more. Owns the members' states.
 */
final class MeshState implements State {
  private final List<State> members;

  MeshState(List<State> members) {
    this.members = members;
  }

  State of(int member) {
    return members.get(member);
  }

  @Override
  public int position() {
    int position = members.getFirst().position();
    for (var member : members) {
      if (member.position() != position) {
        throw new BackendException(
            "a sequence is at token %d on one member of a mesh and at %d on another, since a step failed; begin it anew"
                .formatted(position, member.position()));
      }
    }
    return position;
  }

  @Override
  public int rewind(int position) {
    int reached = nearest(position);
    members.forEach(member -> member.rewind(reached));
    return position();
  }

  /** Where all of them can stop. */
  @Override
  public int nearest(int position) {
    int reached = position;
    for (boolean isAgreed = false; !isAgreed; ) {
      int before = reached;
      for (var member : members) reached = Math.min(reached, member.nearest(reached));
      isAgreed = reached == before;
    }
    return reached;
  }

  @Override
  public void slim() {
    members.forEach(State::slim);
  }

  @Override
  public Snapshots snapshots() {
    return members.getFirst().snapshots();
  }

  @Override
  public State fork(int position) {
    int reached = nearest(position);
    return new MeshState(
        MeshDevice.each(members.size(), i -> members.get(i).fork(reached), State::close));
  }

  @Override
  public long needs(int rows, int tentative) {
    return members.getFirst().needs(rows, tentative);
  }

  @Override
  public long bytes() {
    return members.getFirst().bytes();
  }

  @Override
  public void close() {
    members.forEach(State::close);
  }
}
