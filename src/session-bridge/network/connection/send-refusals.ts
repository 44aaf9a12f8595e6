const sentences: Record<string, string> = {
  '400': 'The network found the message malformed (400).',
  '401': 'The network does not let this number send the message (401).',
  '403': 'The network does not allow this number to write there (403).',
  '404': 'The network does not know the recipient (404).',
  '406': 'The network does not accept the message (406).',
  '408': 'The network took too long to take the message (408).',
  '429': 'The network says that this number sends too much (429).',
  '463': 'The network restricts messages to new contacts for this number (463).',
  '475': 'The network found the encryption of the message out of date (475).',
  '479': 'The network found the encryption of the message stale (479).',
  '500': 'The network failed to take the message (500).',
  '503': 'The network is not available for this message (503).',
};

/** What may help where the network refused a message in a chat of two. */
export type Remedy = 'other address' | 'fresh sessions';

/** The remedy for a code of the network; once a message, and never the same again. */
export function remedyFor(errorCode: string): Remedy | null {
  if (errorCode === '463' || errorCode === '400') return 'other address';
  return errorCode === '479' ? 'fresh sessions' : null;
}

/** A sentence for a person about a send that the network refused. */
export function sendRefusal(errorCode: string): string {
  return sentences[errorCode] ?? `The network refused the message (${errorCode}).`;
}
