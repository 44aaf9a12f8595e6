import type { BinaryNode } from '@whiskeysockets/baileys';

interface BoomLike {
  /** The network's code, or the element that holds it. */
  data?: number | BinaryNode | null;
}

/** The network's own code in an error of the client; null where the error is not the network's answer. */
export function networkCode(error: unknown): number | null {
  const { data } = (error ?? {}) as BoomLike;
  const code = typeof data === 'number' ? data : Number(data?.attrs?.code);
  return Number.isFinite(code) ? code : null;
}
