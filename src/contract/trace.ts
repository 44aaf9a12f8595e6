/** A trace as the W3C's Trace Context writes it (version 00): trace id, the id of who called, flags. */
const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const noTrace = '0'.repeat(32);
const nobody = '0'.repeat(16);

/**
 * The header `traceparent` of a request, in the form of version 00; undefined where there is none, or none that is valid:
 * the standard wants it ignored then. Of a later version the parts that this one knows are taken.
 */
export function readTraceparent(header: string | null | undefined): string | undefined {
  const [, version, traceId, parentId, flags = '', more] = form.exec(header?.trim() ?? '') ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  if (traceId === noTrace || parentId === nobody) return undefined;
  // The only flag of version 00: sampled.
  const isSampled = (Number.parseInt(flags, 16) & 1) === 1;
  return `00-${traceId}-${parentId}-${isSampled ? '01' : '00'}`;
}

/** The id of the trace that it belongs to: 32 hexadecimal digits. */
export const traceIdOf = (traceparent: string): string => traceparent.slice(3, 35);

/** The header of a call that is made on behalf of it: the same trace, and an id of its own. */
export function childTraceparent(traceparent: string): string {
  const id = [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(16).padStart(2, '0'));
  return `00-${traceIdOf(traceparent)}-${id.join('')}-${traceparent.slice(-2)}`;
}

/** What a line of the log says of the trace of a message; nothing where it has none. */
export const traceFields = ({ traceparent }: { traceparent?: string | undefined }): { traceId?: string } =>
  traceparent === undefined ? {} : { traceId: traceIdOf(traceparent) };
