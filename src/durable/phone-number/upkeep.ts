import { linkCloseCodes } from '../../contract/bridge-frames.ts';
import { log, logFault } from '../log.ts';
import type { NamedTimer } from '../named-timers.ts';
import { migrateObject } from '../object-migrations.ts';
import { disconnected } from './device.ts';
import { phoneNumberMigrations } from './migrations.ts';
import { type NumberParts, reloadNumber } from './number-parts.ts';

/** How long a bridge may be gone before its number counts as disconnected: a restart takes less. */
const linkGraceMs = 30_000;
/** How long a deleted number waits for its session to be logged out. */
const removalGraceMs = 15_000;
/** While something about a deleted number is still untold. */
const removalRetryMs = 5_000;
/** How long the last facts of a session that has ended may take to come in. */
const lastAnswersMs = 30_000;
export const deletedReason = 'The number was deleted before the message could be sent.';

export interface UpkeepTies {
  storage: DurableObjectStorage;
  account: (accountId: string) => ReturnType<Env['ACCOUNT']['getByName']>;
  /** After each commit. */
  settle: () => void;
  /** The fleet gives the number to a bridge, or takes it from one, as the device wants it. */
  askFleet: () => Promise<void>;
}

/** What time brings to a number: when each step is due follows from its state. */
export function upkeepTimers(parts: NumberParts, ties: UpkeepTies): NamedTimer[] {
  const { device, relay, dispatch, messages, health, reports, reroute, outbox, moves, inbox, link } = parts;
  const { housekeeping } = parts;
  return [
    { name: 'relay-resend', dueAt: () => relay.resendAt(), run: () => relay.resend(relayFault) },
    { name: 'ack', dueAt: () => dispatch.ackDueAt(), run: passUnacknowledged },
    { name: 'expiry', dueAt: () => messages.expiryDueAt(), run: expire },
    { name: 'link', dueAt: linkDueAt, run: missLink },
    { name: 'turn', dueAt: () => dispatch.dueAt(device.current), run: ties.settle },
    { name: 'outlook', dueAt: () => reports.changesAt(), run: changeOutlook },
    { name: 'unanswered', dueAt: unansweredDueAt, run: failUnanswered },
    { name: 'reroute', dueAt: () => reroute.dueAt(device.current, Date.now()), run: moveAway },
    { name: 'report', dueAt: () => reports.dueAt(), run: () => reports.tell() },
    { name: 'inbox', dueAt: () => inbox.sweepDueAt(), run: (now) => inbox.sweep(now) },
    { name: 'housekeeping', dueAt: () => housekeeping.dueAt(), run: (now) => housekeeping.sweep(now) },
    { name: 'removal', dueAt: removalDueAt, run: finishRemoval },
  ];

  function passUnacknowledged(now: number): void {
    const dropped = dispatch.dropOverdue(now);
    log('send.unacknowledged', { numberId: device.known.numberId, messages: dropped });
    for (let message = 0; message < dropped; message += 1) health.note({ kind: 'unanswered' }, now);
    ties.settle();
  }

  /** A rest is over, a day has begun: what was held may be free. */
  function changeOutlook(): void {
    dispatch.lookAgain();
    ties.settle();
  }

  /** What a session that is gone for good has left without an answer: nothing can bring one any more. */
  function unansweredDueAt(): number | null {
    const state = device.current?.state;
    if ((state !== 'logged_out' && state !== 'banned') || outbox.unanswered(1).length === 0) return null;
    return (health.unavailableSince ?? 0) + lastAnswersMs;
  }

  function failUnanswered(): void {
    messages.failUnanswered(device.known);
    ties.settle();
  }

  async function moveAway(now: number): Promise<void> {
    const { accountId, numberId } = device.known;
    const before = reroute.movedCount;
    const account = ties.account(accountId);
    try {
      await reroute.ask(device.known, now, (moving) => account.reroute({ numberId, messages: moving }));
    } finally {
      // Deleted meanwhile: what no other number has taken cannot wait here.
      if (device.current?.removedAt != null) messages.failAll(deletedReason, device.known);
      dispatch.lookAgain();
      outbox.recount();
      if (reroute.movedCount > before) reports.forgetNoticed();
      ties.settle();
    }
  }

  function expire(now: number): void {
    // There is room again for today.
    reports.forgetNoticed();
    messages.expire(device.known.reason, device.known, now);
    ties.settle();
  }

  function linkDueAt(): number | null {
    const current = device.current;
    if (current?.state !== 'connected' || current.linkLostAt === null) return null;
    return current.linkLostAt + linkGraceMs;
  }

  function missLink(now: number): void {
    device.change(disconnected(device.known, 'bridge_lost', device.known.linkLostAt ?? now), now);
    ties.settle();
  }

  function removalDueAt(): number | null {
    const current = device.current;
    if (!current || current.removedAt === null) return null;
    if (current.desired !== 'none') return current.removedAt + removalGraceMs;
    return isTold() ? current.removedAt : Date.now() + removalRetryMs;
  }

  /** Nothing is left that somebody else has yet to be told. */
  function isTold(): boolean {
    return relay.isEmpty && reports.isTold && moves.count === 0;
  }

  /** The last step of a deleted number: the link closes, the lease ends, the storage is emptied. */
  async function finishRemoval(now: number): Promise<void> {
    const known = device.known;
    if (known.desired !== 'none') {
      log('device.removed_without_logout', { numberId: known.numberId, state: known.state });
      device.change({ ...known, desired: 'none' }, now);
      ties.settle();
    }
    await ties.askFleet();
    if (!isTold()) return;
    link.close(linkCloseCodes.gone, 'the number was deleted');
    await ties.storage.deleteAll();
    migrateObject(ties.storage, phoneNumberMigrations);
    reloadNumber(parts);
  }
}

export const relayFault = (error: unknown): void => logFault('relay.send_failed', error);
