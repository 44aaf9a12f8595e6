import { unknownOutcomeCode } from '../../../contract/bridge/bridge-frames.ts';
import type { Device } from '../device/device.ts';
import type { NumberParts } from '../number-parts.ts';
import { type QueuedMessage, recordOf } from './queue.ts';

/** How long after its time a waiting message ends: a bridge with a slower clock has returned it by then. */
const expirySlackMs = 5_000;
/** How long the last facts of a session that has ended may take to come in. */
const lastAnswersMs = 30_000;
const unknownOutcome =
  'It was handed to the network and never acknowledged: whether it arrived is not known.';

type FailuresParts = Pick<NumberParts, 'device' | 'queue' | 'outbox' | 'dispatch' | 'returns' | 'health'>;

/** When the first message of the queue is over its time; null when there is none. */
export function expiryDueAt({ queue }: FailuresParts): number | null {
  const first = queue.firstExpiry();
  return first === null ? null : first + expirySlackMs;
}

/** What is over its time ends: what never left goes back to the account, of the rest nobody knows whether it arrived. */
export function expire(parts: FailuresParts, storage: DurableObjectStorage, now: number): void {
  const over = parts.queue.all.filter(({ expiresAt }) => expiresAt + expirySlackMs <= now);
  storage.transactionSync(() => {
    for (const message of over) {
      if (message.handedTo === null) parts.returns.giveBack(message, 'expired');
      else failUnknown(parts, message, now);
    }
  });
}

/** When messages without an answer end whose session is gone for good; null when there are none. */
export function unansweredDueAt({ device, queue, health }: FailuresParts): number | null {
  if (!isOver(device.current) || queue.all.every(({ handedTo }) => handedTo === null)) return null;
  return (health.unavailableSince ?? 0) + lastAnswersMs;
}

/** Ends what was handed over and has no answer, once there is no session left that could bring one. */
export function failUnanswered(parts: FailuresParts, storage: DurableObjectStorage, now: number): void {
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
      message: recordOf(message, device.known),
      at,
      errorMessage: unknownOutcome,
      errorCode: unknownOutcomeCode,
    },
  ]);
}
