package weft.serve.ask;

import java.net.URI;

/** Fetches images from where clients say that they are. Safe for all threads. */
@FunctionalInterface
public interface Remote {
  /** Fetches none. */
  Remote NONE =
      (path, at) -> {
        throw new ProblemException(
            new Problem.Unsupported(
                path,
                "this server fetches no images unless it is started with --allow-remote-images; send a data: URL"));
      };

  /**
   * The bytes of an image, at most {@link Images#LARGEST_IMAGE}; what cannot be had is a problem.
   *
   * @param path of the field that names it
   */
  byte[] fetch(String path, URI at);
}
