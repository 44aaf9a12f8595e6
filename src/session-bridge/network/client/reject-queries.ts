import type { WASocket } from '@whiskeysockets/baileys';
import { connectionCodes } from '../connection/disconnect-reasons.ts';

/**
 * Rejects every query that still waits, once the connection is over. A client that ends its connection by itself, as after a
 * stream error, first takes away the listeners by which its queries would hear of that (Baileys 7.0.0-rc14, `end` in
 * `Socket/socket.js`): they would wait for a minute, and with them the number's next messages.
 */
export function rejectQueries({ ws }: WASocket): void {
  const closed = Object.assign(new Error('Connection Closed'), {
    output: { statusCode: connectionCodes.closed },
  });
  ws.emit('error', closed);
}
