import type { BinaryNode } from '@whiskeysockets/baileys';

interface ClientError {
  output?: { statusCode?: number };
  /** The network's code, or the element that holds it. */
  data?: number | BinaryNode | null;
}

/** What the client takes an error of its own for, as one of `connectionCodes`. */
export const statusOf = (error: unknown): number | undefined =>
  (error as ClientError | null | undefined)?.output?.statusCode;

/** The network's own code in an error of the client; null where the error is not the network's answer. */
export function networkCode(error: unknown): number | null {
  const { data } = (error ?? {}) as ClientError;
  const code = typeof data === 'number' ? data : Number(data?.attrs?.code);
  return Number.isFinite(code) ? code : null;
}
