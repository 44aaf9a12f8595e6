import type { TypingState } from '../../contract/bridge/network-queries.ts';
import { fleetOf } from '../bridge-fleet/fleet-of.ts';
import type { ChatOf } from '../event-log/conversations/conversation.ts';
import type { Fact, FactsTaken } from '../event-log/facts.ts';
import { logOf } from '../event-log/log-of.ts';
import { LogOutbox } from '../hand-over/log-outbox.ts';
import type { NewsTaken } from '../hand-over/number-news.ts';
import { Housekeeping } from '../storage/housekeeping.ts';
import { BridgeLink, LinkAdmission } from './bridge/bridge-link.ts';
import { InboundMedia } from './bridge/inbound-media.ts';
import { Vault } from './bridge/vault.ts';
import { DeviceStore } from './device/device-store.ts';
import { Lease } from './device/lease.ts';
import { SessionConfiguration } from './device/session-configuration.ts';
import { GroupSync } from './groups/group-queries.ts';
import { GroupRows } from './groups/group-rows.ts';
import { Groups } from './groups/groups.ts';
import { SenderHealth } from './health/sender-health.ts';
import { AccountNews } from './news/account-news.ts';
import { AccountNotes } from './news/account-notes.ts';
import { NumberState } from './number-state.ts';
import { RecipientPauses, SenderPace } from './pacing/sender-pace.ts';
import { Queries, QueryHolds } from './queries.ts';
import { Batches, Capacity } from './queue/capacity.ts';
import { Dispatch } from './queue/dispatch.ts';
import { Queue } from './queue/queue.ts';
import { Returns } from './queue/returns.ts';

export type NumberParts = ReturnType<typeof assembleNumber>;

/** What a number's object consists of, over its storage as it stands. */
export function assembleNumber(ctx: DurableObjectState, env: Env) {
  const { storage } = ctx;
  const { sql } = storage;
  const tellLog = (accountId: string, facts: readonly Fact[]): Promise<FactsTaken> =>
    logOf(env, accountId).take(facts);
  const outbox: LogOutbox = new LogOutbox(sql, (facts) => tellLog(device.known.accountId, facts));
  const device: DeviceStore = new DeviceStore(storage, outbox);
  const link = new BridgeLink(ctx);
  const state = new NumberState(sql);
  const pace = new SenderPace(state);
  const health = new SenderHealth(sql, state);
  const pauses = new RecipientPauses(sql);
  const queue = new Queue(sql);
  const batches = new Batches(state);
  const notes = new AccountNotes(sql);
  const capacity = new Capacity(queue, pace, health);
  const dispatch = new Dispatch({ storage, queue, link, pace, health, pauses });
  const returns = new Returns({ storage, state, queue, dispatch, health, notes });
  const queries = new Queries(link, device, new QueryHolds(state));
  const groups = new Groups({ rows: new GroupRows(sql), state, device, outbox });
  const sweptMark = {
    read: () => state.get<number>('sweptAt'),
    write: (at: number) => state.put('sweptAt', at),
  };
  return {
    device,
    link,
    admission: new LinkAdmission(env, device, state),
    outbox,
    tellLog,
    contentOf: (accountId: string, providerMessageId: string) =>
      logOf(env, accountId).sentContent(providerMessageId),
    tellTyping: (accountId: string, chat: ChatOf, typing: TypingState) =>
      logOf(env, accountId).noteTyping(chat, typing),
    claimPhone: (accountId: string, numberId: string, phoneNumber: string): Promise<boolean> =>
      env.ACCOUNT.getByName(accountId).claimPhone(numberId, phoneNumber),
    pace,
    health,
    pauses,
    queue,
    batches,
    notes,
    capacity,
    dispatch,
    returns,
    lease: new Lease(device, () => fleetOf(env, device.known.region ?? null)),
    session: new SessionConfiguration(state, env),
    vault: new Vault(sql),
    queries,
    groups,
    groupSync: new GroupSync({ groups, queries, device, link, state }),
    inboundMedia: new InboundMedia({ sql, outbox, device, link }),
    housekeeping: new Housekeeping(sweptMark, [pauses]),
    news: new AccountNews({
      device,
      state,
      pace,
      health,
      capacity,
      batches,
      returns,
      notes,
      hear: (accountId, news): Promise<NewsTaken> => env.ACCOUNT.getByName(accountId).hear(news),
    }),
  };
}

/** After a transaction that was rolled back: what is stored is true, what is in memory is not. */
export function reloadNumber(parts: NumberParts): void {
  const { device, outbox, pace, health, queue, batches, notes, dispatch, returns, news } = parts;
  const inMemory = [device, outbox, pace, health, queue, batches, notes, dispatch, returns, news];
  for (const part of [...inMemory, parts.housekeeping, parts.inboundMedia]) part.reload();
}
