import type { Context, MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import { z } from 'zod';
import { invalidField, type Refusal } from '../../../contract/errors.ts';
import type { AppEnv } from '../../app-env.ts';
import { renderRefusal } from '../answer/refusal-response.ts';
import { partsOf, validating } from './request-parts.ts';
import { shortPath, validationRefusal } from './validation-details.ts';

const noCursor = 'Must be the nextCursor of the previous page.';

/** A cursor that holds what fits the pattern; of which list it is says {@link query}. */
const cursorOf = (pattern: RegExp) =>
  z.string().transform((cursor, context) => {
    const { id } = decodeCursor(cursor);
    if (pattern.test(id)) return id;
    context.addIssue({ code: 'custom', message: noCursor });
    return z.NEVER;
  });

// In a query everything is text; the document shows what it stands for.

/** A whole number. */
export const wholeNumber = (min: number, max: number, preset: number) => {
  const problem = `A whole number from ${min} to ${max}.`;
  return z
    .string()
    .regex(/^\d{1,4}$/, problem)
    .transform(Number)
    .refine((value) => value >= min && value <= max, problem)
    .default(preset)
    .meta({ type: 'integer', minimum: min, maximum: max, default: preset });
};

export const yesOrNo = z.enum(['true', 'false']).transform((value) => value === 'true');

/** What every list takes. */
export const listQuery = {
  limit: wholeNumber(1, 200, 50),
  cursor: cursorOf(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/).optional(),
};

const numberedCursor = cursorOf(/^[1-9]\d{0,15}$/).transform(Number);

/** The same for a list whose rows are known by a number instead of an id. */
export const numberedListQuery = { ...listQuery, cursor: numberedCursor.optional() };

/** Where an item of such a list stands. */
export const positionSchema = numberedCursor.optional();

/** The same for a list whose rows are known by a number that may be below 0. */
export const signedListQuery = {
  ...listQuery,
  cursor: cursorOf(/^-?[1-9]\d{0,15}$/)
    .transform(Number)
    .optional(),
};
/** The cursor of a list that is sorted by something that changes: its value, and the id of the last row. */
export const placeCursor = cursorOf(/^\d{1,16}:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/).transform(
  (place) => {
    const [at, id = ''] = place.split(':');
    return { at: Number(at), conversationId: id };
  },
);

/** The same for a list of groups. */
export const groupListQuery = { ...listQuery, cursor: cursorOf(/^\d{5,25}(-\d{5,15})?@g\.us$/).optional() };

/**
 * Validates the query; the handler gets it by `c.req.valid('query')`. An unknown parameter is refused, since a list that
 * ignored a filter would give a wrong answer.
 */
export function query<Schema extends z.ZodObject>(
  schema: Schema,
): MiddlewareHandler<AppEnv, string, { in: { query: z.input<Schema> }; out: { query: z.output<Schema> } }> {
  return validating({ query: schema }, async (c, next) => {
    const read = readQuery(c.req.queries(), schema);
    if (!read.ok) return renderRefusal(c, read);
    const { cursor } = c.req.query();
    // Ids and numbers of other lists look the same.
    if (cursor !== undefined && decodeCursor(cursor).list !== c.req.path) {
      return renderRefusal(c, invalidField('cursor', noCursor));
    }
    c.req.addValidatedData('query', read.value);
    return next();
  });
}

/** The query as the schema has it. A parameter that is sent twice is refused: nobody can know which of both is meant. */
export function readQuery<Schema extends z.ZodObject>(
  sent: Readonly<Record<string, string[]>>,
  schema: Schema,
): { ok: true; value: z.output<Schema> } | Refusal {
  const repeated = Object.entries(sent).find(([, values]) => values.length > 1);
  if (repeated !== undefined) return invalidField(shortPath(repeated[0]), 'Sent more than once.');
  const values = Object.entries(sent).map(([name, [value]]) => [name, value]);
  const parsed = schema.safeParse(Object.fromEntries(values));
  return parsed.success ? { ok: true, value: parsed.data } : validationRefusal(parsed.error);
}

/**
 * The refusal of a query that nothing reads: ignored, `?dryRun=true` would do for real what it was to try. Null where there is
 * none, where the route reads its query, and outside of the API.
 */
export function unreadQuery(c: Context<AppEnv>): Refusal | null {
  const [name] = new URL(c.req.url).searchParams.keys();
  if (name === undefined || !c.req.path.startsWith('/v1/')) return null;
  const isRead = matchedRoutes(c).some(({ handler }) => partsOf(handler)?.query !== undefined);
  return isRead ? null : invalidField(shortPath(name), 'Unknown field.');
}

/** What the API answers of a list; its path names it. */
type ListRequest = { req: { path: string } };

/** The page as the API answers it, from one row more than the page holds: the surplus row says that there is a next. */
export function page<Row, Shown = Row>(
  c: ListRequest,
  rows: readonly Row[],
  limit: number,
  idOf: (row: Row) => string,
  show: (row: Row) => Shown = (row) => row as Row & Shown,
): { data: Shown[]; nextCursor: string | null } {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    data: shown.map(show),
    nextCursor: rows.length > limit && last !== undefined ? cursorBehind(c, idOf(last)) : null,
  };
}

/** Opaque to the outside; inside, the list that it is of, and the id of the last row of the page. */
export function cursorBehind({ req }: ListRequest, id: string): string {
  return encodeCursor(`${req.path} ${id}`);
}

/** Where an item stands, in whatever list shows it. */
export function encodeCursor(text: string): string {
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Nothing of what none of these has made. A path has no spaces. */
function decodeCursor(cursor: string): { list: string; id: string } {
  try {
    const [id = '', list = ''] = atob(cursor.replaceAll('-', '+').replaceAll('_', '/'))
      .split(' ')
      .toReversed();
    return { list, id };
  } catch {
    return { list: '', id: '' };
  }
}
