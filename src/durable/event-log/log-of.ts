/**
 * The log that has an account's messages, events and deliveries. Everything gets it here, since an account may have several logs
 * one day.
 */
export function logOf(env: Pick<Env, 'EVENT_LOG'>, accountId: string) {
  return env.EVENT_LOG.getByName(accountId);
}
