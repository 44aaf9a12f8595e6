/**
 * Small buffers are slices of a pool that the whole process shares, 64 KiB by default. The client's cache of recent messages
 * holds a few such slices of each message for minutes, and each slice keeps its whole pool in memory. Import this before
 * anything else: an existing pool is used up first.
 */
Buffer.poolSize = 8 * 1024;
