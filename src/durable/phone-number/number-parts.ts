import { EventRelay } from '../event-relay.ts';
import { eventWays } from '../event-route.ts';
import { Housekeeping } from '../housekeeping.ts';
import { messageSweep } from '../table-sweep.ts';
import { AccountReports } from './account-reports.ts';
import { BridgeLink } from './bridge-link.ts';
import { Chats } from './chats.ts';
import { ContactChecks } from './contact-checks.ts';
import { DeviceRecord } from './device-record.ts';
import { Dispatch } from './dispatch.ts';
import { GiveBacks } from './give-backs.ts';
import { InboundNotes } from './inbound-notes.ts';
import { Inbox } from './inbox.ts';
import { MessageEvents } from './message-events.ts';
import { MessageFlow } from './message-flow.ts';
import { Moves } from './moves.ts';
import { Outbox } from './outbox.ts';
import { Reroute } from './reroute.ts';
import { SenderHealth } from './sender-health.ts';
import { SenderPace } from './sender-pace.ts';
import { SenderState } from './sender-state.ts';
import { Vault } from './vault.ts';

/** How long it is known what has gone on, or was given up: a late repeat of its hand-over comes within minutes. */
const goneKeptMs = 30 * 24 * 3600 * 1000;

export type NumberParts = ReturnType<typeof assembleNumber>;

/** What a number's object consists of, over its storage as it stands. */
export function assembleNumber(ctx: DurableObjectState, env: Env) {
  const { storage } = ctx;
  const { sql } = storage;
  const link = new BridgeLink(ctx);
  const events = new MessageEvents(sql, () => device.known, link);
  const head = () => {
    const { accountId, numberId } = device.known;
    return { accountId, source: { kind: 'phone-number' as const, name: numberId } };
  };
  const relay: EventRelay = new EventRelay(sql, eventWays(ctx, env), head, events);
  const device: DeviceRecord = new DeviceRecord(storage, relay);
  const state = new SenderState(sql);
  const pace = new SenderPace(state, events);
  const health = new SenderHealth(sql, state);
  const chats = new Chats(sql);
  const outbox = new Outbox(sql, events);
  const moves = new Moves(sql);
  const inboundNotes = new InboundNotes(sql);
  const giveBacks = new GiveBacks(sql);
  const inbox = new Inbox(sql);
  const reroute = new Reroute(storage, { moves, health, state, events, relay });
  const mark = {
    read: () => state.get<number>('sweptAt'),
    write: (at: number) => state.put('sweptAt', at),
  };
  const keepers = [
    outbox,
    chats,
    messageSweep(sql, 'moved', goneKeptMs),
    messageSweep(sql, 'disowned', goneKeptMs),
  ];
  const housekeeping = new Housekeeping(mark, keepers);
  const dispatch = new Dispatch({ storage, outbox, link, pace, health, chats });
  return {
    device,
    events,
    relay,
    link,
    pace,
    health,
    outbox,
    moves,
    dispatch,
    vault: new Vault(sql),
    contacts: new ContactChecks(link),
    inbox,
    reroute,
    housekeeping,
    messages: new MessageFlow(storage, {
      outbox,
      events,
      moves,
      inbox,
      inboundNotes,
      giveBacks,
      chats,
      dispatch,
      pace,
      health,
      relay,
      housekeeping,
    }),
    reports: new AccountReports({
      device,
      state,
      pace,
      health,
      outbox,
      reroute,
      inboundNotes,
      giveBacks,
      account: (accountId) => env.ACCOUNT.getByName(accountId),
    }),
  };
}

/** After a transaction that was rolled back: what is stored is true, what is in memory is not. */
export function reloadNumber(parts: NumberParts): void {
  const { device, events, pace, health, moves, reports, reroute, outbox, inbox, housekeeping } = parts;
  device.reload();
  events.reload();
  pace.reload();
  health.reload();
  moves.reload();
  reports.reload();
  reroute.reload();
  outbox.reload();
  inbox.reload();
  housekeeping.reload();
}
