import { createHash } from 'node:crypto';

/** The name of a host's object: of any length and any characters, the host is no name. */
export const hostNameOf = (host: string): string => createHash('sha256').update(`host:${host}`).digest('hex');
