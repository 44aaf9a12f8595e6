import type { AttributeType, ContactAttributes } from '../../../../contract/contacts/attributes.ts';
import {
  type ColumnMapping,
  type ImportStatus,
  type RowRefusal,
  refusedShownMax,
} from '../../../../contract/contacts/import.ts';
import { fieldsOf, insertRow, type RowOf, rowOf, Tables } from '../../../storage/rows.ts';

/** A row that is fit to be a contact. */
export interface ImportedContact {
  phoneNumber: string;
  name?: string;
  labels: string[];
  attributes: ContactAttributes;
  timeZone?: string;
}

/** How a file is written, as its beginning has told. */
export interface FileShape {
  bytes: number;
  columns: string[];
  delimiter: string;
  newline: string;
  /** The byte at which its first contact begins. */
  start: number;
}

/** What is to be read next of a file. */
export interface SliceAsked {
  accountId: string;
  importId: string;
  shape: FileShape;
  mapping: ColumnMapping;
  defaultCountry: string | null;
  types: Record<string, AttributeType>;
  /** From this byte on, which begins a row. */
  place: number;
  /** Rows before it. */
  row: number;
}

export interface FileSlice {
  contacts: ImportedContact[];
  refused: RowRefusal[];
  /** Behind its last row. */
  place: number;
  row: number;
  isLast: boolean;
  /** The file cannot be read any further, and why. */
  problem?: string;
}

/**
 * The part of an import that a stateless entrypoint of the Worker does, so that it takes no time and memory of the log: it
 * reads the file a few rows at a time, and checks them. It stores refused rows under a name made from their position, so a
 * repeat changes nothing.
 */
export interface ImportCalls {
  slice(asked: SliceAsked): Promise<FileSlice>;
  /** The import is over: deletes its file. To say it again changes nothing. */
  forget(accountId: string, importId: string): Promise<void>;
}

/** What is known of an import from its beginning. */
export interface ImportAbout {
  consentSource: string;
  /** Labels for everybody in it. */
  labels: string[];
  fileName: string | null;
  defaultCountry: string | null;
  mapping: ColumnMapping;
  /** Null: it came as JSON, and is whole. */
  shape: FileShape | null;
}

/** Times are milliseconds since 1970. */
export interface ContactImport {
  importId: string;
  status: ImportStatus;
  about: ImportAbout;
  createdAt: number;
  finishedAt: number | null;
  /** Bytes of the file, and its rows, that are done. */
  place: number;
  row: number;
  created: number;
  updated: number;
  refusedCount: number;
  /** All that came as JSON; of a file the first of them, and in a list too. */
  refused: RowRefusal[];
  /** Why it has failed. */
  problem: string | null;
}

/** `parts`: of earlier code. */
type Row = RowOf<ContactImport> & { parts: number };

const withFirstRefused = (it: ContactImport): ContactImport => ({
  ...it,
  refused: it.refused.slice(0, refusedShownMax),
});

/** The imports of an account. */
export class ImportRows extends Tables {
  find(importId: string): ContactImport | null {
    return this.#read('import_id = ?', importId)[0] ?? null;
  }

  /** Newest first, one more than `limit` where there are more; behind the import `before`. */
  page(limit: number, before: string | null): ContactImport[] {
    const order = 'ORDER BY created_at DESC, import_id DESC LIMIT ?';
    const behind =
      '(created_at, import_id) < (SELECT created_at, import_id FROM contact_imports WHERE import_id = ?)';
    const found =
      before === null
        ? this.#read(`true ${order}`, limit + 1)
        : this.#read(`${behind} ${order}`, before, limit + 1);
    return found.map(withFirstRefused);
  }

  /** Those that go on, the oldest first. */
  running(): ContactImport[] {
    return this.#read("status = 'running' ORDER BY created_at, import_id");
  }

  put(it: ContactImport): void {
    // The refused rows of a file stand in files of their own. Those of JSON stand nowhere else.
    const row = rowOf(it.about.shape === null ? it : withFirstRefused(it));
    insertRow(this.sql, 'INSERT OR REPLACE INTO contact_imports', row);
  }

  #read(condition: string, ...values: SqlStorageValue[]): ContactImport[] {
    return this.queryAll<Row>(`SELECT * FROM contact_imports WHERE ${condition}`, ...values).map(
      ({ parts, ...row }) => fieldsOf<ContactImport>(row, ['about', 'refused']),
    );
  }
}

export const importedContactsSql = `
  -- Who came in by which import, new or known before: a campaign may be for them.
  CREATE TABLE imported_contacts (
    import_id TEXT NOT NULL,
    contact_id TEXT NOT NULL,
    PRIMARY KEY (import_id, contact_id)
  ) WITHOUT ROWID;
`;

/** Who came in by which import. */
export class ImportedContacts extends Tables {
  /** Call inside the transaction that takes them. */
  add(importId: string, contactIds: readonly string[]): void {
    this.sql.exec(
      'INSERT OR IGNORE INTO imported_contacts SELECT ?, value FROM json_each(?)',
      importId,
      JSON.stringify(contactIds),
    );
  }

  /** Contacts of an import behind `after`, by their ids. */
  page(importId: string, after: string | null, limit: number): string[] {
    return this.queryValues<string>(
      'SELECT contact_id FROM imported_contacts WHERE import_id = ? AND contact_id > ? ORDER BY contact_id LIMIT ?',
      ...[importId, after ?? '', limit],
    );
  }

  /** Call inside the transaction in which the contact goes. */
  forget(contactId: string): void {
    this.sql.exec(
      'DELETE FROM imported_contacts WHERE contact_id = ? AND import_id IN (SELECT import_id FROM contact_imports)',
      contactId,
    );
  }
}
