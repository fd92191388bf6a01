package weft.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weft.backend.KvType;
import weft.compile.Pipeline;
import weft.load.Phase;
import weft.load.Specialization;

/** What docs/profiles.md says is what a profile does. */
class ProfilesDocumentTest {
  private static final Path DOCUMENT = Path.of("..", "docs", "profiles.md");

  @Test
  void itsExampleIsAProfile(@TempDir Path folder) throws IOException {
    var block = Pattern.compile("```toml\n(.*?)```", Pattern.DOTALL);
    var example = block.matcher(Files.readString(DOCUMENT));
    assertThat(example.find()).isTrue();
    var profile =
        ProfileFile.read(Files.writeString(folder.resolve("weft.toml"), example.group(1)));
    assertThat(profile.threads()).contains(2);
    assertThat(profile.kvType()).contains(KvType.F16);
    assertThat(profile.phases().get(Phase.PREFILL).specialization())
        .isEqualTo(new Specialization.Buckets(16, 512, 5));
    var decode = profile.phases().get(Phase.DECODE);
    assertThat(decode.specialization()).isEqualTo(new Specialization.Exact(8));
    assertThat(decode.withoutFusions()).containsExactly("fold-norm");
    assertThat(decode.forcedToReference()).containsExactly("ropeattend");
  }

  @Test
  void itNamesEveryFusion() throws IOException {
    var text = Files.readString(DOCUMENT);
    assertThat(Pipeline.fusions()).allSatisfy(name -> assertThat(text).contains("`" + name + "`"));
  }
}
