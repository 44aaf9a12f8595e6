/** The client logs stanzas, keys and addresses; what matters of it is logged by the session in its own words. */
export const silentLogger = {
  level: 'silent',
  child: () => silentLogger,
  trace: () => {},
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
};
