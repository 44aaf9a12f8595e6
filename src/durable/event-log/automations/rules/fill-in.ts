import type { ContactFacts } from './trigger-event.ts';

/** Whom a text is for. */
export interface FilledFor {
  contact: ContactFacts | null;
  phoneNumber: string | null;
}

const placeholder = /\{\{\s*([A-Za-z][\w.]*)\s*(?:\|([^{}]*))?\}\}/g;

/**
 * A text with `{{name}}`, `{{phone}}` and `{{attributes.x}}` filled in; `{{name|there}}` says what stands there where
 * nothing is known. What is filled in is not looked at again.
 */
export function fillIn(text: string, { contact, phoneNumber }: FilledFor): string {
  return text.replaceAll(placeholder, (whole, name: string, otherwise: string | undefined) => {
    const value = valueFor(name, contact, phoneNumber);
    if (value === undefined) return whole;
    return value === null || value === '' ? (otherwise ?? '').trim() : String(value);
  });
}

/** Undefined: there is no such variable, and the text stays as it was written. */
function valueFor(name: string, contact: ContactFacts | null, phoneNumber: string | null) {
  if (name === 'name') return contact?.name ?? null;
  if (name === 'phone') return phoneNumber;
  if (name.startsWith('attributes.')) return contact?.attributes[name.slice('attributes.'.length)] ?? null;
  return undefined;
}
