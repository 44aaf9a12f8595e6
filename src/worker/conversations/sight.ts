import type { Context } from 'hono';
import type { AppEnv } from '../app-env.ts';

/** The numbers of the account whose conversations are not for the caller. */
export async function hiddenNumbers(_c: Context<AppEnv>): Promise<string[]> {
  return [];
}
