/** Pictures, and the patches that vision towers take. */
module weft.image {
  requires java.desktop;
  requires static org.jspecify;

  exports weft.image;
}
