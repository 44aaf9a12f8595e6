/** Half of a surrogate pair cannot stand in UTF-8: only an escape can bring one. */
const escapedSurrogate = /\\u[dD][89a-fA-F]/;

/** The path of the first text, or name, in it that is not well-formed; null where all are. `json`: what it was parsed from. */
export function brokenTextAt(json: string, value: unknown): string[] | null {
  return escapedSurrogate.test(json) ? firstBroken(value) : null;
}

function firstBroken(value: unknown): string[] | null {
  if (typeof value === 'string') return value.isWellFormed() ? null : [];
  if (typeof value !== 'object' || value === null) return null;
  for (const [name, inner] of Object.entries(value)) {
    const broken = name.isWellFormed() ? firstBroken(inner) : [];
    if (broken !== null) return [name.toWellFormed(), ...broken];
  }
  return null;
}
