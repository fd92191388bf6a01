package weft.text.jinja;

import weft.text.jinja.Value.None;

/**
 * One token; {@code value} is what a literal stands for, and {@code text} its name, sign or data.
 */
record Token(Kind kind, int position, String text, Value value) {

  enum Kind {
    DATA("template data / text"),
    BLOCK_BEGIN("begin of statement block"),
    BLOCK_END("end of statement block"),
    VARIABLE_BEGIN("begin of print statement"),
    VARIABLE_END("end of print statement"),
    NAME("name"),
    STRING("string"),
    INTEGER("integer"),
    FLOAT("float"),
    OPERATOR("operator"),
    END("end of template");

    private final String description;

    Kind(String description) {
      this.description = description;
    }

    @Override
    public String toString() {
      return description;
    }
  }

  Token(Kind kind, int position, String text) {
    this(kind, position, text, None.NONE);
  }

  boolean isName(String name) {
    return kind == Kind.NAME && text.equals(name);
  }

  boolean isOperator(String sign) {
    return kind == Kind.OPERATOR && text.equals(sign);
  }

  /** How an error message names this token. */
  String describe() {
    return switch (kind) {
      case NAME, OPERATOR -> "'" + text + "'";
      case DATA,
          BLOCK_BEGIN,
          BLOCK_END,
          VARIABLE_BEGIN,
          VARIABLE_END,
          STRING,
          INTEGER,
          FLOAT,
          END ->
          "'" + kind + "'";
    };
  }
}
