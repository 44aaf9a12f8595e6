/**
 * The Signal library prints session objects, with private ratchet keys, to the console. So the console is silenced: a bridge
 * only writes to its log. Import this before anything else.
 */
const silence = () => {};
for (const method of ['log', 'info', 'warn', 'error', 'debug', 'trace', 'dir'] as const)
  console[method] = silence;
