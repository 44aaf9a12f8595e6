import { inboundMessageSchema } from '../../../../src/contract/bridge/bridge-frames.ts';
import { messageChangeSchema } from '../../../../src/contract/messages/changes.ts';
import { readMessage } from '../../../../src/session-bridge/network/inbound/read-message.ts';

const own = { phoneNumber: '628100000001', lid: '900000000001' };

/** What the bridge understands of a plaintext, from a contact where `attrs` do not say otherwise. */
function readingOf(plaintext: Uint8Array, attrs: Record<string, string> = {}) {
  const node = {
    tag: 'message',
    attrs: { id: 'A1', t: '1769851800', from: '628200000002@s.whatsapp.net', ...attrs },
  };
  return readMessage(node, plaintext, own, async (lid) => (lid === '900000000009' ? '628200000009' : null));
}

/** The message that the bridge reports of it, as it stands in a frame; null where it reports none. */
export async function inboundFactOf(plaintext: Uint8Array, attrs: Record<string, string> = {}) {
  const reading = await readingOf(plaintext, attrs);
  if (reading?.kind !== 'message') return null;
  return inboundMessageSchema.parse(JSON.parse(JSON.stringify(reading.message)));
}

/** The change that the bridge reports of it, as it stands in a frame; null where it reports none. */
export async function changeFactOf(plaintext: Uint8Array, attrs: Record<string, string> = {}) {
  const reading = await readingOf(plaintext, attrs);
  if (reading?.kind !== 'change') return null;
  return messageChangeSchema.parse(JSON.parse(JSON.stringify(reading.change)));
}

/** What the bridge names of it where it is neither a message nor a change. */
export async function nothingOf(plaintext: Uint8Array) {
  const reading = await readingOf(plaintext);
  return reading?.kind === 'nothing' ? reading.what : null;
}
