import type { Refusal } from '../../../contract/errors.ts';

/** The value of `Retry-After`. */
export const retryAfter = (seconds: number) => String(Math.max(1, Math.ceil(seconds)));

/** What an error looks like in an answer. */
export const refusalBody = ({ code, message, details }: Refusal, requestId: string) => ({
  error: { code, message, requestId, ...(details?.length ? { details } : {}) },
});
