import { defaultStoredSession } from '../contract/bridge/session-settings.ts';
import { defaultPacing } from '../contract/numbers/sender-settings.ts';
import { logFault } from '../durable/log.ts';
import { openDatabase } from './db/database.ts';
import { findRevision, noteRefreshed } from './features/account/rows/revision.ts';
import { numberSettings } from './features/numbers/rows.ts';
import { askAccount, askLog, askNumber } from './object-calls.ts';

const numbersAtOnce = 20;

/**
 * Call this after each change of an account's configuration, before the response: the account and its log read it again, then
 * `tellNumbers` tells the numbers that it concerns. So the change is in force when the response is sent. Throws if one of them
 * could not be told; then the cron tells all of them again.
 */
export async function configurationChanged(
  env: Env,
  accountId: string,
  tellNumbers: () => Promise<unknown> = async () => undefined,
): Promise<void> {
  const db = openDatabase(env.DB);
  // Read first: whatever the objects read after that is this revision or a later one.
  const revision = await findRevision(db, accountId);
  await Promise.all([
    askAccount(env, accountId, (account) => account.refresh()),
    askLog(env, accountId, (log) => log.refresh()),
  ]);
  await tellNumbers();
  if (revision === null) return;
  try {
    await noteRefreshed(db, accountId, revision);
  } catch (error) {
    // The change is in force; the cron only tells the objects once more.
    logFault('configuration.not_noted', error, { accountId });
  }
}

/** Tells the account's objects everything that they have to know of its configuration: for a change that was cut off. */
export function repeatConfiguration(env: Env, accountId: string): Promise<void> {
  return configurationChanged(env, accountId, () => tellEachNumber(env, accountId));
}

/**
 * Tells every number of the account its settings, a few numbers at a time. Each reports to the account again, which returns
 * those of its own settings that concern the number.
 */
export async function tellEachNumber(env: Env, accountId: string): Promise<void> {
  await tellSettings(env, await numberSettings(openDatabase(env.DB), accountId));
}

/** Tells one number its settings as they are now: of two changes at the same time the later one stays, whichever comes first. */
export async function tellNumber(env: Env, accountId: string, numberId: string): Promise<void> {
  await tellSettings(env, await numberSettings(openDatabase(env.DB), accountId, numberId));
}

async function tellSettings(env: Env, numbers: Awaited<ReturnType<typeof numberSettings>>): Promise<void> {
  for (let start = 0; start < numbers.length; start += numbersAtOnce) {
    const slice = numbers.slice(start, start + numbersAtOnce);
    await Promise.all(
      slice.map(({ id, pacing, session, revision }) =>
        askNumber(env, id, (number) =>
          number.configure({ ...defaultPacing, ...pacing }, revision, session ?? defaultStoredSession),
        ),
      ),
    );
  }
}
