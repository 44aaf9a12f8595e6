/*
 * Preloaded into every process that `npm start` starts. When the supervisor is gone, by whatever signal, its end of
 * the channel closes, and this process must not keep ports or files from the next start. Nothing is lost by leaving
 * at once: each part is built for kill -9.
 */
process.once('disconnect', () => process.exit(1));
// The channel was closed before this line ran.
if (process.env.NODE_CHANNEL_FD !== undefined && !process.connected) process.exit(1);

export {};
