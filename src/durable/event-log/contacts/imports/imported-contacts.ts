export const importedContactsSql = `
  -- Who came in by which import, new or known before: a campaign may be for them.
  CREATE TABLE imported_contacts (
    import_id TEXT NOT NULL,
    contact_id TEXT NOT NULL,
    PRIMARY KEY (import_id, contact_id)
  ) WITHOUT ROWID;
`;

/** Who came in by which import. */
export class ImportedContacts {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Call inside the transaction that takes them. */
  add(importId: string, contactIds: readonly string[]): void {
    this.#sql.exec(
      'INSERT OR IGNORE INTO imported_contacts SELECT ?, value FROM json_each(?)',
      importId,
      JSON.stringify(contactIds),
    );
  }

  /** Contacts of an import behind `after`, by their ids. */
  page(importId: string, after: string | null, limit: number): string[] {
    return this.#sql
      .exec<{ contact_id: string }>(
        'SELECT contact_id FROM imported_contacts WHERE import_id = ? AND contact_id > ? ORDER BY contact_id LIMIT ?',
        ...[importId, after ?? '', limit],
      )
      .toArray()
      .map(({ contact_id }) => contact_id);
  }

  /** One contact becomes a part of another one. Call inside that transaction, before it goes. */
  pass(fromId: string, toId: string): void {
    this.#sql.exec(
      `INSERT OR IGNORE INTO imported_contacts
       SELECT i.import_id, ? FROM contact_imports AS i
       WHERE EXISTS (SELECT 1 FROM imported_contacts AS c WHERE c.import_id = i.import_id AND c.contact_id = ?)`,
      ...[toId, fromId],
    );
  }

  /** Call inside the transaction in which the contact goes. */
  forget(contactId: string): void {
    this.#sql.exec(
      'DELETE FROM imported_contacts WHERE contact_id = ? AND import_id IN (SELECT import_id FROM contact_imports)',
      contactId,
    );
  }
}
