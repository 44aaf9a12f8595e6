/**
 * Whether a server that has answered so may answer otherwise a little later, since it is busy or broken. Any other refusal stands,
 * for example that of a wrong key: it is told at once, and is not asked for again.
 */
export const mayPass = (statusCode: number): boolean =>
  isBroken(statusCode) || statusCode === 429 || statusCode === 408;

/** All that is tried again of what receivers of webhooks answer: the contract says that their 4xx are final without exception. */
export const isBroken = (statusCode: number): boolean => statusCode >= 500;
