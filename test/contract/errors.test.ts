import { expect, test } from 'vitest';
import { errorStatus } from '../../src/contract/errors.ts';

test('the codes and their statuses are those of the contract', () => {
  expect(errorStatus).toEqual({
    INVALID_JSON: 400,
    VALIDATION_ERROR: 400,
    INVALID_API_KEY: 401,
    UNAUTHENTICATED: 401,
    QUOTA_EXCEEDED: 402,
    FORBIDDEN: 403,
    SENDER_HINT_NOT_ALLOWED: 403,
    STEP_UP_REQUIRED: 403,
    NOT_FOUND: 404,
    IDEMPOTENCY_CONFLICT: 409,
    CONFLICT: 409,
    CURSOR_EXPIRED: 410,
    PAYLOAD_TOO_LARGE: 413,
    UNSUPPORTED_MEDIA_TYPE: 415,
    RANGE_NOT_SATISFIABLE: 416,
    RECIPIENT_INVALID: 422,
    RECIPIENT_IS_LID: 422,
    RECIPIENT_NOT_ON_NETWORK: 422,
    RECIPIENT_FILTERED: 422,
    RATE_LIMITED: 429,
    INTERNAL: 500,
    SENDER_UNAVAILABLE: 503,
    NO_HEALTHY_SENDER: 503,
  });
});
