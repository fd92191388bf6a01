package weft.conformance;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Set;
import weft.backend.Device;
import weft.backend.Executable;
import weft.backend.Step;
import weft.compile.Pipeline;
import weft.conformance.Rig.Layout;
import weft.ir.Bin;
import weft.ir.Fn;
import weft.ir.Op;
import weft.lir.Bounds;
import weft.quant.Encodings;

/**
 * What a device promises of prepared weights: each tensor is asked for once, however many programs
 * are loaded over it, and all of them read the same.
 */
final class PreparationContract {
  private PreparationContract() {}

  static List<String> failures(Device device) {
    var rig = new Rig();
    var scale = rig.add(new Op.Map(Fn.SIGMOID, rig.weight(Encodings.F16, 0, 1, 96)));
    var halved = rig.add(new Op.Scale(scale, 0.5f));
    var x = rig.add(new Op.Zip(Bin.MUL, rig.rows(96, Layout.WHOLE), halved));
    rig.output("out", rig.add(new Op.Linear(x, rig.matrix(Encodings.Q8_0, 40, 96))));
    var row = rig.row("preparation", Script.SHORT);
    var asked = new HashMap<String, Integer>();
    var rows = new ArrayList<float[]>();
    try (var weights =
        device.prepare(
            name -> {
              asked.merge(name, 1, Integer::sum);
              return row.tensors().get(name);
            })) {
      for (int tokens : List.of(1, 4, 1)) {
        var pipeline = Pipeline.of(device.target(), row.stored(), Set.of());
        var program = pipeline.compile(row.graph(), new Bounds(tokens, 1));
        try (var executable = device.load(program, weights);
            var state = device.state(program.slots())) {
          var parts = List.of(new Step.Part(state, 1));
          executable.run(
              new Step(new int[] {7}, new int[1], new int[1], parts), Executable.Observer.NONE);
          var got = new float[40];
          executable.read("out", 0, got);
          rows.add(got);
        }
      }
    }
    var failures = new ArrayList<String>();
    asked.forEach(
        (name, times) -> {
          if (times > 1)
            failures.add("preparation: tensor " + name + " is read " + times + " times");
        });
    for (var got : rows) {
      Difference.between(
              new float[][] {rows.getFirst()}, new float[][] {got}, Exactness.ACTIVATIONS_AS_BYTES)
          .ifPresent(d -> failures.add("preparation: a later program reads other weights: " + d));
    }
    return failures;
  }
}
