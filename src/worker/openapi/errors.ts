import type { ErrorCode } from '../../contract/errors.ts';
import { example } from './examples/example-values.ts';

interface ErrorDescription {
  /** When it is answered, as a list item of the response's description. */
  when: string;
  /** The message of the example. */
  message: string;
  details?: Record<string, string | number>[];
}

/** What each code means; a code missing here does not compile. */
const descriptions: Record<ErrorCode, ErrorDescription> = {
  INVALID_JSON: { when: 'the body is not JSON in UTF-8', message: 'The body is not valid JSON in UTF-8.' },
  VALIDATION_ERROR: {
    when:
      'the request is invalid: `details` name each problem; unknown fields and URLs over 8,192 characters are rejected ' +
      'too',
    message: 'The request is invalid: see details.',
    details: [{ path: 'name', message: 'This field is required.' }],
  },
  INVALID_API_KEY: {
    when: 'the API key is missing, malformed, unknown or revoked',
    message: 'The API key is missing, unknown or revoked.',
  },
  UNAUTHENTICATED: {
    when: 'the credential is missing, expired or invalid',
    message: 'Sign in: the token is missing, expired or invalid.',
  },
  QUOTA_EXCEEDED: {
    when:
      'the monthly quota is used up: `details` carry used, limit and resetAt; or there is no room for a file: `cap` is ' +
      '`storage`, used and limit are in bytes',
    message: 'The quota of 1000 messages a month is used up.',
    details: [{ used: 1000, limit: 1000, resetAt: '2026-02-01T00:00:00.000Z' }],
  },
  FORBIDDEN: {
    when:
      'the role does not allow it, the API key lacks the scope, or the request comes from an address that the key does ' +
      'not accept',
    message: 'Only an owner or an admin of the account can do this.',
  },
  SENDER_HINT_NOT_ALLOWED: {
    when: 'a key that is pinned to a number sent a `senderHint`',
    message: 'This API key is pinned to a number: leave senderHint out.',
    details: [{ path: 'senderHint', message: 'Not allowed with a pinned key.' }],
  },
  STEP_UP_REQUIRED: {
    when:
      'this action needs a recent confirmation: more than 10 minutes have passed since you signed in or confirmed. ' +
      'Call `POST /v1/auth/step-up` with your password or a code, then repeat the request',
    message: 'Confirm your identity with your password or a two-factor code, then repeat the request.',
    details: [{ confirmAt: '/v1/auth/step-up', withinSeconds: 600 }],
  },
  NOT_FOUND: {
    when: 'the account has no such resource',
    message: 'There is no such thing.',
  },
  IDEMPOTENCY_CONFLICT: {
    when: 'the `Idempotency-Key` was already used with another body',
    message: 'This Idempotency-Key was already used with another request.',
  },
  CONFLICT: {
    when: "the current state does not allow it, or the plan's limit is reached: `details` name the `cap`",
    message: 'The current state does not allow this.',
  },
  CURSOR_EXPIRED: {
    when: 'the event stream no longer goes back that far: `oldest` in `details` is the oldest valid cursor',
    message: 'The event stream no longer goes back that far.',
    details: [
      { path: 'after', message: 'Continue from `oldest`: earlier events are gone.', oldest: example.cursor },
    ],
  },
  PAYLOAD_TOO_LARGE: {
    when: 'the body is larger than 1 MiB, or the file is larger than its kind allows: `details` carry the limit',
    message: 'The body is larger than 1 MiB.',
    details: [{ path: 'body', message: 'The body is larger than 1 MiB.', bytesMax: 1_048_576 }],
  },
  UNSUPPORTED_MEDIA_TYPE: {
    when: 'the body is not `application/json`, or the bytes of a file do not match the claimed type',
    message: 'Send the body as application/json in UTF-8.',
  },
  RANGE_NOT_SATISFIABLE: {
    when: 'the `Range` starts beyond the end of the file',
    message: 'The file has 52113 bytes.',
  },
  RECIPIENT_INVALID: {
    when: '`to` is neither a phone number with country code nor a group id',
    message: 'Neither a phone number with country code nor a group ID.',
    details: [{ path: 'to', message: 'Neither a phone number with country code nor a group ID.' }],
  },
  RECIPIENT_IS_LID: {
    when: '`to` is a privacy alias, which cannot receive messages',
    message: 'This is a privacy alias, not a phone number: name the contact by contactId instead.',
    details: [
      {
        path: 'to',
        message: 'This is a privacy alias, not a phone number: name the contact by contactId instead.',
      },
    ],
  },
  RECIPIENT_NOT_ON_NETWORK: {
    when: '`to` is not registered on the network',
    message: 'This number is not registered on the network.',
    details: [{ path: 'to', message: 'This number is not registered on the network.' }],
  },
  RECIPIENT_FILTERED: {
    when:
      'a filter refuses `to`, the recipient has opted out, or is one of your own numbers: `details` name the `filter`, ' +
      'and the `numberId` if the filter belongs to one number',
    message: "The recipient's prefix is blocked.",
    details: [{ path: 'to', filter: 'blockPrefixes', message: "The recipient's prefix is blocked." }],
  },
  RATE_LIMITED: {
    when: 'too many requests: wait for `Retry-After`',
    message: 'This API key may send 50 requests a second.',
  },
  INTERNAL: {
    when: 'something went wrong on our side; it is logged under the request ID',
    message: 'Something went wrong on our side.',
  },
  SENDER_UNAVAILABLE: {
    when: 'the key is pinned with `strict`, and its number is disconnected, logged out or banned',
    message: 'The pinned number is disconnected.',
  },
  NO_HEALTHY_SENDER: {
    when: 'no number in the pool is connected and healthy',
    message: 'No number in the pool is connected and healthy.',
  },
};

/** What codes mean in an operation where they mean something else than elsewhere. */
export type OwnErrors = Partial<Record<ErrorCode, ErrorDescription>>;

/** Of what a number asks the network: no key is pinned. */
export const networkErrors: OwnErrors = {
  SENDER_UNAVAILABLE: {
    when:
      'the number is not connected, or the network did not answer in time; in the second case the change may have been ' +
      'made',
    message: 'The number is not connected, so the network cannot be asked.',
  },
};

export const whenAnswered = (code: ErrorCode, own: OwnErrors = {}): string =>
  (own[code] ?? descriptions[code]).when;

function exampleOf(code: string, { when, message, details }: ErrorDescription) {
  return {
    summary: `${when[0]?.toUpperCase()}${when.slice(1).replaceAll('`', '')}`,
    value: { error: { code, message, requestId: example.requestId, ...(details ? { details } : {}) } },
  };
}

/** `components.examples`: one error body a code. */
export const errorExamples = Object.fromEntries(
  Object.entries(descriptions).map(([code, description]) => [code, exampleOf(code, description)]),
);

/** The example of an operation: the shared one, unless the code means something of its own there. */
export function errorExample(code: ErrorCode, own: OwnErrors = {}): object {
  return own[code] ? exampleOf(code, own[code]) : { $ref: `#/components/examples/${code}` };
}

export const errorCodes = Object.keys(descriptions) as [ErrorCode, ...ErrorCode[]];
