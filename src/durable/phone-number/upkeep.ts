import { linkCloseCodes, unknownOutcomeCode } from '../../contract/bridge/bridge-frames.ts';
import { clockSlackMs, endOfWait } from '../due-times.ts';
import { outboundRecord } from '../event-log/facts.ts';
import { log } from '../log.ts';
import type { NamedTimer } from '../named-timers.ts';
import { afterLogout, type Device, disconnected, logoutEndsAt, withoutBridge } from './device/device.ts';
import type { NumberParts } from './number-parts.ts';
import type { QueuedMessage } from './queue/queue.ts';

/** How long a bridge may be gone before its number counts as disconnected: a restart takes less. */
const linkGraceMs = 30_000;
/** How long one may take that is to pair a number, or to connect it again. Somebody waits for that. */
const takeOverMs = 5_000;
/** While something about a deleted number is still untold. */
const removalRetryMs = 5_000;

interface UpkeepTies {
  storage: DurableObjectStorage;
  /** After each commit. */
  settle: () => void;
  /** A socket is gone. */
  noteLinkLoss: () => void;
  /** Tells the bridge what the session is to do. */
  instruct: () => Promise<void>;
}

/** What time brings to a number: when each step is due follows from its state. */
export function upkeepTimers(parts: NumberParts, ties: UpkeepTies): NamedTimer[] {
  const { device, vault, dispatch, queue, returns, news, notes, health, link, outbox, housekeeping, lease } =
    parts;
  const { groupSync, inboundMedia } = parts;
  const { storage } = ties;
  return [
    { name: 'expiry', dueAt: () => expiryDueAt(parts), run: then((now) => expire(parts, storage, now)) },
    {
      name: 'unanswered',
      dueAt: () => unansweredDueAt(parts),
      run: then((now) => failUnanswered(parts, storage, now)),
    },
    { name: 'ack', dueAt: () => dispatch.ackDueAt(), run: then(passUnacknowledged) },
    { name: 'link', dueAt: linkDueAt, run: then(missLink) },
    // A rest is over, a day has begun, a wait has ended: what was held may be free.
    { name: 'turn', dueAt: () => dispatch.dueAt(device.current), run: ties.settle },
    { name: 'facts', dueAt: unlessEmptied(() => news.changesAt()), run: ties.settle },
    { name: 'media', dueAt: unlessEmptied(() => inboundMedia.dueAt()), run: ties.settle },
    { name: 'returns', dueAt: () => returns.dueAt(device.current, Date.now()), run: ties.settle },
    {
      name: 'housekeeping',
      dueAt: unlessEmptied(() => housekeeping.dueAt()),
      wakesAt: unlessEmptied(() => housekeeping.wakesAt()),
      run: (now) => housekeeping.sweep(now),
    },
    { name: 'log', dueAt: () => outbox.dueAt(), run: () => outbox.flush() },
    { name: 'news', dueAt: () => news.dueAt(Date.now()), run: () => news.tell() },
    {
      name: 'groups',
      dueAt: unlessEmptied(() => groupSync.dueAt()),
      run: (now) => groupSync.run(now),
    },
    { name: 'lease', dueAt: () => lease.dueAt(), run: () => lease.tell() },
    { name: 'vault', dueAt: unlessEmptied(() => device.current?.keptUntil ?? null), run: forgetKeys },
    { name: 'logout', dueAt: () => device.current && logoutEndsAt(device.current), run: giveUpLogout },
    { name: 'removal', dueAt: removalDueAt, run: then(finishRemoval) },
  ];

  /** Of a number that was deleted nothing is left to look after. */
  function unlessEmptied(dueAt: () => number | null): () => number | null {
    return () => (device.current?.isEmptied ? null : dueAt());
  }

  /** A change, and what follows a commit. */
  function then(change: (now: number) => void): (now: number) => void {
    return (now) => {
      change(now);
      ties.settle();
    };
  }

  function passUnacknowledged(now: number): void {
    const { dropped, unanswered } = dispatch.dropOverdue(now);
    log('send.unacknowledged', { numberId: device.known.numberId, messages: dropped });
    for (let message = 0; message < unanswered; message += 1) health.note({ kind: 'unanswered' }, now);
    if (link.closeSilent(now)) ties.noteLinkLoss();
  }

  function linkDueAt(): number | null {
    const current = device.current;
    if (current === null || current.linkLostAt === null) return null;
    const isLost = current.state === 'connected';
    if (!isLost && withoutBridge(current) === current) return null;
    const waitMs = isLost ? linkGraceMs : takeOverMs;
    return endOfWait(current.linkLostAt + waitMs, waitMs + clockSlackMs);
  }

  function missLink(now: number): void {
    const { known } = device;
    const isLost = known.state === 'connected';
    device.change(
      isLost ? disconnected(known, 'bridge_lost', known.linkLostAt ?? now) : withoutBridge(known),
      now,
    );
  }

  /** Nobody has lifted the ban: what the number was linked with is of no use any more. */
  function forgetKeys(): void {
    storage.transactionSync(() => {
      vault.clear();
      device.note({ ...device.known, keptUntil: null });
    });
  }

  /** The network has not taken the device off its phone in all that time: somebody has to do that on the phone. */
  async function giveUpLogout(now: number): Promise<void> {
    const { known } = device;
    log('device.logout_unconfirmed', { numberId: known.numberId, state: known.state });
    storage.transactionSync(() => {
      vault.clear();
      device.change(afterLogout(known, 'logout_unconfirmed', now), now);
    });
    ties.settle();
    await ties.instruct();
  }

  function removalDueAt(): number | null {
    const current = device.current;
    if (!current || current.removedAt === null || current.isEmptied || current.desired !== 'none')
      return null;
    return isTold() ? current.removedAt : Date.now() + removalRetryMs;
  }

  /** Nothing is left that somebody else has yet to be told. */
  function isTold(): boolean {
    return lease.isKnown && outbox.isEmpty && notes.isEmpty && queue.all.length === 0;
  }

  /** The last step of a deleted number: the link closes, and what it knew goes. What tells a late repeat stays for good. */
  function finishRemoval(): void {
    if (!isTold()) return;
    link.close(linkCloseCodes.gone, 'the number was deleted');
    storage.transactionSync(() => {
      for (const table of ['vault', 'chats', 'health_changes', 'groups', 'inbound_media'])
        storage.sql.exec(`DELETE FROM ${table}`);
      device.note({ ...device.known, pairing: null, isEmptied: true });
    });
    health.reload();
  }
}

/** How long after its time a waiting message ends: a bridge with a slower clock has returned it by then. */
const expirySlackMs = 5_000;
/** How long the last facts of a session that has ended may take to come in. */
const lastAnswersMs = 30_000;
const unknownOutcome =
  'It was handed to the network and never acknowledged: whether it arrived is not known.';

type FailuresParts = Pick<NumberParts, 'device' | 'queue' | 'outbox' | 'dispatch' | 'returns' | 'health'>;

/** When the first message of the queue is over its time; null when there is none. */
function expiryDueAt({ queue }: FailuresParts): number | null {
  const first = queue.firstExpiry();
  return first === null ? null : first + expirySlackMs;
}

/** What is over its time ends: what never left goes back to the account, of the rest nobody knows whether it arrived. */
function expire(parts: FailuresParts, storage: DurableObjectStorage, now: number): void {
  const over = parts.queue.all.filter(({ expiresAt }) => expiresAt + expirySlackMs <= now);
  storage.transactionSync(() => {
    for (const message of over) {
      if (message.handedTo === null) parts.returns.giveBack(message, 'expired');
      else failUnknown(parts, message, now);
    }
  });
}

/** When messages without an answer end whose session is gone for good; null when there are none. */
function unansweredDueAt({ device, queue, health }: FailuresParts): number | null {
  if (!isOver(device.current) || queue.all.every(({ handedTo }) => handedTo === null)) return null;
  return (health.unavailableSince ?? device.current?.removedAt ?? 0) + lastAnswersMs;
}

/** Ends what was handed over and has no answer, once there is no session left that could bring one. */
function failUnanswered(parts: FailuresParts, storage: DurableObjectStorage, now: number): void {
  const unanswered = parts.queue.all.filter(({ handedTo }) => handedTo !== null);
  storage.transactionSync(() => {
    for (const message of unanswered) failUnknown(parts, message, now);
  });
}

const isOver = (device: Device | null): boolean =>
  device?.state === 'logged_out' || device?.state === 'banned' || device?.removedAt != null;

/** Call inside a transaction. */
function failUnknown(
  { queue, outbox, dispatch, device }: FailuresParts,
  message: QueuedMessage,
  at: number,
): void {
  queue.remove(message);
  dispatch.resolved(message.providerMessageId);
  outbox.add([
    {
      kind: 'message.failed',
      message: outboundRecord(message, device.known),
      at,
      errorMessage: unknownOutcome,
      errorCode: unknownOutcomeCode,
    },
  ]);
}
