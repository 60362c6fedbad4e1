package dev.herdlab.lab.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/// The JSON Schema (2020-12) of experiment files, made from [ExperimentKeys], for editors and
/// checks.
///
/// It is stricter than the loader, which also takes `proxies: 1, 16` without brackets, and it
/// cannot see what the loader checks between keys and inside specs. Owner thread: any.
public final class ExperimentSchema {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private ExperimentSchema() {}

  /// The schema as a tree.
  public static ObjectNode json() {
    ObjectNode schema = JsonNodeFactory.instance.objectNode();
    schema.put("$schema", "https://json-schema.org/draft/2020-12/schema");
    schema.put("$id", "https://herdlab.dev/schema/experiment.schema.json");
    schema.put("title", "A Herdlab experiment");
    schema.put("type", "object");
    schema.put("additionalProperties", false);
    ObjectNode properties = schema.putObject("properties");
    addKeys(properties, ExperimentKeys.ALL);
    ObjectNode cells = properties.putObject(ExperimentKeys.CELLS);
    cells.put("description", "cells that override the keys above; each sweeps on its own");
    cells.put("type", "array");
    cells.put("minItems", 1);
    ObjectNode cell = cells.putObject("items");
    cell.put("type", "object");
    cell.put("additionalProperties", false);
    addKeys(cell.putObject("properties"), ExperimentKeys.CELL);
    return schema;
  }

  private static void addKeys(ObjectNode properties, KeyTable table) {
    for (Key<?> key : table.keys()) {
      JsonNode one = parse(key.type().schema());
      ObjectNode property = properties.putObject(key.name());
      property.put("description", key.documentation());
      if (!key.defaultText().equals(Key.NONE)) {
        property.put("default", key.defaultText());
      }
      if (key.shape() == Key.Shape.ONE) {
        property.setAll((ObjectNode) one);
        continue;
      }
      ObjectNode list = JsonNodeFactory.instance.objectNode();
      list.put("type", "array");
      list.put("minItems", 1);
      list.set("items", one);
      property.putArray("anyOf").add(one).add(list);
    }
  }

  private static JsonNode parse(String json) {
    try {
      return MAPPER.readTree(json);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("schema of a key: " + json, e);
    }
  }
}
