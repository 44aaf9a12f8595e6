import { expect, test } from 'vitest';
import { refuse } from '../../../src/contract/errors.ts';
import { refusalBody, retryAfter } from '../../../src/worker/http/answer/refusal-body.ts';

test('nobody is told to come back before they may, or at once', () => {
  expect([0, 0.2, 1, 1.001, 59.5, 60].map(retryAfter)).toEqual(['1', '1', '1', '2', '60', '60']);
});

test('a refusal says what is wrong and under which id the log has it; without details it has none', () => {
  const plain = refuse('CONFLICT', 'It is there already.');
  const error = { code: 'CONFLICT', message: 'It is there already.', requestId: 'req_1' };
  expect(refusalBody(plain, 'req_1')).toEqual({ error });
  expect(refusalBody({ ...plain, details: [] }, 'req_1')).toEqual({ error });
  const details = [{ path: 'name', message: 'Taken.' }];
  expect(refusalBody({ ...plain, details }, 'req_1')).toEqual({ error: { ...error, details } });
});
