import { z } from 'zod';

export type JsonSchema = z.core.JSONSchema.BaseSchema;

const reference = (name: string) => `#/components/schemas/${name}`;

/** Formats say it to people and to validators; zod's patterns beside them say the same in a hundred characters. */
const spokenFormats = ['uuid', 'date-time', 'email'];

function tidy({ jsonSchema }: { jsonSchema: JsonSchema }): void {
  if (spokenFormats.includes(jsonSchema.format ?? '')) delete jsonSchema.pattern;
  if (jsonSchema.type === 'integer') {
    delete jsonSchema.pattern;
    if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  }
  // Of a record's keys only: that they are text.
  delete jsonSchema.propertyNames;
}

/**
 * JSON Schema of named zod schemas, which refer to each other by name: as requests are written, or responses read. They are
 * sorted by name, since the order in which files are loaded has no meaning.
 */
export function componentSchemas(
  schemas: z.core.$ZodRegistry<{ id: string }>,
  io: 'input' | 'output',
): Record<string, JsonSchema> {
  const converted = z.toJSONSchema(schemas, { uri: reference, io, override: tidy }).schemas;
  const byName = Object.entries(converted).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(
    byName.map(([name, { $schema: _, $id: __, ...schema }]) => [
      name,
      io === 'output' ? open(schema as JsonSchema) : (schema as JsonSchema),
    ]),
  );
}

/** JSON Schema of one schema that has no name of its own. */
export function inlineSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...converted } = z.toJSONSchema(schema, { io, override: tidy });
  return io === 'output' ? open(converted) : converted;
}

export const schemaReference = (name: string) => ({ $ref: reference(name) });

/** Answers may gain fields: who reads them must not refuse what it does not know. */
function open<Node>(node: Node): Node {
  if (Array.isArray(node)) return node.map(open) as Node;
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node)
      .filter(([key, value]) => key !== 'additionalProperties' || value !== false)
      .map(([key, value]) => [key, open(value)]),
  ) as Node;
}

/**
 * Writes the descriptions, by dotted path, into the schema's properties: in every variant that has them, and in the items of
 * lists.
 */
export function describeFields(schema: JsonSchema, fields: Record<string, string>, prefix = ''): void {
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (typeof property === 'boolean') continue;
    const description = fields[`${prefix}${name}`];
    if (description !== undefined) property.description = description;
    describeFields(property, fields, `${prefix}${name}.`);
  }
  const items = Array.isArray(schema.items) ? schema.items : [schema.items ?? false];
  for (const part of [...(schema.oneOf ?? []), ...(schema.anyOf ?? []), ...items]) {
    if (typeof part !== 'boolean') describeFields(part, fields, prefix);
  }
}

/** Bodies that are no JSON, by media type, as the document has them. */
export function otherContent(
  media: Record<string, { schema: z.ZodType; example: unknown }>,
  io: 'input' | 'output',
): Record<string, object> {
  return Object.fromEntries(
    Object.entries(media).map(([type, { schema, example }]) => [
      type,
      { schema: inlineSchema(schema, io), example },
    ]),
  );
}
