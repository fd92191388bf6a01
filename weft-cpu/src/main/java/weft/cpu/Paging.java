package weft.cpu;

import java.util.Optional;
import weft.backend.Weights;
import weft.cpu.emitted.NextRouter;
import weft.cpu.emitted.PagedExperts;
import weft.cpu.kernel.KernelLibrary;
import weft.cpu.launch.BoundLaunch;
import weft.cpu.launch.Mixture;
import weft.cpu.launch.SharedScratch;
import weft.cpu.residency.ExpertCache;
import weft.lir.Launch;
import weft.lir.Operand;

/** How a program's mixtures have their experts in slots, where a budget says so. */
record Paging(Optional<ExpertCache> cache, Routers routers) {
  /** The router of the layer behind this one, where a guess is worth its time. */
  Optional<Operand.Weight> next(Launch experts) {
    return cache.filter(ExpertCache::wantsGuesses).flatMap(_ -> routers.behind(experts));
  }

  /** The mixture with its experts in slots; empty where they stay where they are mapped. */
  Optional<BoundLaunch> of(
      KernelLibrary library,
      Mixture mixture,
      Optional<Weights.Tensor> next,
      SharedScratch scratch,
      int mostRows) {
    int used = mixture.routing().used();
    return cache
        .flatMap(each -> each.visits(mixture.bank().gate().name()))
        .flatMap(
            visit -> {
              var router = next.flatMap(w -> NextRouter.of(library, w, used, scratch));
              return PagedExperts.of(library, mixture, visit, router, scratch, mostRows);
            });
  }
}
