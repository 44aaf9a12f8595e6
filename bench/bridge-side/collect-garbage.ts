/* Preloaded into a process whose memory is measured: SIGUSR2 makes it give back what it can. Needs `--expose-gc`. */
process.on('SIGUSR2', () => {
  globalThis.gc?.();
  setTimeout(() => globalThis.gc?.(), 200);
});
