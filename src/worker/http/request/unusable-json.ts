import { plainTextProblem } from './shared-fields.ts';

/** What is wrong at a place in JSON. */
interface UnusablePlace {
  path: string[];
  message: string;
}

/** Half of a surrogate pair cannot stand in UTF-8, so only an escape can bring one. Any name may be written with escapes. */
const doubtful = /\\u|__proto__/;

/**
 * The first text, or name, that is not well-formed, or the first field named `__proto__`: validation leaves that one out of
 * records without a word. Null where there is none. `json`: what the value was parsed from.
 */
export const unusablePlace = (json: string, value: unknown): UnusablePlace | null =>
  doubtful.test(json) ? firstUnusable(value) : null;

function firstUnusable(value: unknown): UnusablePlace | null {
  if (typeof value === 'string') return value.isWellFormed() ? null : { path: [], message: plainTextProblem };
  if (typeof value !== 'object' || value === null) return null;
  for (const [name, inner] of Object.entries(value)) {
    const found = unusableName(name) ?? firstUnusable(inner);
    if (found !== null) return { ...found, path: [name.toWellFormed(), ...found.path] };
  }
  return null;
}

function unusableName(name: string): UnusablePlace | null {
  if (name === '__proto__') return { path: [], message: 'A field cannot have this name.' };
  return name.isWellFormed() ? null : { path: [], message: plainTextProblem };
}
