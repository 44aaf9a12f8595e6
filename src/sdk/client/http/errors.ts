import type { ErrorAnswer, ErrorCode } from '../generated/api-types.ts';

type Details = NonNullable<ErrorAnswer['error']['details']>;

/** What every error of the client is. */
export class HeliographError extends Error {
  override name = 'HeliographError';
}

/** There was no answer: the network failed, or it took longer than `timeoutMs`. */
export class ConnectionError extends HeliographError {
  override name = 'ConnectionError';
  /** The key that a send went out under: send it again under this key, and it is one message. */
  readonly idempotencyKey: string | undefined;

  constructor(message: string, options: { cause?: unknown; idempotencyKey?: string | undefined } = {}) {
    super(message, { cause: options.cause });
    this.idempotencyKey = options.idempotencyKey;
  }
}

/** No answer within `timeoutMs`. */
export class TimeoutError extends ConnectionError {
  override name = 'TimeoutError';
}

export interface ApiErrorFields {
  status: number;
  code: ErrorCode;
  message: string;
  requestId: string;
  details: Details;
  retryAfterSeconds: number | undefined;
  idempotencyKey: string | undefined;
}

/** The gateway refused. What kind of refusal it is, the class says, and exactly which one the `code`. */
export class ApiError extends HeliographError {
  override name = 'ApiError';
  readonly status: number;
  readonly code: ErrorCode;
  /** Quote it when you ask about this error. */
  readonly requestId: string;
  /** The fields at fault, or the figures behind the refusal. */
  readonly details: Details;
  /** Seconds after which a repeat makes sense, where the gateway said so. */
  readonly retryAfterSeconds: number | undefined;
  /** The key that a send went out under. */
  readonly idempotencyKey: string | undefined;

  constructor(fields: ApiErrorFields) {
    super(fields.message);
    this.status = fields.status;
    this.code = fields.code;
    this.requestId = fields.requestId;
    this.details = fields.details;
    this.retryAfterSeconds = fields.retryAfterSeconds;
    this.idempotencyKey = fields.idempotencyKey;
  }
}

/** The request is invalid: `details` names the fields. */
export class InvalidRequestError extends ApiError {
  override name = 'InvalidRequestError';
}

/** The credential is missing, wrong, expired or revoked. */
export class AuthenticationError extends ApiError {
  override name = 'AuthenticationError';
}

/** The credential is good, and may not do this. */
export class PermissionError extends ApiError {
  override name = 'PermissionError';
}

/** There is no such thing in this account. */
export class NotFoundError extends ApiError {
  override name = 'NotFoundError';
}

/** The state does not allow it. */
export class ConflictError extends ApiError {
  override name = 'ConflictError';
}

/** The idempotency key was used with another body. */
export class IdempotencyConflictError extends ConflictError {
  override name = 'IdempotencyConflictError';
}

/** The event stream no longer goes back to this cursor: what came before `oldest` is gone. */
export class CursorExpiredError extends ApiError {
  override name = 'CursorExpiredError';
  /** The oldest cursor that works. Whoever goes on from here has missed what lies between. */
  readonly oldest: string | undefined;

  constructor(fields: ApiErrorFields) {
    super(fields);
    const found: Record<string, unknown> = Object.assign({}, ...fields.details);
    if (typeof found.oldest === 'string') this.oldest = found.oldest;
  }
}

/** Nobody can be reached under `to`; the `code` says why. */
export class RecipientError extends ApiError {
  override name = 'RecipientError';
}

/** The monthly quota is used up, or there is no room for a file. */
export class QuotaExceededError extends ApiError {
  override name = 'QuotaExceededError';
  /** Messages accepted in this period; or bytes of files, where there is no `resetAt`. */
  readonly used: number | undefined;
  readonly limit: number | undefined;
  /** When the count begins anew; ISO 8601. */
  readonly resetAt: string | undefined;

  constructor(fields: ApiErrorFields) {
    super(fields);
    const figures: Record<string, unknown> = Object.assign({}, ...fields.details);
    if (typeof figures.used === 'number') this.used = figures.used;
    if (typeof figures.limit === 'number') this.limit = figures.limit;
    if (typeof figures.resetAt === 'string') this.resetAt = figures.resetAt;
  }
}

/** Too many requests, also after the retries. */
export class RateLimitError extends ApiError {
  override name = 'RateLimitError';
}

/** No number can send at the moment, also after the retries. */
export class SenderUnavailableError extends ApiError {
  override name = 'SenderUnavailableError';
}

/** Something went wrong on the gateway's side, also after the retries. */
export class ServerError extends ApiError {
  override name = 'ServerError';
}

/** The class of each code; a new code does not compile until it has one. */
const classes: Record<ErrorCode, new (fields: ApiErrorFields) => ApiError> = {
  INVALID_JSON: InvalidRequestError,
  VALIDATION_ERROR: InvalidRequestError,
  PAYLOAD_TOO_LARGE: InvalidRequestError,
  RANGE_NOT_SATISFIABLE: InvalidRequestError,
  UNSUPPORTED_MEDIA_TYPE: InvalidRequestError,
  INVALID_API_KEY: AuthenticationError,
  UNAUTHENTICATED: AuthenticationError,
  QUOTA_EXCEEDED: QuotaExceededError,
  FORBIDDEN: PermissionError,
  STEP_UP_REQUIRED: PermissionError,
  SENDER_HINT_NOT_ALLOWED: PermissionError,
  NOT_FOUND: NotFoundError,
  IDEMPOTENCY_CONFLICT: IdempotencyConflictError,
  CONFLICT: ConflictError,
  CURSOR_EXPIRED: CursorExpiredError,
  RECIPIENT_INVALID: RecipientError,
  RECIPIENT_IS_LID: RecipientError,
  RECIPIENT_NOT_ON_NETWORK: RecipientError,
  RECIPIENT_FILTERED: RecipientError,
  RATE_LIMITED: RateLimitError,
  INTERNAL: ServerError,
  SENDER_UNAVAILABLE: SenderUnavailableError,
  NO_HEALTHY_SENDER: SenderUnavailableError,
};

/** The error of an answer that is not 2xx; an answer that is none of the gateway's (a proxy's page) is told by its status. */
export function apiError(
  status: number,
  body: unknown,
  context: Pick<ApiErrorFields, 'retryAfterSeconds' | 'idempotencyKey'> & { requestId: string },
): ApiError {
  const { error } = (typeof body === 'object' && body !== null ? body : {}) as Partial<ErrorAnswer>;
  if (typeof error?.code !== 'string') {
    const Class = status >= 500 ? ServerError : ApiError;
    const message = `The gateway answered ${status} without saying why.`;
    return new Class({ ...context, status, code: 'INTERNAL', message, details: [] });
  }
  // A newer gateway may know codes that this client does not.
  const Class = classes[error.code] ?? (status >= 500 ? ServerError : ApiError);
  const { code, message, requestId, details = [] } = error;
  return new Class({ ...context, status, code, message, requestId, details });
}
