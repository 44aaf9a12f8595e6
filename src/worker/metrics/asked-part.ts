import { faultMessage } from '../db/database.ts';

/** What a part of the gateway answers; null where it does not. Why not is for the log. */
export async function askPart<Answer>(part: string, ask: () => Promise<Answer>): Promise<Answer | null> {
  try {
    return await ask();
  } catch (error) {
    console.error(
      JSON.stringify({
        at: new Date().toISOString(),
        level: 'error',
        event: 'not_ready',
        part,
        ...faultMessage(error),
      }),
    );
    return null;
  }
}
