package weft.backend;

import java.lang.foreign.MemorySegment;

/** The keys and values of one attention slot of a sequence, in this process's memory. */
public interface HostPages {
  /** How each page is laid out. */
  KvLayout layout();

  /** The page that holds a position. */
  MemorySegment page(int position);

  /** The addresses of the pages, by their numbers; where they lie until the next step. */
  MemorySegment addresses();
}
