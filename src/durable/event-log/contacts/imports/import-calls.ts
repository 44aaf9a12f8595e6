import type { AttributeType, ContactAttributes } from '../../../../contract/contacts/attributes.ts';
import type { ColumnMapping, RowRefusal } from '../../../../contract/contacts/import.ts';

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
 * What a stateless entrypoint of the Worker does for an import, so that it takes no time and memory of the log: it reads the file
 * a few rows at a time, and checks them. It stores refused rows under a name made from their position, so a repeat changes
 * nothing.
 */
export interface ImportCalls {
  slice(asked: SliceAsked): Promise<FileSlice>;
  /** The import is done: deletes its file. */
  forget(accountId: string, importId: string): Promise<void>;
}
