package weft.bench.fuzz;

import java.util.ArrayList;
import java.util.List;

/** All targets by name. */
final class Targets {
  private Targets() {}

  static List<Target> all() {
    return List.of(
        new GgufTarget(),
        new ImageTarget(),
        new SafetensorsTarget(),
        new TokenizerTarget(),
        new TemplateTarget(),
        new RegexTarget(),
        new GrammarTarget(),
        new ProfileTarget(),
        new VocabularyTarget(),
        new ConfigTarget(),
        new ProgramTarget(),
        new EntryTarget(),
        new StepTarget(),
        new FolderTarget());
  }

  /**
   * Those that are asked for: all of them, unless some are named or a finding's file says which.
   */
  static List<Target> named(Options options) {
    if (options.targets().isEmpty() && options.reproduce().isPresent()) {
      var file = options.reproduce().get().getFileName().toString();
      return List.of(named(file.replaceFirst("-[A-Z]+-[0-9a-f]+$", "")));
    }
    if (options.targets().isEmpty()) return all();
    var named = new ArrayList<Target>();
    options.targets().forEach(name -> named.add(named(name)));
    return named;
  }

  private static Target named(String name) {
    return all().stream()
        .filter(target -> target.name().equals(name))
        .findFirst()
        .orElseGet(() -> ofClass(name));
  }

  private static Target ofClass(String name) {
    try {
      return (Target) Class.forName(name).getDeclaredConstructor().newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException(
          "no target is called "
              + name
              + "; there are "
              + all().stream().map(Target::name).toList(),
          e);
    }
  }
}
