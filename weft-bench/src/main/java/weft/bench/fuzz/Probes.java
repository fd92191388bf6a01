package weft.bench.fuzz;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Copies of Weft's class files that say which branches they take. They go before the originals on
 * the class path of a worker, so that no agent is needed.
 */
final class Probes {
  /** What reads untrusted bytes; kernels and the engine itself are left as they are. */
  private static final Pattern INSTRUMENTED =
      Pattern.compile("/?weft/(format|image|text|load|net|models|lir|ir|compile|cli)/.*\\.class");

  private static final ClassDesc COVERAGE = ClassDesc.of(Coverage.class.getName());
  private static final MethodTypeDesc HIT =
      MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_int);

  private final Path folder;
  private final ClassFile files =
      ClassFile.of(
          ClassFile.DebugElementsOption.DROP_DEBUG,
          ClassFile.ClassHierarchyResolverOption.of(
              ClassHierarchyResolver.ofResourceParsing(Probes::resource)
                  .orElse(ClassHierarchyResolver.defaultResolver())
                  .cached()));
  private int places;

  private Probes(Path folder) {
    this.folder = folder;
  }

  /** Writes the copies of all classes of a class path; how many branches they tell apart. */
  static int write(List<Path> classPath, Path folder) throws IOException {
    var probes = new Probes(folder);
    for (var entry : classPath) probes.addAll(entry);
    return probes.places;
  }

  private void addAll(Path entry) throws IOException {
    if (Files.isDirectory(entry)) {
      addTree(entry);
    } else if (entry.getFileName().toString().startsWith("weft-")) {
      var jar = URI.create("jar:" + entry.toUri());
      try (var tree = FileSystems.newFileSystem(jar, Map.of())) {
        addTree(tree.getPath("/"));
      }
    }
  }

  private void addTree(Path root) throws IOException {
    List<Path> classes;
    try (var walk = Files.walk(root)) {
      classes =
          walk.filter(file -> INSTRUMENTED.matcher(root.relativize(file).toString()).matches())
              .sorted()
              .toList();
    }
    for (var file : classes) {
      var copy = folder.resolve(root.relativize(file).toString());
      Files.createDirectories(Optional.ofNullable(copy.getParent()).orElseThrow());
      Files.write(copy, instrumented(Files.readAllBytes(file)));
    }
  }

  private byte[] instrumented(byte[] original) {
    return files.transformClass(
        files.parse(original), ClassTransform.transformingMethodBodies(new Insertion()));
  }

  /** A hit where a method begins, where something jumps to, and behind a jump that is not taken. */
  private final class Insertion implements CodeTransform {
    @Override
    public void atStart(CodeBuilder code) {
      hit(code);
    }

    @Override
    public void accept(CodeBuilder code, CodeElement element) {
      code.with(element);
      switch (element) {
        case LabelTarget _ -> hit(code);
        case BranchInstruction branch when isConditional(branch) -> hit(code);
        default -> {}
      }
    }

    private static boolean isConditional(BranchInstruction branch) {
      return switch (branch.opcode()) {
        case GOTO, GOTO_W -> false;
        default -> true;
      };
    }

    private void hit(CodeBuilder code) {
      if (places < Coverage.PLACES) {
        code.loadConstant(places++).invokestatic(COVERAGE, "hit", HIT);
      }
    }
  }

  private static InputStream resource(ClassDesc type) {
    var name = type.descriptorString();
    return ClassLoader.getSystemResourceAsStream(name.substring(1, name.length() - 1) + ".class");
  }
}
