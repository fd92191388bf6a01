package weft.cli;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.lang.foreign.Linker;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What each room of the house may touch, read from its class files. */
class RoomsTest {
  private static JavaClasses house;

  @BeforeAll
  static void read() {
    house =
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(location -> !location.contains("-tests.jar"))
            .importPackages("weft");
    assertThat(house.size()).isGreaterThan(300);
  }

  private static void only(String room, String... allowed) {
    classes()
        .that()
        .resideInAPackage(room)
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(allowed)
        .check(house);
  }

  @Test
  void packagesHaveNoCycles() {
    slices().matching("weft.(**)").should().beFreeOfCycles().check(house);
  }

  @Test
  void theIrSeesTheJdkOnly() {
    only("weft.ir..", "weft.ir..", "java..", "org.jspecify..");
  }

  @Test
  void modelsSeeTheirVocabularyOnly() {
    only(
        "weft.models..",
        "weft.models..",
        "weft.net..",
        "java.lang",
        "java.lang.invoke",
        "java.lang.runtime",
        "java.util",
        "java.util.function",
        "java.util.stream",
        "java.util.regex",
        "org.jspecify..");
    noClasses()
        .that()
        .resideInAPackage("weft.models..")
        .should()
        .dependOnClassesThat()
        .areAssignableTo(Thread.class)
        .check(house);
  }

  @Test
  void theGeneratorSeesTheJdkOnly() {
    only("weft.generate..", "weft.generate..", "java..", "org.jspecify..");
  }

  @Test
  void coreAndBackendsSeeTheJdkAlone() {
    for (var room :
        new String[] {
          "weft.quant..", "weft.lir..", "weft.compile..", "weft.backend..", "weft.cpu.."
        }) {
      only(
          room,
          "weft.ir..",
          "weft.quant..",
          "weft.lir..",
          "weft.compile..",
          "weft.backend..",
          "weft.cpu..",
          "java..",
          "jdk.incubator.vector..",
          "org.jspecify..");
    }
  }

  @Test
  void theCommandLineSeesNoCompiler() {
    noClasses()
        .that()
        .resideInAPackage("weft.cli..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("weft.ir..", "weft.compile..")
        .check(house);
  }

  @Test
  void nativeCodeIsCalledInOneRoom() {
    noClasses()
        .that()
        .resideOutsideOfPackages("weft.cpu.asm..", "weft.cuda.driver..")
        .should()
        .dependOnClassesThat(belongToAnyOf(Linker.class))
        .check(house);
  }

  @Test
  void theVectorApiIsUsedInOneRoom() {
    noClasses()
        .that()
        .resideOutsideOfPackage("weft.cpu..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("jdk.incubator.vector..")
        .check(house);
    noClasses()
        .should()
        .dependOnClassesThat()
        .haveFullyQualifiedName("sun.misc.Unsafe")
        .check(house);
  }

  @Test
  void theProcessAroundIsReadInTheApplicationOnly() {
    var others = noClasses().that().resideOutsideOfPackages("weft.cli..", "weft.server..").should();
    others.accessField(System.class, "out").check(house);
    others.accessField(System.class, "err").check(house);
    others.callMethod(System.class, "exit", int.class).check(house);
    others.callMethod(System.class, "getenv", String.class).check(house);
    others.callMethod(System.class, "getProperty", String.class).check(house);
    others.callMethod(System.class, "getProperty", String.class, String.class).check(house);
  }

  @Test
  void everyPackageIsNullMarked() {
    for (var javaPackage : house.getDefaultPackage().getSubpackagesInTree()) {
      if (!javaPackage.getClasses().isEmpty() && javaPackage.getName().startsWith("weft.")) {
        assertThat(javaPackage.isAnnotatedWith(org.jspecify.annotations.NullMarked.class))
            .as(javaPackage.getName())
            .isTrue();
      }
    }
  }
}
