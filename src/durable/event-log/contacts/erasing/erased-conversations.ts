import { addressesOfErased, type ErasedPerson } from './erase-calls.ts';

/** What belongs to a conversation, beside its messages. */
const tables = [
  'conversation_notes',
  'conversation_mentions',
  'conversation_activity',
  'conversation_labels',
  'assistant_memories',
  'archived_conversations',
  'conversations',
];

/** Deletes the conversations with somebody, their notes included; how many there were. Call inside a transaction. */
export function eraseConversations(
  sql: SqlStorage,
  person: ErasedPerson,
): { conversations: number; notes: number } {
  const addresses = JSON.stringify(addressesOfErased(person));
  const theirs = 'IN (SELECT value FROM json_each(?1))';
  const found = sql
    .exec<{ id: string }>(
      `SELECT conversation_id AS id FROM conversations WHERE group_id IS NULL AND (phone ${theirs} OR lid ${theirs})
       UNION SELECT conversation_id FROM archived_conversations WHERE phone ${theirs} OR lid ${theirs}`,
      addresses,
    )
    .toArray();
  // What a list shows of a group that they were the last to write in.
  sql.exec(
    `UPDATE conversations SET last = json_set(last, '$.text', '') WHERE group_id IS NOT NULL AND last IS NOT NULL
       AND EXISTS (SELECT 1 FROM messages AS m WHERE m.id = last_message AND m.peer ${theirs})`,
    addresses,
  );
  let notes = 0;
  for (const { id } of found) {
    const count = 'SELECT count(*) AS n FROM conversation_notes WHERE conversation_id = ?';
    notes += sql.exec<{ n: number }>(count, id).one().n;
    // A turn that goes on ends first; its conversation is gone.
    const turns = 'conversation_id = ? AND ended_at IS NOT NULL';
    sql.exec(`UPDATE assistant_turns SET question = '', reply = NULL, detail = NULL WHERE ${turns}`, id);
    // What is archived of it waits for the erasure to come to the archive.
    sql.exec("UPDATE archived_pasts SET conversation_id = '' WHERE conversation_id = ?", id);
    for (const table of tables) sql.exec(`DELETE FROM ${table} WHERE conversation_id = ?`, id);
  }
  return { conversations: found.length, notes };
}
