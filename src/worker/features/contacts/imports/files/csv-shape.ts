import Papa from 'papaparse';
import { usualColumns } from '../../../../../contract/contacts/headings.ts';
import type { ColumnMapping } from '../../../../../contract/contacts/import.ts';
import { invalidField, type Refusal, refuse } from '../../../../../contract/errors.ts';
import type { FileShape } from '../../../../../durable/event-log/contacts/imports/import-rows.ts';

const columnsMax = 200;
const utf8Mark = '\u00ef\u00bb\u00bf';

/** How a file is written. `head`: its first bytes, each a character. */
export function shapeOf(head: string, bytes: number): ({ ok: true } & FileShape) | Refusal {
  if (/^(\u00ff\u00fe|\u00fe\u00ff)/.test(head) || head.includes('\0')) {
    const message = 'Not a CSV file in UTF-8 or UTF-16. In a spreadsheet: save as "CSV UTF-8".';
    return refuse('UNSUPPORTED_MEDIA_TYPE', message, { details: [{ path: 'file', message }] });
  }
  const marked = head.startsWith(utf8Mark) ? utf8Mark.length : 0;
  // Spreadsheets in countries of the decimal comma say so in a line of its own.
  const separatorLine = /^"?sep=([,;\t|])"?\r?\n?/i.exec(head.slice(marked));
  const begin = marked + (separatorLine?.[0].length ?? 0);
  const text = head.slice(begin);
  // Nobody ends lines by a carriage return alone but very old programs, and they do it everywhere.
  const newline = text.includes('\n') ? '\n' : text.includes('\r') ? '\r' : '\n';
  const delimiter = separatorLine?.[1] ?? delimiterOf(text, newline);
  const isWhole = bytes <= head.length;
  const parsed = new Papa.Parser({
    delimiter,
    newline,
    quoteChar: '"',
    fastMode: false,
    preview: 1,
  } as never).parse(text, 0, !isWhole) as { data: string[][]; meta: { cursor: number } };
  const columns = (parsed.data[0] ?? []).map((cell) => cellText(cell).trim());
  if (columns.every((column) => column === '')) {
    return invalidField('file', 'Its first line must name the columns.');
  }
  if (columns.length > columnsMax) return invalidField('file', `It has more than ${columnsMax} columns.`);
  return { ok: true, bytes, columns, delimiter, newline, start: begin + parsed.meta.cursor };
}

/** What stands between the cells: whichever of the usual ones the first lines have most, outside of quotes. */
function delimiterOf(text: string, newline: string): string {
  const lines = text
    .replaceAll(/"(?:[^"]|"")*"/g, '')
    .split(newline)
    .slice(0, 1);
  const counts = [',', ';', '\t', '|'].map((mark) => ({
    mark,
    count: lines.join('').split(mark).length - 1,
  }));
  return counts.reduce((most, it) => (it.count > most.count ? it : most)).mark;
}

/** Where columns go of which nobody says: those that are called as a field usually is, or `attributes.<name>`. */
export function usualMapping(columns: readonly string[]): ColumnMapping {
  const fields = Object.entries(usualColumns(columns));
  const mapping: ColumnMapping = {};
  for (const [place, column] of columns.entries()) {
    const isAttribute = /^attributes\.[A-Za-z][A-Za-z0-9_]{0,49}$/.test(column);
    const target = isAttribute ? column : fields.find(([, at]) => at === place)?.[0];
    if (target !== undefined) mapping[column] = target;
  }
  return mapping;
}

/** Null: the mapping can be followed. */
export function mappingRefusal(mapping: ColumnMapping, columns: readonly string[]): Refusal | null {
  for (const column of Object.keys(mapping)) {
    const count = columns.filter((it) => it === column).length;
    if (count === 0) return invalidField(`mapping.${column}`, 'The file has no such column.');
    if (count > 1) return invalidField(`mapping.${column}`, `The file has ${count} columns of this name.`);
  }
  if (!Object.values(mapping).includes('phoneNumber')) {
    return invalidField('mapping', 'No column is the phoneNumber.');
  }
  return null;
}

/**
 * The text of a cell. Files are parsed as bytes, with one character for each byte, so that a position in the text is a
 * position in the file. If the bytes are not UTF-8, they are read in the encoding of spreadsheets on Windows.
 */
export function cellText(bytes: string): string {
  if (/^[\0-\x7f]*$/.test(bytes)) return bytes;
  const raw = Buffer.from(bytes, 'latin1');
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(raw);
  } catch {
    return new TextDecoder('windows-1252').decode(raw);
  }
}

/** What stands between the labels in a cell: ours, those of other programs, and that of Google's export. */
const separators = /[;,|]| ::: /;
/** A label that holds a separator or a quote stands in quotes, as a cell of a CSV file does. */
const labelInCell = / ::: |"(?:[^"]|"")*"|(?:(?! ::: )[^;,|])+/g;

/** The labels of a contact as one cell. */
export const labelCell = (labels: readonly string[]): string =>
  labels
    .map((label) =>
      separators.test(label) || /^\* |"/.test(label) ? `"${label.replaceAll('"', '""')}"` : label,
    )
    .join(';');

/** The labels in a cell. Google marks those of its own with an asterisk. */
export const labelsIn = (cell: string): string[] =>
  [...cell.matchAll(labelInCell)].flatMap(([found]) => {
    if (found === ' ::: ') return [];
    const label = found.trim();
    if (/^".*"$/s.test(label)) return label.slice(1, -1).replaceAll('""', '"');
    return label.replace(/^\* (?=\S)/, '');
  });
