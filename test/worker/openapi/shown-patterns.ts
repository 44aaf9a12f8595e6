import type { z } from 'zod';
import { unknownFormat } from '../../../src/worker/http/request/validation-sentences.ts';

/** Of no form that a field of ours has. */
const odd = '\u00a7 \u0007 of no form \u00a7';

/**
 * The messages of a schema, and of all within it, that do not say which form a text must have, or show a regular expression.
 * Each text with a form is tried by itself, with something that does not fit.
 */
export function patternsShown(schema: z.ZodType, path: string, seen = new Set<unknown>()): string[] {
  if (seen.has(schema)) return [];
  seen.add(schema);
  const { def } = schema._zod;
  const own =
    def.type === 'string'
      ? (schema.safeParse(odd).error?.issues ?? [])
          .filter((issue) => issue.code === 'invalid_format' && showsPattern(issue))
          .map(({ message }) => `${path}: ${message}`)
      : [];
  return [...own, ...inner(def).flatMap(([name, part]) => patternsShown(part, `${path}.${name}`, seen))];
}

const showsPattern = ({ message, pattern }: { message: string; pattern?: unknown }) =>
  message === unknownFormat ||
  message.includes('must match pattern') ||
  (pattern !== undefined && message.includes(String(pattern)));

/** The schemas that a schema is made of, whatever they are called in it. */
function inner(def: object): [string, z.ZodType][] {
  return Object.entries(def).flatMap(([name, value]): [string, z.ZodType][] => {
    if (name === 'getter') return [[name, (value as () => z.ZodType)()]];
    if (isSchema(value)) return [[name, value]];
    if (typeof value !== 'object' || value === null) return [];
    return Object.entries(value).flatMap(([key, part]): [string, z.ZodType][] =>
      isSchema(part) ? [[key, part]] : [],
    );
  });
}

const isSchema = (value: unknown): value is z.ZodType =>
  typeof value === 'object' && value !== null && '_zod' in value && 'safeParse' in value;
