import { logFault } from '../durable/log.ts';
import { repeatConfiguration } from './configuration-changed.ts';
import { openDatabase } from './db/database.ts';
import { faultMessage } from './db/fault-message.ts';
import { forgetExpired } from './db/people/mailed-tokens.ts';
import { accountsToRefresh } from './db/revision.ts';

/** Accounts that are told in one run, and how many at a time; the next run takes the others. */
const refreshedMax = 50;
const refreshedAtOnce = 5;

/** The cron's work, each part on its own: what fails is tried again by the next run. */
export async function sweep(env: Env, now: number): Promise<void> {
  const parts = { configuration: repeatConfigurations, identity: forgetOldIdentity };
  for (const [part, run] of Object.entries(parts)) {
    try {
      await run(env, now);
    } catch (error) {
      logFault('sweep.failed', faultMessage(error).error, { part });
    }
  }
}

/** Objects that could not be told of a change when it was made are told now. */
async function repeatConfigurations(env: Env): Promise<void> {
  const accountIds = await accountsToRefresh(openDatabase(env.DB), refreshedMax);
  for (let start = 0; start < accountIds.length; start += refreshedAtOnce) {
    const slice = accountIds.slice(start, start + refreshedAtOnce);
    await Promise.all(
      slice.map(async (accountId) => {
        try {
          await repeatConfiguration(env, accountId);
        } catch (error) {
          logFault('configuration.not_repeated', error, { accountId });
        }
      }),
    );
  }
}

/** Sessions, invitations and mailed tokens go when they are over. */
const forgetOldIdentity = (env: Env, now: number) => forgetExpired(openDatabase(env.DB), now);
