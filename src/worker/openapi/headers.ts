/** Response headers that the document describes. */
export const headers = {
  'X-Request-Id': {
    description: 'The ID of this request in our logs. Include it when you contact us.',
    schema: { type: 'string', pattern: '^req_[0-9a-f-]{36}$' },
    example: 'req_019ab0de-6f1c-7c4e-9d2b-3f8a5c7e1b42',
  },
  'Retry-After': {
    description: 'Seconds to wait before retrying.',
    schema: { type: 'integer', minimum: 1 },
    example: 1,
  },
  RateLimit: {
    description:
      'The limit that applied: `r` requests left, `t` seconds until more are available (IETF draft).',
    schema: { type: 'string' },
    example: '"key";r=0;t=1',
  },
  'RateLimit-Policy': {
    description: 'The policy behind it: `q` requests in `w` seconds (IETF draft).',
    schema: { type: 'string' },
    example: '"key";q=50;w=1',
  },
  'Idempotent-Replayed': {
    description:
      '`true` on the response to a repeat with the same `Idempotency-Key`: no second message was sent.',
    schema: { type: 'string', const: 'true' },
    example: 'true',
  },
  ETag: {
    description:
      'The version of the fields that a PATCH can change. Send it as `If-Match` with a PATCH: if someone else changed ' +
      'them first, the response is 409.',
    schema: { type: 'string' },
    example: '"mZ0cHk2Tn4oXw1yq5vB9aQ"',
  },
  'Set-Cookie': {
    description:
      'The refresh credential: HttpOnly, SameSite=Strict. It comes with `__Host-heliograph_device`, which says that ' +
      'someone has signed in on this device before.',
    schema: { type: 'string' },
    example: '__Host-heliograph_refresh=…; Path=/; HttpOnly; Secure; SameSite=Strict',
  },
} as const;
