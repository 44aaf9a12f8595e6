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

/** How often a change is made anew before whoever writes at the same time is taken for a fault. */
const overtakenMax = 100;

/**
 * Makes a change of what was read just before, anew for as long as somebody else was quicker: then `attempt` resolves
 * null. So of two changes of different fields none is lost.
 */
export async function untilNotOvertaken<Result>(attempt: () => Promise<Result | null>): Promise<Result> {
  for (let overtaken = 0; overtaken < overtakenMax; overtaken += 1) {
    const result = await attempt();
    if (result !== null) return result;
    await scheduler.wait(Math.random() * 10 * Math.min(overtaken + 1, 8));
  }
  throw new Error('a change was overtaken again and again');
}
