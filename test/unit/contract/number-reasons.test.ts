import { expect, test } from 'vitest';
import {
  type NumberReason,
  numberReasons,
  readReason,
  reasonSentence,
} from '../../../src/contract/numbers/reasons.ts';

test.for(Object.keys(numberReasons) as NumberReason[])(
  'The dashboard knows from its sentence why a number does not send: %s',
  (reason) => {
    const values = { until: '2026-11-27T10:00:00.000Z', count: '5', seconds: '15', failed: '11' };
    const found = readReason(reasonSentence(reason, values));
    expect(found?.reason).toBe(reason);
    expect(values).toMatchObject(found?.values ?? {});
    expect(reasonSentence(reason, found?.values)).not.toContain('undefined');
  },
);

test('A reason that is none of the list is left as it is', () => {
  expect(readReason('The moon is full.')).toBeNull();
  expect(readReason('5 messages in a row went wrong. Or more.')).toBeNull();
});
