import { readdirSync, readFileSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { v7 } from 'uuid';

const rows = 5000;
/** A text of this many characters: a short notice with a link. */
const textCharacters = 120;

/** Bytes that a message and its four deliveries take in D1, by the pages of a database with the real migrations. */
export function storedBytes(database: DatabaseSync): { messageBytes: number; deliveriesBytes: number } {
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
  const delivery = database.prepare(
    `INSERT INTO deliveries (webhook_id, delivery_id, account_id, event_id, event, body, status, attempts)
     VALUES (?, ?, ?, ?, ?, ?, 'delivered', ?)`,
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
  const attempts = JSON.stringify([
    { at, statusCode: 200, durationMs: 31, error: null, responseSnippet: 'ok' },
  ]);
  for (let row = 0; row < rows; row += 1) {
    for (const event of ['queued', 'sent', 'delivered', 'read']) {
      const eventId = `evt_${v7()}`;
      const data = {
        messageId: `msg_${v7()}`,
        numberId,
        providerMessageId: '3EB0C767D71D2A5F0B1C',
        status: event,
        deliveredAt: new Date(at).toISOString(),
        chat: '628123456789@s.whatsapp.net',
        recipient: '628123456789',
        isGroup: false,
      };
      const body = { id: eventId, event: `message.${event}`, timestamp: new Date(at).toISOString(), data };
      delivery.run(webhookId, v7(), accountId, eventId, `message.${event}`, JSON.stringify(body), attempts);
    }
  }
  database.exec('COMMIT');
  return { messageBytes: (afterMessages - empty) / rows, deliveriesBytes: (bytes() - afterMessages) / rows };
}
