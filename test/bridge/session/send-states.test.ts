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

interface Life {
  state: SendState;
  /** What is true of the network, told apart from the table: whether the message may be there. */
  mayBeThere: boolean;
  isProvenAbsent: boolean;
}

/** New here, and one that another bridge may have handed to the network. */
const beginnings: Life[] = [
  { state: 'queued', mayBeThere: false, isProvenAbsent: true },
  { state: 'doubt', mayBeThere: true, isProvenAbsent: false },
];

function after({ state: before, mayBeThere, isProvenAbsent }: Life, event: SendEvent): Life {
  const state = afterEvent(before, event);
  const isAnswer = withClient.includes(before) && answersOfClient.includes(event);
  if (isAnswer && (event === 'written' || event === 'uncertain'))
    return { state, mayBeThere: true, isProvenAbsent: false };
  // Receipts that came in without a sign of it, and the network's refusal, are what allows another hand-over.
  const isProof = (before === 'proving' && event === 'due') || before === 'judged';
  return { state, mayBeThere, isProvenAbsent: isProvenAbsent || isProof };
}

/** Every step that any send can take, however long it lives. */
function everyStep(): { before: Life; event: SendEvent; next: Life }[] {
  const keyOf = (life: Life) => JSON.stringify(life);
  const lives = new Map(beginnings.map((life) => [keyOf(life), life]));
  const steps = [];
  for (const before of lives.values()) {
    for (const event of sendEvents) {
      const next = after(before, event);
      steps.push({ before, event, next });
      if (!lives.has(keyOf(next))) lives.set(keyOf(next), next);
    }
  }
  return steps;
}

test('what may have reached the network is never given back as if it had not', () => {
  const returns = everyStep().filter(({ next }) => next.state === 'returned');
  expect(returns.length).toBeGreaterThan(0);
  expect(returns.filter(({ before, next }) => before.mayBeThere || next.mayBeThere)).toEqual([]);
});

test('what may have reached the network leaves again only after no sign of it came, or it was refused', () => {
  const leaves = everyStep().filter(
    ({ before, event, next }) => event === 'turn' && next.state !== before.state,
  );
  expect(leaves.some(({ before }) => before.mayBeThere)).toBe(true);
  expect(leaves.filter(({ before }) => !before.isProvenAbsent)).toEqual([]);
});

test('what is settled stays as it is, whatever comes later', () => {
  const settled = everyStep().filter(({ before }) => isSettled(before.state));
  expect(new Set(settled.map(({ before }) => before.state)).size).toBe(3);
  for (const { before, next } of settled) expect(next.state).toBe(before.state);
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
