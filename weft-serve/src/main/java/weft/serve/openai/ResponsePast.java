package weft.serve.openai;

import java.util.Optional;

/** What responses a request may go on from, and where its own is kept. */
interface ResponsePast {
  Optional<ResponseStore.Kept> find(String id);

  /** {@code isStored} says whether the client lets the server store it. */
  void keep(String id, ResponseStore.Kept kept, boolean isStored);
}
