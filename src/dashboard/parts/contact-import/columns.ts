import Papa from 'papaparse';
import { exportedOnly, usualColumns } from '../../../contract/contacts/headings.ts';
import type { ContactAttribute } from '../../../sdk/index.ts';

/** So much of a file is looked at for its preview. */
const headBytes = 65_536;
const rowsShown = 4;

export interface FileHead {
  columns: string[];
  /** The first rows. */
  rows: string[][];
}

/** How the file begins; null: it has no first line. */
export async function readHead(file: File): Promise<FileHead | null> {
  const bytes = await file.slice(0, headBytes).arrayBuffer();
  const text = decoded(bytes);
  const declared = /^\ufeff?"?sep=([,;\t|])"?\r?\n?/i.exec(text);
  const { data } = Papa.parse<string[]>(declared === null ? text : text.slice(declared[0].length), {
    preview: rowsShown + 1,
    skipEmptyLines: 'greedy',
    ...(declared?.[1] !== undefined && { delimiter: declared[1] }),
  });
  const [columns, ...rows] = data;
  if (columns === undefined || columns.every((column) => column.trim() === '')) return null;
  return { columns: columns.map((column) => column.trim()), rows };
}

/** What is no UTF-8 is what spreadsheets on Windows write; the end may be cut within a character. */
function decoded(bytes: ArrayBuffer): string {
  const [first, second] = new Uint8Array(bytes);
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes, { stream: true });
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes, { stream: true });
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** Where a column goes: nowhere, a field, an attribute that is known, or a new one of a type. */
export type Target = string;
export const nowhere = '';

const types = ['text', 'number', 'boolean', 'date'] as const;

/** What a new attribute of this column would be called. */
function attributeName(column: string): string {
  const words = column
    .replace(/^attributes\./, '')
    .normalize('NFKD')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .replaceAll(/^[^A-Za-z]+|_+$/g, '');
  return words.slice(0, 50) || 'column';
}

/** The type that all the cells of the preview would fit. */
function typeOf(cells: readonly string[]): (typeof types)[number] {
  const filled = cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
  if (filled.length === 0) return 'text';
  if (filled.every((cell) => /^[+-]?\d{1,15}(\.\d+)?$/.test(cell))) return 'number';
  if (filled.every((cell) => /^(true|false|yes|no)$/i.test(cell))) return 'boolean';
  return filled.every((cell) => /^\d{4}-\d{2}-\d{2}/.test(cell)) ? 'date' : 'text';
}

/** Where the columns go until somebody says otherwise: each place is taken once. */
export function firstTargets({ columns, rows }: FileHead, known: readonly ContactAttribute[]): Target[] {
  const taken = new Set<Target>();
  const fields = Object.entries(usualColumns(columns));
  return columns.map((column, index) => {
    const usual = fields.find(([, place]) => place === index)?.[0];
    const name = attributeName(column);
    const isKnown = known.some((attribute) => attribute.name === name);
    const attribute = isKnown
      ? `attributes.${name}`
      : `attributes.${name}:${typeOf(rows.map((row) => row[index] ?? ''))}`;
    const target =
      usual ?? (column === '' || exportedOnly.some((name) => name === column) ? nowhere : attribute);
    const place = target.split(':')[0] ?? '';
    if (place !== nowhere && taken.has(place)) return nowhere;
    taken.add(place);
    return target;
  });
}

/** What a column may be, besides a field: each of the account's attributes, and a new one of each type. */
export function attributeTargets(column: string, known: readonly ContactAttribute[]) {
  const name = attributeName(column);
  const isKnown = known.some((attribute) => attribute.name === name);
  return {
    known: known.map((attribute) => ({ value: `attributes.${attribute.name}`, name: attribute.name })),
    fresh:
      isKnown || column === ''
        ? []
        : types.map((type) => ({ value: `attributes.${name}:${type}`, name, type })),
  };
}

export function mappingOf(columns: readonly string[], targets: readonly Target[]): Record<string, string> {
  const mapped = columns.flatMap((column, index) => {
    const target = targets[index] ?? nowhere;
    return target === nowhere ? [] : [[column, target] as const];
  });
  return Object.fromEntries(mapped);
}

/** Two columns that go to the same place, or no phone number: what is wrong, if anything is. */
export function mappingProblem(targets: readonly Target[]): 'noPhoneNumber' | 'twice' | null {
  const places = targets.filter((target) => target !== nowhere).map((target) => target.split(':')[0]);
  if (!places.includes('phoneNumber')) return 'noPhoneNumber';
  return new Set(places).size === places.length ? null : 'twice';
}
