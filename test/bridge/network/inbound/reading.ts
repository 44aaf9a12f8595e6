import { inboundMessageSchema } from '../../../../src/contract/bridge-frames.ts';
import { readMessage } from '../../../../src/session-bridge/network/inbound/read-message.ts';

const own = { phoneNumber: '628100000001', lid: '900000000001' };

/** What the bridge reports of a plaintext from a contact, as it stands in a frame. */
export async function inboundFactOf(plaintext: Uint8Array, attrs: Record<string, string> = {}) {
  const node = {
    tag: 'message',
    attrs: { id: 'A1', t: '1769851800', from: '628200000002@s.whatsapp.net', ...attrs },
  };
  const message = await readMessage(node, plaintext, own, async (lid) =>
    lid === '900000000009' ? '628200000009' : null,
  );
  return message && inboundMessageSchema.parse(JSON.parse(JSON.stringify(message)));
}
