package weft.constrain;

import weft.unicode.CodePointSet;
import weft.unicode.UnicodeProperty;

/** The sets of characters that ECMA-262's patterns have a name for. */
final class EcmaClasses {
  static final CodePointSet DIGIT = CodePointSet.range('0', '9');

  static final CodePointSet WORD =
      DIGIT
          .union(CodePointSet.range('A', 'Z'))
          .union(CodePointSet.of('_'))
          .union(CodePointSet.range('a', 'z'));

  private static final CodePointSet LINE_ENDS =
      CodePointSet.of('\n').union(CodePointSet.of('\r')).union(CodePointSet.range(0x2028, 0x2029));

  /** What a dot stands for. */
  static final CodePointSet DOT = LINE_ENDS.complement();

  static final CodePointSet SPACE =
      CodePointSet.range('\t', '\r')
          .union(UnicodeProperty.named("Zs").orElseThrow())
          .union(LINE_ENDS)
          .union(CodePointSet.of(0xFEFF));

  private EcmaClasses() {}
}
