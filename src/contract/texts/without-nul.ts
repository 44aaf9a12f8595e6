/** A text without U+0000, which nobody can read and PostgreSQL refuses. */
export const withoutNul = (text: string): string => text.replaceAll('\0', '');

/** What JSON says, with no U+0000 in any of its texts. Throws where it is no JSON. */
export function parsedWithoutNul(json: string): unknown {
  // So it stands in JSON, where it stands at all.
  if (!json.includes('\\u0000')) return JSON.parse(json);
  return JSON.parse(json, (_, value) => (typeof value === 'string' ? withoutNul(value) : value));
}
