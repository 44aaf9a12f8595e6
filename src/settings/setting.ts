import { z } from 'zod';

/** What the operator can mend: a variable that does not fit. Its message names the variable and is the whole explanation. */
export class SettingsProblem extends Error {
  override readonly name = 'SettingsProblem';
}

interface SettingNotes {
  /** One line for the table of settings. */
  about: string;
  /** Its value where it is not set, as it would be written. */
  fallback?: string;
  /** The table's words for the default, where the value alone would not tell. */
  shownDefault?: string;
  /** The value is never repeated: not in a sentence, not in a log. */
  isSecret?: boolean;
  /** Not for the table: nobody but the local gateway or a test sets it. */
  isInternal?: boolean;
}

type FurtherNotes = Omit<SettingNotes, 'about' | 'fallback'>;

const notesOf = z.registry<SettingNotes>();

/** A variable that is always there: set, or its default. */
export function setting<Value>(
  fallback: string,
  read: z.ZodType<Value, string>,
  about: string,
  notes: FurtherNotes = {},
): z.ZodType<Value, string | undefined> {
  return noted(read.prefault(fallback), { ...notes, about, fallback });
}

/** A variable without a default. */
export function optionalSetting<Value>(
  read: z.ZodType<Value, string>,
  about: string,
  notes: FurtherNotes = {},
): z.ZodType<Value | undefined, string | undefined> {
  return noted(read.optional(), { ...notes, about });
}

/** A variable that no deployment can do without. */
export function requiredSetting<Value>(
  read: z.ZodType<Value, string>,
  about: string,
  notes: FurtherNotes = {},
): z.ZodType<Value, string> {
  return noted(read.clone(), { ...notes, about });
}

function noted<Schema extends z.ZodType>(schema: Schema, notes: SettingNotes): Schema {
  notesOf.add(schema, notes);
  return schema;
}

/** A value that `reads` makes of a text, or null where it does not fit; `must` completes "X must be …". */
export function valueFrom<Value>(
  must: string,
  reads: (text: string) => Value | null,
): z.ZodType<Value, string> {
  return z.string({ error: `must be ${must}` }).transform((text, context) => {
    const value = reads(text);
    if (value === null) context.addIssue({ code: 'custom', message: `must be ${must}` });
    return value ?? z.NEVER;
  });
}

/** A text that fits, as it is. */
export const textThat = (must: string, fits: (text: string) => boolean) =>
  valueFrom(must, (text) => (fits(text) ? text : null));

export const plainText = textThat('text', () => true);

export const wholeNumber = (min: number, max: number) =>
  valueFrom(`a whole number from ${min} to ${max}`, (text) =>
    /^\d{1,15}$/.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) : null,
  );

export const port = (max: number) =>
  valueFrom(`a port number from 1 to ${max}`, (text) =>
    /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= max ? Number(text) : null,
  );

/** So many a second or a minute: also less than one. */
export const rate = valueFrom('a number above 0', (text) =>
  /^\d{1,12}(\.\d{1,6})?$/.test(text) && Number(text) > 0 ? Number(text) : null,
);

export function oneOf<const Choice extends string>(choices: readonly Choice[]): z.ZodType<Choice, string> {
  const must = `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`;
  return valueFrom(must, (text) => choices.find((choice) => choice === text) ?? null);
}

/** Parts between commas, without blanks around them and without empty ones. */
export const partsOf = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** A list between commas, each part of which `fits`. */
export const listOf = (must: string, fits: (part: string) => boolean) =>
  valueFrom(must, (text) => (partsOf(text).every(fits) ? partsOf(text) : null));

type Shape = Record<string, z.ZodType>;

/**
 * The values of all variables; an empty one counts as not set. Throws {@link SettingsProblem} with a sentence for each
 * that is wrong.
 */
export function readSettingsBy<Schema extends z.ZodType>(
  schema: Schema,
  shape: Shape,
  values: Readonly<Record<string, unknown>>,
): z.output<Schema> {
  const present = Object.fromEntries(
    Object.keys(shape).flatMap((name) => {
      const value = values[name];
      return value === undefined || value === '' ? [] : [[name, value]];
    }),
  );
  const parsed = schema.safeParse(present);
  if (parsed.success) return parsed.data;
  const sentences = parsed.error.issues.map(({ path, message }) => {
    const name = String(path[0]);
    const value = present[name];
    if (value === undefined) return `${name} ${message}, but it is not set.`;
    const isSecret = shape[name] && notesOf.get(shape[name])?.isSecret;
    return isSecret ? `${name} ${message}.` : `${name} ${message}, but it is "${value}".`;
  });
  throw new SettingsProblem([...new Set(sentences)].join('\n'));
}

interface TableRow {
  name: string;
  fallback: string | undefined;
  shownDefault: string;
  about: string;
}

/** Rows of the table of settings: name, default, meaning; `withInternal`: all of them. */
export function tableRows(shape: Shape, withInternal = false): TableRow[] {
  return Object.entries(shape).flatMap(([name, schema]) => {
    const notes = notesOf.get(schema);
    if (notes === undefined) throw new Error(`${name} has no description`);
    const { about, fallback, shownDefault, isInternal } = notes;
    const plain = fallback === undefined || fallback === '' ? '' : `\`${fallback}\``;
    const row = { name, fallback, shownDefault: shownDefault ?? plain, about };
    return isInternal && !withInternal ? [] : [row];
  });
}
