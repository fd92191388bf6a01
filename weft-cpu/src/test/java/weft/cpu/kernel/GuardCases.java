package weft.cpu.kernel;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** The cases of every kernel that a library can emit, by the method that it is asked for with. */
final class GuardCases {
  private static final Map<String, Function<KernelLibrary, List<GuardCase>>> MAKERS = makers();

  private GuardCases() {}

  private static Map<String, Function<KernelLibrary, List<GuardCase>>> makers() {
    var makers = new LinkedHashMap<String, Function<KernelLibrary, List<GuardCase>>>();
    makers.put("matVec", GuardedProducts::matVec);
    makers.put("matMul", GuardedProducts::matMul);
    makers.put("product", GuardedProducts::product);
    makers.put("written", GuardedProducts::written);
    makers.put("words", GuardedWords::words);
    makers.put("wordMatMul", GuardedWords::matMul);
    makers.put("mappedWordMatMul", GuardedWords::mappedMatMul);
    makers.put("embed", GuardedProducts::embed);
    makers.put("quantize", GuardedProducts::quantize);
    makers.put("expertProducts", GuardedExperts::products);
    makers.put("route", GuardedExperts::route);
    makers.put("mix", GuardedExperts::mix);
    makers.put("rowNorm", GuardedRows::rowNorm);
    makers.put("addNorm", GuardedRows::addNorm);
    makers.put("layerNorm", GuardedRows::layerNorm);
    makers.put("l2Norm", GuardedRows::l2Norm);
    makers.put("peaks", GuardedRows::peaks);
    makers.put("elementwise", GuardedRows::elementwise);
    makers.put("finishAdd", GuardedRows::finishAdd);
    makers.put("finishGate", GuardedRows::finishGate);
    makers.put("finishMap", GuardedRows::finishMap);
    makers.put("rope", GuardedState::rope);
    makers.put("store", GuardedState::store);
    makers.put("attend", GuardedState::attend);
    makers.put("attendMany", GuardedState::attendMany);
    makers.put("shortConv", GuardedState::shortConv);
    makers.put("deltaRule", GuardedState::deltaRule);
    return makers;
  }

  /** The methods of the library that give kernels and have no cases here. */
  static Set<String> forgotten() {
    var names = LibraryMethods.kernels();
    names.removeAll(MAKERS.keySet());
    return names;
  }

  /** All kernels at all sizes. */
  static List<GuardCase> all(KernelLibrary library) {
    var cases = new ArrayList<GuardCase>();
    MAKERS.values().forEach(maker -> cases.addAll(maker.apply(library)));
    return cases;
  }

  /** Sizes in words, for a case's name. */
  static String size(Object... parts) {
    return String.join(" ", Arrays.stream(parts).map(Object::toString).toList());
  }
}
