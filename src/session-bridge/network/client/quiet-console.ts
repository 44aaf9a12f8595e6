/**
 * The Signal library prints session objects, private ratchet keys included, through the console. Nothing in a bridge
 * speaks through it: everything that is to be said goes through the log. Import this before anything else.
 */
const silence = () => {};
for (const method of ['log', 'info', 'warn', 'error', 'debug', 'trace', 'dir'] as const)
  console[method] = silence;
