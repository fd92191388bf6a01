package weft.constrain.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import weft.constrain.ConstrainException;

/** Keyword by keyword: what is of a schema's grammar and what is not. */
final class JsonSchemaTest {
  private static void check(String schema, List<String> accepted, List<String> refused) {
    var reader = new SlowReader(JsonSchema.compile(schema));
    for (var text : accepted) {
      assertThat(reader.accepts(text)).as("%s of %s", text, schema).isTrue();
    }
    for (var text : refused) {
      assertThat(reader.accepts(text)).as("%s of %s", text, schema).isFalse();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      value = {
        "{}| null true 0 -1.5e+3 \"a\" [] {} [1,[2]] {\"a\":{\"b\":1}} | x [1,] {\"a\"} 01 1. '1'",
        "{\"type\":\"integer\"}| 0 -1 12 | 1.5 01 1.0 1e3 \"1\" null",
        "{\"type\":[\"string\",\"null\"]}| \"\" null | 1 true",
        "{\"minimum\":0}| 0 1.5 \"a\" null 1e-05 2.5e+20 | -1 -0.5 -1e-05",
        "{\"type\":\"number\",\"minimum\":-1.5,\"maximum\":10}| -1.5 -0.25 0 9.99 10 10.0 1e-05 -1e0 1e1"
            + " | -1.51 10.01 11 1.1e1 1e+16 -2e0 -2",
        "{\"type\":\"integer\",\"minimum\":7,\"maximum\":1234}| 7 9 10 99 100 1000 1234 | 6 0 1235 5000 -8",
        "{\"type\":\"integer\",\"exclusiveMinimum\":0}| 1 10 99 | 0 -1",
        "{\"type\":\"number\",\"exclusiveMaximum\":0.5}| 0.4999 0 -3 | 0.5 0.50 0.51 1",
        "{\"minimum\":5,\"exclusiveMinimum\":true}| 5.1 6 | 5 5.0 4",
        "{\"type\":\"number\",\"multipleOf\":0.01}| 1 1.5 1.25 1.250 | 1.255",
        "{\"type\":\"integer\",\"multipleOf\":25}| 0 25 50 175 1000 | 5 10 24 130",
        "{\"type\":\"integer\",\"multipleOf\":17,\"minimum\":-18,\"maximum\":51}| -17 0 17 51 | 1 6 -34 68 50",
        "{\"type\":\"number\",\"multipleOf\":1.5,\"minimum\":0,\"exclusiveMaximum\":4.5}| 0 1.5 3 3.0 | 1 4.5 2",
        "{\"multipleOf\":12}| 0 12 -24 144 1200 12.0 \"a\" | 6 4 13 12.5",
        "{\"type\":\"integer\",\"multipleOf\":21,\"minimum\":22}| 42 63 420 | 21 0 49",
        "{\"multipleOf\":1.5}| 0 1.5 3 4.50 -7.5 | 1 0.5 2.5 3.05",
        "{\"type\":\"number\",\"not\":{\"multipleOf\":3}}| 1 2.5 -4 | 3 0 -9 6.0",
        "{\"multipleOf\":0.5}| 1 1.5 2.0 \"a\" | 1.25",
        "{\"enum\":[1,\"a\",null,[1,2],{\"k\":true}]}| 1 1.0 \"a\" null [1,2] {\"k\":true} | 2 \"b\" [1] {}",
        "{\"const\":\"a\\\"b\"}| \"a\\\"b\" | \"ab\" \"a\"",
        "{\"type\":\"string\",\"minLength\":2,\"maxLength\":3}| \"ab\" \"日本語\" \"\\u0061b\" \"\\ud83d\\ude00x\""
            + " | \"a\" \"abcd\" \"\\ud83d\\ude00\"",
        "{\"type\":\"string\",\"pattern\":\"^a+$\"}| \"a\" \"aaa\" | \"\" \"ba\" \"\\u0061\"",
        "{\"type\":\"string\",\"pattern\":\"b\"}| \"abc\" | \"ac\"",
        "{\"type\":\"string\",\"pattern\":\"^a\",\"maxLength\":2}| \"a\" \"ab\" | \"abc\" \"b\"",
        "{\"enum\":[\"a\",\"bb\",3],\"minLength\":2}| \"bb\" 3 | \"a\"",
        "{\"type\":\"string\",\"format\":\"date\"}| \"2024-02-29\" | \"2023-02-29\" \"2024-13-01\" \"24-01-01\"",
        "{\"type\":\"string\",\"format\":\"no such format\"}| \"anything\" | 1",
        "{\"type\":\"array\",\"items\":{\"type\":\"integer\"},\"minItems\":1,\"maxItems\":3}| [1] [1,2,3]"
            + " | [] [1,2,3,4] [\"a\"]",
        "{\"type\":\"array\",\"prefixItems\":[{\"type\":\"integer\"}],\"items\":{\"type\":\"null\"}}"
            + "| [] [1] [1,null] | [null] [1,2]",
        "{\"type\":\"array\",\"items\":[{\"type\":\"integer\"}],\"additionalItems\":false}| [] [1] | [1,1]",
        "{\"type\":\"array\",\"contains\":{\"const\":1}}| [1] [0,1] [1,1,2] | [] [0]",
        "{\"type\":\"array\",\"contains\":{\"const\":1},\"minContains\":2,\"maxContains\":3,\"maxItems\":4}"
            + "| [1,1] [1,0,1] [1,1,1,5] | [1] [1,1,1,1] [1,1,0,0,0]",
        "{\"type\":\"array\",\"uniqueItems\":true,\"items\":{\"enum\":[1,\"a\",null]}}"
            + "| [] [null,1] [\"a\",1,null] | [1,1] [1,null,1]",
        "{\"type\":\"array\",\"uniqueItems\":true,\"maxItems\":1}| [] [{}] | [1,2]",
        "{\"anyOf\":[{\"type\":\"integer\"},{\"minLength\":2}]}| 1 \"ab\" null 1.5 | \"a\"",
        "{\"oneOf\":[{\"type\":\"integer\"},{\"minimum\":2}]}| 1 2.5 \"a\" | 3 1.5",
        "{\"allOf\":[{\"minLength\":2},{\"maxLength\":3}],\"type\":\"string\"}| \"ab\" | \"a\" \"abcd\"",
        "{\"not\":{\"type\":\"string\"}}| 1 null {} | \"a\"",
        "{\"not\":{\"enum\":[1,\"a\"]},\"type\":[\"integer\",\"string\"]}| 2 \"b\" \"\" | 1 \"a\"",
        "{\"not\":{\"minimum\":3,\"multipleOf\":1}}| 2 3.5 | 3 4"
      })
  void keywordsAreKept(String schema, String accepted, String refused) {
    check(schema, words(accepted), words(refused));
  }

  private static List<String> words(String text) {
    return text == null || text.isBlank() ? List.of() : List.of(text.strip().split("\\s+"));
  }

  @Test
  void spacesMayStandWhereJsonLetsThem() {
    check(
        "{\"properties\":{\"a\":{\"type\":\"array\"}},\"required\":[\"a\"],\"type\":\"object\"}",
        List.of(
            "{\"a\":[1,2]}",
            "{ \"a\" : [ 1 , 2 ] }",
            "{\n  \"a\": [\n    1\n  ]\n}",
            "{\"a\": []}"),
        List.of("{\"a\":[1 2]}", "{\"a\":[1,2]}}"));
  }

  @Test
  void propertiesComeInTheSchemasOrderAndOthersBehind() {
    check(
        "{\"type\":\"object\",\"properties\":{\"b\":{},\"a\":{}},\"required\":[\"a\"]}",
        List.of("{\"b\":1,\"a\":2}", "{\"a\":2}", "{\"a\":2,\"c\":3,\"d\":4}"),
        List.of("{\"a\":2,\"b\":1}", "{\"c\":3,\"a\":2}", "{\"b\":1}", "{}"));
  }

  @Test
  void aKeyCannotBeDisguised() {
    check(
        "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"integer\"}}}",
        List.of("{\"a\":1}", "{\"b\":\"x\"}", "{\"aa\":\"x\"}"),
        List.of("{\"\\u0061\":\"x\"}", "{\"b\":0,\"a\":\"x\"}"));
  }

  @Test
  void otherKeysAreSortedByTheirPatterns() {
    check(
        "{\"type\":\"object\",\"properties\":{\"n\":{}},\"patternProperties\":{\"^i\":{\"type\":\"integer\"},"
            + "\"s$\":{\"minimum\":5}},\"additionalProperties\":{\"type\":\"null\"}}",
        List.of("{\"n\":[],\"i\":1,\"is\":7,\"s\":\"x\",\"z\":null}", "{\"s\":6.5}"),
        List.of("{\"i\":\"x\"}", "{\"is\":1}", "{\"is\":7.5}", "{\"s\":1}", "{\"z\":1}"));
  }

  @Test
  void namesAndCountsOfPropertiesAreKept() {
    check(
        "{\"type\":\"object\",\"propertyNames\":{\"pattern\":\"^[a-z]$\"},\"minProperties\":2,\"maxProperties\":3}",
        List.of("{\"a\":1,\"b\":2}", "{\"a\":1,\"b\":2,\"c\":3}"),
        List.of("{}", "{\"a\":1}", "{\"a\":1,\"B\":1}", "{\"a\":1,\"b\":2,\"c\":3,\"d\":4}"));
    check(
        "{\"type\":\"object\",\"properties\":{\"a\":{},\"b\":{},\"c\":{}},\"additionalProperties\":false,"
            + "\"minProperties\":1,\"maxProperties\":2}",
        List.of("{\"a\":1}", "{\"a\":1,\"c\":2}", "{\"b\":1}"),
        List.of("{}", "{\"a\":1,\"b\":2,\"c\":3}", "{\"d\":1}"));
  }

  @Test
  void dependenciesAndConditionsAreKept() {
    check(
        "{\"type\":\"object\",\"properties\":{\"a\":{},\"b\":{}},\"dependentRequired\":{\"a\":[\"b\"]}}",
        List.of("{}", "{\"b\":1}", "{\"a\":1,\"b\":2}"),
        List.of("{\"a\":1}"));
    check(
        "{\"type\":\"object\",\"properties\":{\"k\":{\"enum\":[\"x\",\"y\"]},\"v\":{}},\"required\":[\"k\",\"v\"],"
            + "\"if\":{\"properties\":{\"k\":{\"const\":\"x\"}}},\"then\":{\"properties\":{\"v\":{\"type\":\"integer\"}}},"
            + "\"else\":{\"properties\":{\"v\":{\"type\":\"string\"}}}}",
        List.of("{\"k\":\"x\",\"v\":1}", "{\"k\":\"y\",\"v\":\"s\"}"),
        List.of("{\"k\":\"x\",\"v\":\"s\"}", "{\"k\":\"y\",\"v\":1}"));
  }

  @Test
  void exactlyOneMeansThatNoOtherFits() {
    check(
        "{\"type\":\"object\",\"properties\":{\"a\":{},\"b\":{}},\"oneOf\":[{\"required\":[\"a\"]},{\"required\":[\"b\"]}]}",
        List.of("{\"a\":1}", "{\"b\":1}", "{\"b\":1,\"z\":1}"),
        List.of("{}", "{\"a\":1,\"b\":1}"));
    check(
        "{\"oneOf\":[{\"type\":\"array\",\"items\":{\"type\":\"integer\"}},{\"type\":\"array\",\"items\":{\"minimum\":5}}]}",
        List.of("[1]", "[1,6]", "[6.5]", "[\"a\"]", "[6,\"a\"]"),
        List.of("[]", "[6]", "[6,7]", "[1,\"a\"]"));
  }

  @Test
  void objectsAreTakenFromOthersByWhatTheyHold() {
    check(
        "{\"type\":\"object\",\"not\":{\"additionalProperties\":{\"type\":\"integer\"}}}",
        List.of("{\"a\":\"x\"}", "{\"a\":1,\"b\":\"x\",\"c\":2}"),
        List.of("{}", "{\"a\":1}", "{\"a\":1,\"b\":2}"));
    check(
        "{\"type\":\"object\",\"properties\":{\"a\":{}},\"not\":{\"additionalProperties\":{\"type\":\"integer\"}}}",
        List.of("{\"a\":\"x\"}", "{\"a\":1,\"b\":\"x\"}", "{\"a\":\"x\",\"b\":1}"),
        List.of("{\"a\":1}", "{}"));
  }

  @Test
  void whatNoOtherSchemaLookedAtIsLeftToUnevaluated() {
    check(
        "{\"type\":\"object\",\"properties\":{\"a\":{}},\"anyOf\":[{\"properties\":{\"b\":{\"type\":\"integer\"}},"
            + "\"required\":[\"b\"]},{\"properties\":{\"c\":{}}}],\"unevaluatedProperties\":false}",
        List.of("{}", "{\"a\":1}", "{\"a\":1,\"b\":2}", "{\"a\":1,\"b\":2,\"c\":3}", "{\"c\":1}"),
        List.of("{\"z\":1}", "{\"b\":\"x\"}", "{\"a\":1,\"b\":\"x\",\"c\":1}"));
    check(
        "{\"type\":\"array\",\"allOf\":[{\"prefixItems\":[{\"type\":\"null\"}]}],\"unevaluatedItems\":{\"const\":1}}",
        List.of("[]", "[null]", "[null,1,1]"),
        List.of("[1]", "[null,2]"));
  }

  @Test
  void keysBetweenThoseOfPatternsAreFound() {
    check(
        "{\"type\":\"object\",\"patternProperties\":{\"^a\":{\"type\":\"null\"},\"[xy]\":false},"
            + "\"propertyNames\":{\"pattern\":\"^[a-dx]$\"}}",
        List.of("{\"c\":1}", "{\"a\":null,\"b\":2}"),
        List.of("{\"x\":1}", "{\"a\":1}", "{\"e\":1}"));
  }

  @Test
  void referencesMayRecurse() {
    check(
        "{\"$ref\":\"#/$defs/tree\",\"$defs\":{\"tree\":{\"type\":\"object\",\"properties\":{\"v\":{\"type\":\"integer\"},"
            + "\"kids\":{\"type\":\"array\",\"items\":{\"$ref\":\"#/$defs/tree\"}}},\"required\":[\"v\"],"
            + "\"additionalProperties\":false}}}",
        List.of("{\"v\":1}", "{\"v\":1,\"kids\":[{\"v\":2},{\"v\":3,\"kids\":[]}]}"),
        List.of("{}", "{\"v\":1,\"kids\":[{}]}", "{\"v\":1,\"kids\":[{\"v\":\"x\"}]}"));
    check(
        "{\"$id\":\"http://example.com/a\",\"items\":{\"$ref\":\"b#n\"},\"$defs\":{\"x\":{\"$id\":\"b\",\"$defs\":"
            + "{\"y\":{\"$anchor\":\"n\",\"type\":\"null\"}}}}}",
        List.of("[null]", "1"),
        List.of("[1]"));
  }

  @Test
  void anArmThatNoValueFitsIsLeftOut() {
    check(
        "{\"type\":\"object\",\"properties\":{\"a\":{\"allOf\":[{\"const\":1},{\"const\":2}]},\"b\":{}},"
            + "\"additionalProperties\":false}",
        List.of("{}", "{\"b\":1}"),
        List.of("{\"a\":1}", "{\"a\":2}"));
  }

  @Test
  void draftsDifferInWhatStandsBesideAReference() {
    var rest =
        "\"$ref\":\"#/definitions/a\",\"maxLength\":1,\"definitions\":{\"a\":{\"type\":\"string\"}}}";
    check("{" + rest, List.of("\"a\""), List.of("\"ab\"", "1"));
    check(
        "{\"$schema\":\"http://json-schema.org/draft-07/schema#\"," + rest,
        List.of("\"ab\""),
        List.of("1"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      value = {
        "{\"items\":{\"uniqueItems\":true}} | uniqueItems",
        "{\"properties\":{\"a\":{\"$ref\":\"http://example.com/x\"}}} | #/properties/a/$ref",
        "{\"$ref\":\"#/nowhere\"} | leads to nothing",
        "{\"$ref\":\"#\"} | refers to itself",
        "{\"allOf\":[{\"$ref\":\"#/allOf/0\"}]} | refers to itself",
        "{\"properties\":{\"a\":{\"type\":\"strin\"}}} | #/properties/a/type is \"strin\"",
        "{\"properties\":{\"a\":{\"minLength\":-1}}} | #/properties/a/minLength is -1",
        "{\"properties\":{\"a/b\":{\"pattern\":\"(\"}}} | #/properties/a~1b/pattern",
        "{\"properties\":{\"a\":7}} | #/properties/a is a number",
        "{\"type\":\"object\",\"required\":[\"a\"],\"properties\":{\"a\":false}} | no value at all",
        "{\"minimum\":1e999999999} | digits",
        "{\"anyOf\":[]} | #/anyOf",
        "[1 | not JSON",
        "7 | # is a number"
      })
  void whatCannotBeKeptIsNamed(String schema, String named) {
    assertThatThrownBy(() -> JsonSchema.compile(schema))
        .isInstanceOf(ConstrainException.class)
        .hasMessageContaining(named.strip());
  }
}
