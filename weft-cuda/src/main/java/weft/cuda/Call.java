package weft.cuda;

/** Something that is told to the device for a step; its addresses stay, its sizes may not. */
@FunctionalInterface
interface Call {
  void tell(Shape shape);
}
