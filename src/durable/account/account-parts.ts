import { EventRelay } from '../event-relay.ts';
import { eventWays } from '../event-route.ts';
import { Housekeeping } from '../housekeeping.ts';
import { Books } from './books.ts';
import { Choosing } from './choosing.ts';
import { ConfigurationSource } from './configuration-source.ts';
import { HandOver } from './hand-over.ts';
import { Idempotency } from './idempotency.ts';
import { KeyRing } from './key-ring.ts';
import { LookUps } from './look-ups.ts';
import { Moves } from './moves.ts';
import { PendingSends } from './pending-sends.ts';
import { readPlans } from './quota.ts';
import { QuotaGate } from './quota-gate.ts';
import { RateLimits } from './rate-limits.ts';
import { Rerouting } from './rerouting.ts';
import { SendCounts } from './send-counts.ts';
import { Strangers } from './strangers.ts';

export type AccountParts = ReturnType<typeof assembleAccount>;
type NumberStub = ReturnType<Env['PHONE_NUMBER']['getByName']>;

/** What an account's object consists of, over its storage as it stands. */
export function assembleAccount(
  ctx: DurableObjectState,
  env: Env,
  accountId: string,
  numberOf: (numberId: string) => NumberStub,
) {
  const { storage } = ctx;
  const { sql } = storage;
  const relay = new EventRelay(sql, eventWays(ctx, env), () => ({
    accountId,
    source: { kind: 'account', name: accountId },
  }));
  const configuration = new ConfigurationSource(storage, env.DB, accountId);
  const books = new Books(sql);
  const keys = new KeyRing(sql, books);
  const counts = new SendCounts(sql, books);
  const quota = new QuotaGate(sql, counts, readPlans(env.FREE_PLAN_MESSAGES, env.PLANS), relay);
  const choosing = new Choosing(sql, counts, books);
  const { checks, conversations } = choosing;
  const handOvers = new HandOver(numberOf);
  const moves = new Moves(sql);
  const strangers = new Strangers({ configuration, books, keys, choosing, counts });
  const mark = {
    read: () => sql.exec<{ at: number }>('SELECT swept_at AS at FROM housekeeping').toArray()[0]?.at ?? null,
    write: (at: number) => {
      sql.exec('INSERT OR REPLACE INTO housekeeping (id, swept_at) VALUES (1, ?)', at);
    },
  };
  return {
    storage,
    relay,
    configuration,
    books,
    keys,
    counts,
    quota,
    choosing,
    handOvers,
    moves,
    pending: new PendingSends(books, (messageId) => handOvers.isUnderWay(messageId)),
    idempotency: new Idempotency(sql),
    rateLimits: new RateLimits(env),
    lookUps: new LookUps(checks, counts, (numberId, phoneNumber) =>
      numberOf(numberId).checkRecipient(phoneNumber),
    ),
    rerouting: new Rerouting({
      storage,
      moves,
      choosing,
      counts,
      books,
      enqueue: (numberId, message) => handOvers.enqueue(numberId, message),
    }),
    housekeeping: new Housekeeping(mark, [conversations, checks, counts, moves, quota, strangers]),
  };
}

/** After a transaction that was rolled back: what is stored is true, what is in memory is not. */
export function reloadAccount(parts: AccountParts): void {
  const { books, counts, choosing, idempotency, housekeeping } = parts;
  books.reload();
  counts.reload();
  choosing.reload();
  idempotency.reload();
  housekeeping.reload();
}
