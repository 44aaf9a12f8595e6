import Papa from 'papaparse';
import {
  type AttributeType,
  attributeOfText,
  attributeProblem,
  type ContactAttributes,
} from '../../../../../contract/contacts/attributes.ts';
import { attributeTargetOf, type RowRefusal } from '../../../../../contract/contacts/import.ts';
import { ownValue } from '../../../../../contract/given.ts';
import type {
  FileShape,
  FileSlice,
  ImportedContact,
  SliceAsked,
} from '../../../../../durable/event-log/contacts/imports/import-rows.ts';
import { unguardedCell } from '../../../../http/answer/csv.ts';
import { readPhoneNumberOf } from '../../../messages/sending/recipient.ts';
import { judgeContact, type RawContact } from '../../judge-contact.ts';
import { cellText, labelsIn } from './csv-shape.ts';

/** Rows of one slice: they are one transaction of the log. */
const sliceRowsMax = 500;

/** A row that was refused, with its cells as they stand in the file. */
export interface RefusedRow extends RowRefusal {
  cells: string[];
}

interface ParsedRows {
  data: string[][];
  errors: { row?: number; message: string }[];
  meta: { cursor: number };
}

interface Read {
  contacts: ImportedContact[];
  refused: RefusedRow[];
  /** Digits of which only the account can say whether it knows somebody by them. */
  doubtful: string[];
  /** Bytes that were read, and rows. */
  bytes: number;
  rows: number;
}

/**
 * Reads the rows at the beginning of `text`, in which each character is a byte. A row that may continue after the end is left
 * for later. `known`: digits under which the account knows somebody although they are in no numbering plan.
 */
export function readRows(
  text: string,
  isEnd: boolean,
  asked: SliceAsked,
  known: ReadonlySet<string> = new Set(),
): Read {
  const { delimiter, newline } = asked.shape;
  const parser = new Papa.Parser({
    delimiter,
    newline,
    quoteChar: '"',
    fastMode: false,
    preview: sliceRowsMax,
  } as never);
  const parsed = parser.parse(text, 0, !isEnd) as ParsedRows;
  const broken = new Map(parsed.errors.map(({ row, message }) => [row, message]));
  const contacts: ImportedContact[] = [];
  const refused: RefusedRow[] = [];
  const doubtful: string[] = [];
  let row = asked.row;
  for (const [index, raw] of parsed.data.entries()) {
    const cells = raw.map((cell) => cellText(cell));
    // The end of a line that is ended in two characters.
    const last = cells.length - 1;
    cells[last] = (cells[last] ?? '').replace(/\r$/, '');
    if (cells.every((cell) => cell.trim() === '')) continue;
    row += 1;
    const judged = judgeRow(cells, asked, broken.get(index), { known, doubtful });
    if ('path' in judged) refused.push({ row, ...judged, cells });
    else contacts.push(judged);
  }
  return { contacts, refused, doubtful, bytes: parsed.meta.cursor, rows: row - asked.row };
}

type Refused = Omit<RowRefusal, 'row'>;
const refusedFor = (path: string, message: string): Refused => ({ code: 'VALIDATION_ERROR', path, message });

function judgeRow(
  cells: readonly string[],
  asked: SliceAsked,
  problem: string | undefined,
  { known, doubtful }: { known: ReadonlySet<string>; doubtful: string[] },
): ImportedContact | Refused {
  const { shape, mapping, defaultCountry, types } = asked;
  if (problem !== undefined)
    return refusedFor('row', 'Its quotes do not match: what follows may have been read as part of it.');
  if (cells.length > shape.columns.length) {
    return refusedFor('row', `It has ${cells.length} cells, but there are ${shape.columns.length} columns.`);
  }
  const raw: RawContact & { attributes: ContactAttributes } = { phoneNumber: '', attributes: {} };
  for (const [column, target] of Object.entries(mapping)) {
    const cell = unguardedCell((cells[shape.columns.indexOf(column)] ?? '').trim());
    if (!cell.isWellFormed() || cell.includes('\0')) return refusedFor(target, 'Not valid text.');
    const attribute = attributeTargetOf(target);
    if (attribute !== null) {
      if (cell === '') continue;
      const read = readAttribute(attribute, cell, types);
      if ('message' in read) return refusedFor(`attributes.${attribute.name}`, read.message);
      raw.attributes[attribute.name] = read.value;
    } else if (target === 'phoneNumber') raw.phoneNumber = firstOf(cell);
    else if (target === 'name') raw.name = cell;
    else if (target === 'timeZone') raw.timeZone = cell;
    else raw.labels = labelsIn(cell);
  }
  const { perhaps } = readPhoneNumberOf(raw.phoneNumber, defaultCountry);
  if (perhaps !== null) doubtful.push(perhaps);
  const judged = judgeContact(raw, defaultCountry, known);
  if (judged.ok) return judged.contact;
  const { code, path, message } = judged;
  return { code, path, message };
}

/** Google writes several phone numbers of somebody in one cell. */
const firstOf = (cell: string): string => cell.split(' ::: ')[0] ?? '';

function readAttribute(
  { name, type }: { name: string; type: AttributeType | null },
  cell: string,
  types: SliceAsked['types'],
): { value: string | number | boolean } | { message: string } {
  const known = ownValue(types, name) ?? type ?? 'text';
  const value = attributeOfText(known, cell);
  return value === null ? { message: attributeProblem(known) } : { value };
}

/** The slice that the rows are, behind the place that was asked for. */
export function sliceOf(read: Read, asked: { place: number; row: number; shape: FileShape }): FileSlice {
  const place = asked.place + read.bytes;
  return {
    contacts: read.contacts,
    refused: read.refused.map(({ cells: _, ...refusal }) => refusal),
    place,
    row: asked.row + read.rows,
    isLast: place >= asked.shape.bytes,
  };
}
