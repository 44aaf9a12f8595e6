import { z } from 'zod';
import type { Refusal } from '../../../../contract/errors.ts';
import { validationRefusal } from '../validation-details.ts';

/** The fields of an object schema, each of which may be left out; rules between fields are for the whole object. */
export function fieldsOf<Shape extends z.core.$ZodLooseShape>(schema: z.ZodObject<Shape>) {
  return z.strictObject(schema.shape).partial();
}

/** `current` with `changes` over it, as `schema` has it, or the refusal; `path` is where the object stands in the body. */
export function merged<Value extends object>(
  schema: z.ZodType<Value>,
  path: string,
  current: Value,
  changes: object,
): { ok: true; value: Value } | Refusal {
  const parsed = schema.safeParse({ ...current, ...changes });
  if (parsed.success) return { ok: true, value: parsed.data };
  const issues = parsed.error.issues.map((issue) => ({ ...issue, path: [path, ...issue.path] }));
  return validationRefusal(new z.ZodError(issues));
}
