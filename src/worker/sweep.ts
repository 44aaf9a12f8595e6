import { hourMs, minuteMs } from '../contract/times.ts';
import { log, logFault } from '../durable/log.ts';
import { backUpNightly } from './backup/nightly/nightly-backup.ts';
import { repeatConfiguration } from './configuration-changed.ts';
import { faultMessage, openDatabase } from './db/database.ts';
import { resealSome } from './db/resealing.ts';
import { accountsToRefresh } from './features/account/rows/revision.ts';
import { accountsWithWaitingEntries } from './features/audit-log/rows.ts';
import { filesOfRules } from './features/automations/rows.ts';
import { keepCampaignFiles } from './features/campaigns/campaign-files.ts';
import { campaignsUnderWay } from './features/campaigns/rows.ts';
import { MediaStore } from './features/media/store/media-store.ts';
import { forgetExpired } from './features/people/rows/mailed-tokens.ts';
import { askAuditLog } from './object-calls.ts';

/** Accounts that are told in one run, and how many at a time; the next run takes the others. */
const refreshedMax = 50;
const refreshedAtOnce = 5;
/** So long an entry of an audit log is left to whoever has written it. */
const auditGraceMs = 10_000;

/** The cron's work, each part on its own: what fails is tried again by the next run. */
export async function sweep(env: Env, now: number): Promise<void> {
  const parts = {
    configuration: repeatConfigurations,
    auditLogs: tellAuditLogs,
    identity: forgetOldIdentity,
    secrets: resealSecrets,
    backup: backUpNightly,
    files: keepNamedFiles,
  };
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
  await forEachAccount(accountIds, 'configuration.not_repeated', (id) => repeatConfiguration(env, id));
}

/** Entries that an audit log was not told of when they were written go into its chain now. */
async function tellAuditLogs(env: Env, now: number): Promise<void> {
  const db = openDatabase(env.DB);
  const accountIds = await accountsWithWaitingEntries(db, now - auditGraceMs, refreshedMax);
  await forEachAccount(accountIds, 'audit_log.not_told', (id) =>
    askAuditLog(env, id, (log) => log.collect()),
  );
}

/** A few at a time; one that fails is logged and stops no other. */
async function forEachAccount(
  accountIds: readonly string[],
  faultEvent: string,
  work: (accountId: string) => Promise<unknown>,
): Promise<void> {
  for (let start = 0; start < accountIds.length; start += refreshedAtOnce) {
    const slice = accountIds.slice(start, start + refreshedAtOnce);
    await Promise.all(
      slice.map((accountId) =>
        work(accountId).catch((error: unknown) => logFault(faultEvent, error, { accountId })),
      ),
    );
  }
}

/** While the sealing key is being replaced, what is under the one before is sealed anew. */
async function resealSecrets(env: Env, now: number): Promise<void> {
  const resealed = await resealSome(env, now);
  if (resealed > 0) log('secrets.resealed', { resealed });
}

/** Once an hour: what rules and campaigns send is kept for as long as they may send it. */
async function keepNamedFiles(env: Env, now: number): Promise<void> {
  if (now % hourMs >= minuteMs) return;
  const db = openDatabase(env.DB);
  const files = Map.groupBy(await filesOfRules(db), ({ accountId }) => accountId);
  await forEachAccount([...files.keys()], 'files.not_kept', async (accountId) => {
    const store = new MediaStore(env, accountId);
    for (const { mediaId } of files.get(accountId) ?? []) await store.renew(mediaId, now);
  });
  const campaigns = Map.groupBy(await campaignsUnderWay(db), ({ accountId }) => accountId);
  await forEachAccount([...campaigns.keys()], 'files.not_kept', async (accountId) => {
    for (const { id } of campaigns.get(accountId) ?? []) {
      const definition = await env.CAMPAIGN.getByName(id).definition();
      if (definition !== null) await keepCampaignFiles(env, accountId, definition, now);
    }
  });
}

/** Sessions, invitations and mailed tokens go when they are over. */
const forgetOldIdentity = (env: Env, now: number) => forgetExpired(openDatabase(env.DB), now);
