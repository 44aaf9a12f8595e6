/** Where the account is used from: as it was first told, and kept. Null while nobody has said. */
export function locationHint(
  sql: SqlStorage,
  told: DurableObjectLocationHint | null,
): DurableObjectLocationHint | null {
  if (told !== null) sql.exec('INSERT OR IGNORE INTO location (id, hint) VALUES (1, ?)', told);
  const row = sql.exec<{ hint: DurableObjectLocationHint }>('SELECT hint FROM location').toArray()[0];
  return row?.hint ?? null;
}
