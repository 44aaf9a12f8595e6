import { ApiError } from '../../../sdk/index.ts';

/** What was asked for to prove who it is was wrong. */
export const isWrongPassword = (error: unknown): boolean =>
  error instanceof ApiError &&
  error.code === 'FORBIDDEN' &&
  error.details.some((detail) => 'path' in detail && /password$/i.test(String(detail.path)));
