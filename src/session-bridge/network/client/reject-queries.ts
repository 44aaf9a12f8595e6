import type { WASocket } from '@whiskeysockets/baileys';
import { connectionCodes } from '../connection/disconnect-reasons.ts';

/**
 * Rejects every waiting query when the connection has ended. A client that ends its own connection, as after a stream error,
 * first removes the listeners of its queries (Baileys 7.0.0-rc14, `end` in `Socket/socket.js`). The queries, and with them the
 * number's next messages, would wait for a minute.
 */
export function rejectQueries({ ws }: WASocket): void {
  const closed = Object.assign(new Error('Connection Closed'), {
    output: { statusCode: connectionCodes.closed },
  });
  ws.emit('error', closed);
}
