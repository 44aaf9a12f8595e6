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
  '479': 'The network found the message malformed (479).',
  '500': 'The network failed to take the message (500).',
  '503': 'The network is not available for this message (503).',
};

/** A sentence for a person about a send that the network refused. */
export function sendRefusal(errorCode: string): string {
  return sentences[errorCode] ?? `The network refused the message (${errorCode}).`;
}
