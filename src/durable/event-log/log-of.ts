/** The log that an account's messages, events and deliveries live in. All who need it ask here: one day an account may have several. */
export function logOf(env: Pick<Env, 'EVENT_LOG'>, accountId: string) {
  return env.EVENT_LOG.getByName(accountId);
}
