/** Unique, and not a secret. Node 18 has no global `crypto`. */
export function newIdempotencyKey(): string {
  if (typeof crypto !== 'undefined') return crypto.randomUUID();
  const random = () => Math.random().toString(36).slice(2).padEnd(12, '0');
  return `${Date.now().toString(36)}-${random()}-${random()}`;
}
