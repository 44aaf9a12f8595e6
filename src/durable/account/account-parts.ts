import { readPlans } from '../../settings/plans.ts';
import { settingsOf } from '../../settings/worker-settings.ts';
import type { FactsTaken } from '../event-log/facts.ts';
import { logOf } from '../event-log/log-of.ts';
import { LogOutbox } from '../hand-over/log-outbox.ts';
import type { BatchTaken } from '../hand-over/message-batch.ts';
import { Housekeeping } from '../storage/housekeeping.ts';
import { inTransaction } from '../storage/in-transaction.ts';
import { Actions } from './admission/actions.ts';
import { Admission } from './admission/admission.ts';
import { Idempotency } from './admission/idempotency.ts';
import { QuotaGate } from './admission/quota-gate.ts';
import { RateLimits } from './admission/rate-limits.ts';
import { PeopleFirst } from './admission/send-as.ts';
import { SendCounts } from './admission/send-counts.ts';
import { Sending } from './admission/sending.ts';
import { StoredFiles } from './admission/stored-files.ts';
import { CampaignSends } from './campaign-sends.ts';
import { ConfigurationSource } from './configuration/configuration-source.ts';
import { KeyRing } from './configuration/key-ring.ts';
import { Backlog } from './outbox/backlog.ts';
import { Cancelling } from './outbox/cancelling.ts';
import { Expiry } from './outbox/expiry.ts';
import { Failures } from './outbox/failures.ts';
import { FileFetches } from './outbox/file-fetches.ts';
import { HandOver } from './outbox/hand-over.ts';
import { NewsIntake, ParkedNotes } from './outbox/news-intake.ts';
import { Outlooks } from './outbox/outlook.ts';
import { Placement, Schedule } from './outbox/placement.ts';
import { Moves, Rerouting } from './outbox/rerouting.ts';
import { Aliases } from './recipients/aliases.ts';
import { LookUps } from './recipients/recipient-checks.ts';
import { Choosing } from './senders/choosing.ts';
import { PendingPairings, PhoneClaims } from './senders/pairings.ts';
import { Senders } from './senders/senders.ts';

export type AccountParts = ReturnType<typeof assembleAccount>;
type NumberStub = ReturnType<Env['PHONE_NUMBER']['getByName']>;

interface AccountTies {
  accountId: string;
  /** The bindings as they are now. */
  env: () => Env;
  numberOf: (numberId: string) => NumberStub;
  /** After each commit, in the same turn: what is to go out goes, and the alarm to where it is needed. */
  committed: () => void;
}

/** What an account's object consists of, over its storage as it stands. */
export function assembleAccount(ctx: DurableObjectState, ties: AccountTies) {
  const { storage } = ctx;
  const { sql } = storage;
  const { accountId, numberOf } = ties;
  const waitUntil = (promise: Promise<void>) => ctx.waitUntil(promise);
  const settings = settingsOf(ties.env());

  const configuration = new ConfigurationSource(storage, () => ties.env().DB, accountId, ties.committed);
  const keys = new KeyRing(sql);
  const senders = new Senders(sql);
  const counts = new SendCounts(sql);
  const aliases = new Aliases(sql);
  const choosing = new Choosing(sql, aliases, senders, counts);
  const { currentPool, conversations, optOuts, checks } = choosing;
  const logOutbox = new LogOutbox(sql, async (facts): Promise<FactsTaken> => {
    return logOf(ties.env(), accountId).take(facts);
  });
  const plans = readPlans(settings.FREE_PLAN_MESSAGES, settings.PLANS);
  const quota = new QuotaGate(sql, counts, plans);
  const idempotency = new Idempotency(sql);
  const sweptMark = {
    read: () => sql.exec<{ at: number }>('SELECT swept_at AS at FROM housekeeping').toArray()[0]?.at ?? null,
    write: (at: number) => {
      sql.exec('INSERT OR REPLACE INTO housekeeping (id, swept_at) VALUES (1, ?)', at);
    },
  };
  const keysKeeper = {
    sweep: () => {
      const current = configuration.loaded;
      if (current !== null) keys.sweep(current);
      return true;
    },
  };
  const peopleFirst = new PeopleFirst(sql);
  const parkedNotes = new ParkedNotes(sql);
  const keepers = [conversations, checks, counts, quota, keysKeeper, peopleFirst];
  const housekeeping = new Housekeeping(sweptMark, keepers);

  /** Makes a change in one transaction. After one that was rolled back, what is stored is true, and what is in memory is not. */
  const change = <Result>(work: () => Result): Result => {
    const result = inTransaction(storage, work, () => {
      for (const part of reloaded) part.reload();
    });
    ties.committed();
    return result;
  };

  const backlog = new Backlog(sql);
  const failures = new Failures(counts, logOutbox);
  const handOver = new HandOver({
    senders,
    backlog,
    currentPool,
    optOuts,
    failures,
    change,
    waitUntil,
    give: async (numberId, batch): Promise<BatchTaken> => numberOf(numberId).take(batch),
  });
  const placement = new Placement({ senders, backlog, currentPool, conversations, counts, handOver });
  const moves = new Moves({ choosing, placement, counts, logOutbox });
  const schedule = new Schedule({ backlog, placement, change, configuration: () => configuration.loaded });
  const fileFetches = new FileFetches({
    sql,
    backlog,
    senders,
    schedule,
    failures,
    logOutbox,
    change,
    fetch: (messageId, wanted, attempt) =>
      ctx.exports.FileFetcher.bring(accountId, messageId, wanted, attempt),
    waitUntil,
    freed: ties.committed,
  });
  const messageLifetimeMs = settings.MESSAGE_LIFETIME_SECONDS * 1000;
  const admission = new Admission({
    keys,
    idempotency,
    quota,
    choosing,
    placement,
    schedule,
    fileFetches,
    logOutbox,
    peopleFirst,
    housekeeping,
    messageLifetimeMs,
  });
  const actions = new Actions({
    configuration,
    placement,
    backlog,
    numberOf,
    isDeleted: async (messageId) => {
      const message = await logOf(ties.env(), accountId).message(messageId);
      return message !== null && message.deletedAt !== null;
    },
    change,
    messageLifetimeMs,
  });
  const lookUps = new LookUps(checks, counts, async (numberId, phoneNumber) =>
    numberOf(numberId).checkRecipient(phoneNumber),
  );
  const rateLimits = new RateLimits(settings);
  const sending = new Sending({ configuration, keys, rateLimits, idempotency, admission, lookUps, change });
  const cancelling = new Cancelling({ senders, backlog, failures, logOutbox, change });
  const reloaded = [
    senders,
    counts,
    quota,
    currentPool,
    logOutbox,
    idempotency,
    housekeeping,
    backlog,
    handOver,
    placement,
    schedule,
    fileFetches,
  ];

  return {
    sql,
    configuration,
    keys,
    senders,
    counts,
    choosing,
    quota,
    storedFiles: new StoredFiles(sql, plans),
    rateLimits,
    pendingPairings: new PendingPairings(),
    parkedNotes,
    idempotency,
    housekeeping,
    logOutbox,
    handOver,
    actions,
    sending,
    news: new NewsIntake({
      senders,
      choosing,
      peopleFirst,
      aliases,
      backlog,
      handOver,
      placement,
      moves,
      failures,
      parkedNotes,
      logOutbox,
      messageLifetimeMs,
      change,
    }),
    rerouting: new Rerouting({
      senders,
      backlog,
      handOver,
      currentPool,
      placement,
      moves,
      failures,
      change,
      configuration: () => configuration.loaded,
    }),
    schedule,
    fileFetches,
    phoneClaims: new PhoneClaims(),
    expiry: new Expiry({ senders, backlog, failures, change }),
    cancelling,
    campaignSends: new CampaignSends({
      configuration,
      sending,
      checks: choosing.checks,
      cancelling,
      currentPool,
      senders,
      counts,
      plans,
      backlog,
      change,
      numberOf,
    }),
    aliases,
    backlog,
    peopleFirst,
    outlook: new Outlooks({ senders, backlog, numberOf }),
  };
}
