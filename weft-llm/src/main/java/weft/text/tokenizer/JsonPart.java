package weft.text.tokenizer;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import weft.text.TextException;

/**
 * An object inside a JSON file and its place there, so that what is missing or wrong can be named.
 */
record JsonPart(String place, JsonNode node) {
  private static final int SHOWN = 80;

  /** A member that is an object, where the file has it and it is not null. */
  Optional<JsonPart> part(String name) {
    JsonNode member = node.path(name);
    if (member.isMissingNode() || member.isNull()) {
      return Optional.empty();
    }
    if (!member.isObject()) {
      throw wrong(name, member, "an object");
    }
    return Optional.of(new JsonPart(place + "." + name, member));
  }

  JsonPart requiredPart(String name) {
    return part(name).orElseThrow(() -> wrong(name, node.path(name), "an object"));
  }

  /** The objects of a list; none where the file has no such list. */
  List<JsonPart> parts(String name) {
    JsonNode member = node.path(name);
    var parts = new ArrayList<JsonPart>();
    if (member.isMissingNode() || member.isNull()) {
      return parts;
    }
    if (!member.isArray()) {
      throw wrong(name, member, "a list");
    }
    for (JsonNode item : member) {
      if (!item.isObject()) {
        throw wrong(name, item, "a list of objects");
      }
      parts.add(new JsonPart(place + "." + name + "[" + parts.size() + "]", item));
    }
    return parts;
  }

  String type() {
    return string("type");
  }

  String string(String name) {
    return optionalString(name).orElseThrow(() -> wrong(name, node.path(name), "a string"));
  }

  Optional<String> optionalString(String name) {
    JsonNode member = node.path(name);
    if (member.isMissingNode() || member.isNull()) {
      return Optional.empty();
    }
    if (!member.isString()) {
      throw wrong(name, member, "a string");
    }
    return Optional.of(member.stringValue());
  }

  /** A string of exactly one character. */
  String character(String name) {
    String value = string(name);
    if (value.isEmpty() || value.codePointCount(0, value.length()) != 1) {
      throw wrong(name, node.path(name), "one character");
    }
    return value;
  }

  boolean flag(String name, boolean otherwise) {
    JsonNode member = node.path(name);
    if (member.isMissingNode() || member.isNull()) {
      return otherwise;
    }
    if (!member.isBoolean()) {
      throw wrong(name, member, "true or false");
    }
    return member.booleanValue();
  }

  int integer(String name) {
    JsonNode member = node.path(name);
    if (!member.isIntegralNumber() || !member.canConvertToInt() || member.intValue() < 0) {
      throw wrong(name, member, "a whole number");
    }
    return member.intValue();
  }

  List<Integer> integers(String name) {
    JsonNode member = node.path(name);
    var values = new ArrayList<Integer>();
    if (!member.isArray()) {
      throw wrong(name, member, "a list of whole numbers");
    }
    for (JsonNode item : member) {
      if (!item.isIntegralNumber() || !item.canConvertToInt()) {
        throw wrong(name, item, "a list of whole numbers");
      }
      values.add(item.intValue());
    }
    return values;
  }

  /** The complaint about a type that weft does not know. */
  TextException unknownType(String known) {
    return new TextException(
        place + " has type '" + shown(type()) + "', which weft does not know; it knows " + known);
  }

  TextException wrong(String name, JsonNode met, String expected) {
    String value = met.isMissingNode() ? "missing" : shown(met.toString());
    return new TextException(place + "." + name + " is " + value + "; expected " + expected);
  }

  private static String shown(String value) {
    return value.length() > SHOWN ? value.substring(0, SHOWN) + "…" : value;
  }
}
