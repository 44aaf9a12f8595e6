/**
 * Why there was no answer, for a person, as far as the runtime tells. workerd 1.20260918 was tried: a host that refuses or
 * breaks off is "Network connection lost."; a name that is not known and a certificate that is not trusted are both
 * "internal error; reference = …", and only its log has the rest. The platform answers with a status of its own instead:
 * {@link statusMeaning}.
 */
export function connectionFailure(error: unknown, url: string): string {
  const message = error instanceof Error ? error.message : '';
  if (message.startsWith('Network connection lost'))
    return 'The connection failed: nothing listens there, or it broke off before an answer.';
  if (!message.startsWith('internal error')) return 'The connection failed.';
  return url.startsWith('https:')
    ? 'The connection failed: the name of the host is not known, or its certificate is not trusted (self-signed, expired or for another name).'
    : 'The connection failed: the name of the host is not known.';
}

/** Statuses with which Cloudflare says what hindered it on the way to a host, in its own or in the receiver's place. */
const meanings: Record<number, string> = {
  520: 'what came was no answer',
  521: 'the connection was refused',
  522: 'the connection took too long',
  523: 'the host cannot be reached',
  524: 'there was no answer in time',
  525: 'the TLS handshake failed',
  526: 'the certificate is not trusted',
  530: 'the name of the host is not known',
};

/** `: <what it means>`, for a status that says what failed on the way; else nothing. */
export const statusMeaning = (status: number): string =>
  meanings[status] === undefined ? '' : `: ${meanings[status]}`;
