import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  afterEvent,
  isSettled,
  type OpenSend,
  type SendEvent,
  type SendState,
  sendEvents,
  sendTransitions,
} from '../../../src/session-bridge/session/outbox/send-states.ts';

const events = fc.array(fc.constantFrom(...sendEvents), { maxLength: 40 });
const openStates = Object.keys(sendTransitions) as OpenSend[];
const answersOfClient: SendEvent[] = [
  'written',
  'unprepared',
  'unconnected',
  'limited',
  'uncertain',
  'exhausted',
];
const withClient: SendState[] = ['handing', 'severed', 'handingAgain'];

/** What is true of the network, told apart from the table: whether the message may be there. */
function* lives(sequence: readonly SendEvent[]) {
  let state: SendState = 'queued';
  let mayBeThere = false;
  let isProvenAbsent = true;
  for (const event of sequence) {
    const before = state;
    state = afterEvent(before, event);
    const isAnswer = withClient.includes(before) && answersOfClient.includes(event);
    if (isAnswer && (event === 'written' || event === 'uncertain')) {
      mayBeThere = true;
      isProvenAbsent = false;
    }
    // Receipts that came in without a sign of it, and the network's refusal, are what allows another hand-over.
    if (before === 'proving' && event === 'due') isProvenAbsent = true;
    if (before === 'judged') isProvenAbsent = true;
    yield { before, event, state, mayBeThere, isProvenAbsent };
  }
}

test('what may have reached the network is never given back as if it had not', () => {
  fc.assert(
    fc.property(events, (sequence) => {
      for (const { state, mayBeThere } of lives(sequence)) if (mayBeThere) expect(state).not.toBe('returned');
    }),
    { numRuns: 2_000 },
  );
});

test('what may have reached the network leaves again only after no sign of it came, or it was refused', () => {
  fc.assert(
    fc.property(events, (sequence) => {
      for (const { before, event, state, isProvenAbsent } of lives(sequence)) {
        if (event === 'turn' && state !== before) expect(isProvenAbsent).toBe(true);
      }
    }),
    { numRuns: 2_000 },
  );
});

test('what is settled stays as it is, whatever comes later', () => {
  fc.assert(
    fc.property(events, (sequence) => {
      let settled: SendState | null = null;
      for (const { state } of lives(sequence)) {
        if (settled) expect(state).toBe(settled);
        if (isSettled(state)) settled = state;
      }
    }),
  );
});

test.each(openStates)('the word of the network ends a send that is %s', (state) => {
  expect(afterEvent(state, 'acknowledged')).toBe('sent');
  expect(afterEvent(state, 'refused')).toBe('failed');
});

test.each(openStates)(
  'a send that is %s comes to an end when the session comes back, or waits for evidence alone',
  (state) => {
    let now: SendState = state;
    for (const event of ['uncertain', 'lost', 'written', 'caughtUp', 'due', 'expired'] as const) {
      now = afterEvent(now, event);
    }
    expect(isSettled(now) || now === 'overdue').toBe(true);
  },
);

test('every state can be reached, from a new message or from one that may have left elsewhere', () => {
  const reached = new Set<SendState>(['queued', 'doubt']);
  for (const state of reached) for (const event of sendEvents) reached.add(afterEvent(state, event));
  expect([...reached].toSorted()).toEqual([...openStates, 'failed', 'returned', 'sent'].toSorted());
});
