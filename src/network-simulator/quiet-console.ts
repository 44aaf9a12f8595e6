/**
 * libsignal prints whole sessions, private ratchet keys included, through `console`. This module is imported before
 * anything that imports it, and makes those calls say nothing. `console.log` is left alone: libsignal does not use it.
 */
const silent = (): void => {};
console.info = silent;
console.warn = silent;
console.error = silent;
