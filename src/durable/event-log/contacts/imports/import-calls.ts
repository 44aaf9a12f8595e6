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
 * What a stateless entrypoint of the Worker does for an import: it reads the file a few rows at a time and judges them,
 * which would take the log's own time and memory. It stores the refused rows, under a name that follows from their place, so
 * that a repeat changes nothing.
 */
export interface ImportCalls {
  slice(asked: SliceAsked): Promise<FileSlice>;
  /** The file is in: it is not needed any more. */
  forget(accountId: string, importId: string): Promise<void>;
}
