/**
 * Small buffers are slices of a pool that all of the process shares, 64 KiB by default. The client's cache of recent
 * messages holds a few such slices of each message for minutes, and each of them holds its whole pool. Import this
 * before anything else: a pool lasts until it is used up.
 */
Buffer.poolSize = 8 * 1024;
