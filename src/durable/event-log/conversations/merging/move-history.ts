/**
 * Gives the rows of one conversation to another. If both have a row at one place, that of `from` gets the next free place behind
 * it: places follow from the time, so changes of one millisecond share theirs. Call inside a transaction.
 */
export function moveHistory(
  sql: SqlStorage,
  table: 'conversation_activity' | 'conversation_notes',
  from: string,
  to: string,
): void {
  const shared = sql
    .exec<{ id: number }>(
      `SELECT id FROM ${table} WHERE conversation_id = ?1
         AND id IN (SELECT id FROM ${table} WHERE conversation_id = ?2) ORDER BY id`,
      ...[from, to],
    )
    .toArray();
  for (const { id } of shared) {
    sql.exec(
      `UPDATE ${table} SET conversation_id = ?2, id =
         (SELECT min(taken.id) + 1 FROM ${table} AS taken WHERE taken.conversation_id IN (?1, ?2) AND taken.id >= ?3
           AND NOT EXISTS (SELECT 1 FROM ${table} AS next
             WHERE next.conversation_id IN (?1, ?2) AND next.id = taken.id + 1))
         WHERE conversation_id = ?1 AND id = ?3`,
      ...[from, to, id],
    );
  }
  sql.exec(`UPDATE ${table} SET conversation_id = ?2 WHERE conversation_id = ?1`, ...[from, to]);
}
