import { APICallError } from 'ai';
import { expect, test } from 'vitest';
import {
  failureDetail,
  failureOf,
} from '../../../../src/worker/features/assistants/thinking/failure-words.ts';
import { ModelProblem } from '../../../../src/worker/features/assistants/thinking/model.ts';

const answered = (statusCode: number | undefined, responseHeaders = {}) =>
  new APICallError({
    ...{ message: 'No.', url: 'https://models.example.com/', requestBodyValues: {}, responseHeaders },
    ...(statusCode !== undefined && { statusCode }),
  });

test.each([400, 401, 402, 403, 404, 422])('a provider that answers %i is not asked again', (status) => {
  expect(failureOf(answered(status))).toEqual({ outcome: 'failed', isFinal: true });
});

test.each([undefined, 200, 408, 429, 500, 503, 529])(
  'a provider that answers %s is asked again',
  (status) => {
    expect(failureOf(answered(status))).toEqual({ outcome: 'failed' });
  },
);

test('a provider is asked again after the wait that it names, unless its answer stands', () => {
  const wait = { 'retry-after': '40' };
  expect(failureOf(answered(429, wait))).toEqual({ outcome: 'failed', retryAfterMs: 40_000 });
  expect(failureOf(answered(401, wait))).toEqual({ outcome: 'failed', isFinal: true });
});

test('a model that cannot be asked at all is not asked again, and one whose answer cannot be used is', () => {
  const wrapped = (problem: ModelProblem) => new Error('Cannot connect to API', { cause: problem });
  expect(failureOf(wrapped(new ModelProblem('The provider redirects.')))).toMatchObject({ isFinal: true });
  const tooLarge = new ModelProblem('The answer of the model is too large.', false);
  expect(failureOf(wrapped(tooLarge))).toEqual({ outcome: 'failed' });
  expect(failureOf(new DOMException('late', 'TimeoutError'))).toEqual({ outcome: 'failed' });
});

test('of what a provider says, the key is shown nowhere', () => {
  const said = new APICallError({
    ...{ message: 'The key sk-1 is wrong: sk-1', url: '', requestBodyValues: {}, statusCode: 401 },
    data: {},
  });
  expect(failureDetail(said, 'sk-1')).toMatch(/It says: The key … is wrong: …$/);
});
