package weft.backend;

import weft.lir.Launch;
import weft.lir.Program;

/** A program that is ready to run on its device; confined to one caller at a time. */
public interface Executable extends AutoCloseable {
  Program program();

  /** Feeds a step: every sequence of it has moved on when this returns. */
  void run(Step step, Observer observer);

  /** Copies one row of an output of the last run. */
  void read(String output, int row, float[] to);

  @Override
  void close();

  /** Sees each launch as it ends. */
  @FunctionalInterface
  interface Observer {
    Observer NONE = (launch, nanos) -> {};

    void ran(Launch launch, long nanos);
  }
}
