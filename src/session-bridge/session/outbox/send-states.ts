/**
 * Where a send stands:
 *
 * - `queued`: only here, certainly not on the network. `held`: the same, until a wait is over.
 * - `handing`: with the network's client, which has not answered. `severed`: the same, and the client's connection is gone.
 * - `handed`: written. The network's answer is awaited.
 * - `doubt`: may be on the network; the receipts of the next login will tell. `proving`: these receipts are in, and late ones are
 *   awaited for a short time.
 * - `again`: it may have been sent, and no sign of it has come. It may be sent again, under the same id. `heldAgain` and
 *   `handingAgain`: as `held` and `handing`.
 * - `overdue`: may be on the network, and it has expired. Only a sign of it on the network can still decide. It is in the journal
 *   alone.
 * - `judged`: the network refused it. Whether another address can be tried is being looked up.
 */
const openStates = [
  'queued',
  'held',
  'handing',
  'severed',
  'handed',
  'doubt',
  'proving',
  'again',
  'heldAgain',
  'handingAgain',
  'overdue',
  'judged',
] as const;
export type OpenSend = (typeof openStates)[number];
/** How a send ends. `returned`: it certainly never left, and goes nowhere from here. */
export type SettledSend = 'sent' | 'failed' | 'returned';
export type SendState = OpenSend | SettledSend;

/** What happens to a send. The five after `turn` are the answers of the network's client to a hand-over. */
export const sendEvents = [
  'turn',
  /** Written to the network. */
  'written',
  /** Certainly not written: it could not be prepared. */
  'unprepared',
  /** Certainly not written: the connection was gone. */
  'unconnected',
  /** Certainly not written: the network limits how often it may be asked. */
  'limited',
  /** May have been written. */
  'uncertain',
  /** What it waited for is over. */
  'due',
  /** It was tried as often as makes sense. */
  'exhausted',
  /** It must not leave any more. */
  'expired',
  /** The connection is gone. */
  'lost',
  /** The receipts that waited at the network are in. */
  'caughtUp',
  /** Nothing more leaves from here. */
  'drained',
  /** The network's acknowledgement, or a receipt. */
  'acknowledged',
  /** The network's refusal: final, or to be looked into. */
  'refused',
  'questioned',
  /** What was looked into: it may go another way, or not. */
  'pardoned',
  'condemned',
] as const;
export type SendEvent = (typeof sendEvents)[number];

type Steps = Partial<Record<SendEvent, SendState>>;

/** The network's outcome ends every send, whatever was assumed before. */
const answered = { acknowledged: 'sent', refused: 'failed' } as const satisfies Steps;
const inFlight = { ...answered, questioned: 'judged' } as const satisfies Steps;

/** All that can happen to a send; what is not here changes nothing. */
export const sendTransitions: Record<OpenSend, Steps> = {
  queued: { ...answered, turn: 'handing', expired: 'returned', lost: 'returned', drained: 'returned' },
  held: { ...answered, due: 'queued', lost: 'returned', drained: 'returned' },
  handing: {
    ...inFlight,
    written: 'handed',
    unprepared: 'held',
    exhausted: 'failed',
    unconnected: 'returned',
    limited: 'held',
    uncertain: 'doubt',
    lost: 'severed',
  },
  severed: {
    ...answered,
    written: 'doubt',
    unprepared: 'returned',
    exhausted: 'returned',
    unconnected: 'returned',
    limited: 'returned',
    uncertain: 'doubt',
  },
  handed: { ...inFlight, lost: 'doubt' },
  doubt: { ...answered, caughtUp: 'proving' },
  proving: { ...answered, due: 'again', exhausted: 'failed', lost: 'doubt' },
  again: { ...answered, turn: 'handingAgain', expired: 'overdue', lost: 'doubt' },
  heldAgain: { ...answered, due: 'again', lost: 'doubt' },
  handingAgain: {
    ...inFlight,
    written: 'handed',
    unprepared: 'doubt',
    exhausted: 'doubt',
    unconnected: 'doubt',
    limited: 'heldAgain',
    uncertain: 'doubt',
    lost: 'doubt',
  },
  overdue: answered,
  judged: { ...answered, pardoned: 'again', condemned: 'failed', lost: 'failed' },
};

export function isSettled(state: SendState): state is SettledSend {
  return state === 'sent' || state === 'failed' || state === 'returned';
}

/** The state after an event; the same one where the event changes nothing. */
export function afterEvent(state: SendState, event: SendEvent): SendState {
  return isSettled(state) ? state : (sendTransitions[state][event] ?? state);
}

/** It could not be prepared, and waits before that is tried again. */
export function isHeld(state: SendState): boolean {
  return state === 'held' || state === 'heldAgain';
}

/** The network may be reading it at this moment: a shutdown waits for the answer. */
export function isInFlight(state: SendState): boolean {
  return state === 'handing' || state === 'handingAgain' || state === 'handed' || state === 'judged';
}
