/** The closed list of refusals: code to HTTP status. A code that is not here cannot be answered. */
export const errorStatus = {
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
} as const;

export type ErrorCode = keyof typeof errorStatus;

/** A field of the request, as a dotted path (`image.url`), and what is wrong with it. */
export type ErrorDetail = { path: string; message: string } | Record<string, string | number>;

/** Something the caller can mend. A value, never thrown: it crosses object borders as it is and is rendered once. */
export interface Refusal {
  ok: false;
  code: ErrorCode;
  message: string;
  details?: ErrorDetail[];
  /** Seconds after which a repeat makes sense; becomes `Retry-After`. */
  retryAfterSeconds?: number;
}

/** Builds a refusal; `extra` carries details and the wait before a repeat. */
export function refuse(
  code: ErrorCode,
  message: string,
  extra: Pick<Refusal, 'details' | 'retryAfterSeconds'> = {},
): Refusal {
  return { ok: false, code, message, ...extra };
}

/** `VALIDATION_ERROR` that names what is wrong with each field; the values themselves are not repeated. */
export function invalidFields(details: ErrorDetail[]): Refusal {
  return refuse('VALIDATION_ERROR', 'The request is invalid: see details.', { details });
}

/** `VALIDATION_ERROR` for one field. */
export function invalidField(path: string, message: string): Refusal {
  return invalidFields([{ path, message }]);
}
