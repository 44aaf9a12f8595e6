import { readdirSync, readFileSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { v7 } from 'uuid';

const rows = 5000;
/** A text of this many characters: a short notice with a link. */
const textCharacters = 120;

/**
 * Bytes that a message and its four deliveries take in D1, by the pages of a database with the real migrations.
 *
 * @param packed deliveries in a pack: what one batch of events has for one webhook, 1 when every event comes alone
 */
export function storedBytes(
  database: DatabaseSync,
  packed: number,
): { messageBytes: number; deliveriesBytes: number } {
  const folder = fileURLToPath(new URL('../migrations/', import.meta.url));
  for (const name of readdirSync(folder)
    .filter((it) => it.endsWith('.sql'))
    .sort()) {
    database.exec(readFileSync(`${folder}${name}`, 'utf8').replaceAll('--> statement-breakpoint', ''));
  }
  const [accountId, numberId, webhookId] = [v7(), v7(), v7()];
  const text = 'x'.repeat(textCharacters);
  const bytes = () => {
    const { page_count: pages } = database.prepare('PRAGMA page_count').get() as { page_count: number };
    const { page_size: size } = database.prepare('PRAGMA page_size').get() as { page_size: number };
    return pages * size;
  };
  const message = database.prepare(
    `INSERT INTO messages (account_id, message_id, direction, status, number_id, "to", "from", chat_type, message_type,
       text, provider_message_id, sender_source, queued_at, sent_at, delivered_at, read_at)
     VALUES (?, ?, 'outbound', 'read', ?, '628123456789', '628123456780', 'personal', 'text', ?, ?, 'pool', ?, ?, ?, ?)`,
  );
  const pack = database.prepare(
    `INSERT INTO delivery_packs (webhook_id, last_id, pack_id, first_id, events, deliveries) VALUES (?, ?, ?, ?, ?, ?)`,
  );
  const at = Date.now();
  const empty = bytes();
  database.exec('BEGIN');
  for (let row = 0; row < rows; row += 1) {
    message.run(accountId, `msg_${v7()}`, numberId, text, '3EB0C767D71D2A5F0B1C', at, at, at, at);
  }
  database.exec('COMMIT');
  const afterMessages = bytes();
  database.exec('BEGIN');
  const attempt = { at, statusCode: 200, durationMs: 31, error: null, responseSnippet: 'ok' };
  const statuses = ['queued', 'sent', 'delivered', 'read'];
  for (let row = 0; row < (rows * statuses.length) / packed; row += 1) {
    const deliveries = Array.from({ length: packed }, (_, index) => {
      const status = statuses[index % statuses.length];
      const data = {
        messageId: `msg_${v7()}`,
        numberId,
        providerMessageId: '3EB0C767D71D2A5F0B1C',
        status,
        deliveredAt: new Date(at).toISOString(),
        chat: '628123456789@s.whatsapp.net',
        recipient: '628123456789',
        isGroup: false,
      };
      const event = `message.${status}`;
      const body = { id: `evt_${v7()}`, event, timestamp: new Date(at).toISOString(), data };
      return { deliveryId: v7(), attempt, body };
    });
    const events = JSON.stringify([...new Set(deliveries.map(({ body }) => body.event))]);
    const [first, last] = [deliveries[0]?.deliveryId ?? '', deliveries.at(-1)?.deliveryId ?? ''];
    pack.run(webhookId, last, v7(), first, events, JSON.stringify(deliveries));
  }
  database.exec('COMMIT');
  return { messageBytes: (afterMessages - empty) / rows, deliveriesBytes: (bytes() - afterMessages) / rows };
}
