import { expect, test } from 'vitest';
import { childTraceparent, readTraceparent, traceFields, traceIdOf } from '../../../src/contract/trace.ts';

const [traceId, parentId] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7'];
const valid = `00-${traceId}-${parentId}-01`;

test('a trace is taken as it came; of a later version what is known of it', () => {
  expect(readTraceparent(valid)).toBe(valid);
  expect(readTraceparent(`cc-${traceId}-${parentId}-03-what-will-be`)).toBe(valid);
  expect(readTraceparent(`00-${traceId}-${parentId}-02`)).toBe(`00-${traceId}-${parentId}-00`);
});

test('what is no trace is ignored', () => {
  const wrong = [
    undefined,
    '',
    'made up',
    valid.toUpperCase(),
    `${valid}-more`,
    `ff-${traceId}-${parentId}-01`,
    `00-${'0'.repeat(32)}-${parentId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `00-${traceId}-${parentId}`,
    `${valid},${valid}`,
  ];
  expect(wrong.map(readTraceparent).filter((it) => it !== undefined)).toEqual([]);
});

test('a call on behalf of a trace belongs to it, under an id of its own', () => {
  const child = childTraceparent(valid);
  expect(readTraceparent(child)).toBe(child);
  expect(traceIdOf(child)).toBe(traceId);
  expect(child).not.toContain(parentId);
  expect(child.endsWith('-01')).toBe(true);
  expect([traceFields({ traceparent: child }), traceFields({})]).toEqual([{ traceId }, {}]);
});
