package weft.generate;

/**
 * Whose prompt is read first, and who gives way last where memory is short. Within one, first come
 * is first served.
 */
public enum Priority {
  /** Before all others: somebody waits for it. */
  HIGH,
  NORMAL,
  /** When nothing else is to be read: work in the background. */
  LOW
}
