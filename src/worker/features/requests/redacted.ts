import { shortNumber } from '../../../durable/log.ts';

const depthMax = 6;
const itemsMax = 20;
const fieldsMax = 40;
const nameCharactersMax = 64;
/** A body that is larger than this after all is not kept. */
const charactersMax = 2_000;

/** Of these fields only the presence is told, whatever stands in them. */
const secretName = /secret|password|token|authorization|cookie|credential|signature|api_?key|^key$|^code$/i;
/** Fields that hold words of a closed list, or names of ours. */
const wordFields = new Set([
  'type',
  'status',
  'direction',
  'method',
  'mode',
  'action',
  'actions',
  'events',
  'event',
  'scopes',
  'scope',
  'role',
  'kind',
  'kinds',
  'by',
  'limit',
  'dryRun',
  'onPinFailure',
  'mimetype',
  'path',
  'filter',
  'cap',
]);
const id = /^((msg|evt|req)_)?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const time = /^\d{4}-\d{2}-\d{2}T[\d:.]{5,15}(Z|[+-]\d{2}:?\d{2})$/;
const word = /^[\w.:/*-]{1,64}$/;
const manyDigits = /\d{7,}/g;

/**
 * The part of a request or answer that may be stored: its shape, ids, times and words from closed lists. No text, secret or whole
 * phone number.
 */
export function redacted(value: unknown): unknown {
  const kept = reduced(value, null, 0);
  return JSON.stringify(kept ?? null).length > charactersMax ? '[too large to be kept]' : kept;
}

/** A sentence of ours, in which a phone number may be quoted. */
export const redactedSentence = (sentence: string): string => sentence.replaceAll(manyDigits, shortNumber);

function reduced(value: unknown, name: string | null, depth: number): unknown {
  if (name !== null && secretName.test(name)) return '[secret]';
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Math.abs(value) < 10_000_000 ? value : '[number]';
  if (typeof value === 'string') return reducedText(value, name);
  if (typeof value !== 'object') return undefined;
  // Their names are told; what stands in them is mostly credentials.
  if (name === 'headers' && !Array.isArray(value)) {
    const names = Object.keys(value).slice(0, fieldsMax).map(reducedName);
    return Object.fromEntries(names.map((header) => [header, '[secret]']));
  }
  if (depth === depthMax) return '[deeper]';
  if (Array.isArray(value)) {
    const items = value.slice(0, itemsMax).map((item) => reduced(item, name, depth + 1));
    return value.length > itemsMax ? [...items, `[${value.length - itemsMax} more]`] : items;
  }
  const fields = Object.entries(value).slice(0, fieldsMax);
  return Object.fromEntries(
    fields.map(([field, item]) => [reducedName(field), reduced(item, field, depth + 1)]),
  );
}

const reducedName = (name: string) => redactedSentence(name.slice(0, nameCharactersMax));

function reducedText(text: string, name: string | null): string {
  if (id.test(text) || time.test(text)) return text;
  if (name !== null && wordFields.has(name) && word.test(text)) return redactedSentence(text);
  const digits = text.replaceAll(/[\s()+-]/g, '');
  if (/^\d{7,20}$/.test(digits)) return shortNumber(digits);
  return `[${text.length} characters]`;
}
