import { DrizzleQueryError } from 'drizzle-orm/errors';

/**
 * What a fault's log line may say. A failed query carries its parameters in its message (texts, numbers, hashes), so
 * of one only the database's own words are kept; and of every stack only the places, since it repeats the message.
 */
export function faultMessage(error: unknown): { error: string; stack: string | null } {
  const told = error instanceof DrizzleQueryError ? (error.cause ?? 'a query failed') : error;
  if (!(told instanceof Error)) return { error: String(told), stack: null };
  const places = (told.stack ?? '').split('\n').filter((line) => line.trimStart().startsWith('at '));
  return { error: `${told.name}: ${told.message}`, stack: places.join('\n') || null };
}
