/** What the address says under a name. The router reads a row of digits as a number, and `true` as what it is. */
export function searchText(value: unknown): string | undefined {
  const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
  return typeof text === 'string' && text.trim() !== '' ? text : undefined;
}
