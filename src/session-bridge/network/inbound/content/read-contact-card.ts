import type { proto } from '@whiskeysockets/baileys';
import type { ContactCard } from '../../../../contract/messages/content.ts';
import { clipped } from './clipped.ts';
import { parameterOf, type VcardProperty, vcardProperties, vcardTexts } from './vcard.ts';

/**
 * A card as far as the product knows one: an entry for each of its phone numbers, and one without a number where it has
 * none.
 */
export function readContactCard({ displayName, vcard }: proto.Message.IContactMessage): ContactCard[] {
  const properties = vcardProperties(vcard ?? '');
  const textIn = (wanted: string) => properties.find(({ name }) => name === wanted)?.value ?? '';
  const fullName = vcardTexts(textIn('FN')).join(';') || nameIn(textIn('N'));
  const organisation = vcardTexts(textIn('ORG'))
    .map((part) => part.trim())
    .filter(Boolean)
    .join(', ');
  const card = {
    name: clipped(displayName || fullName, 500),
    ...(organisation && { organisation: clipped(organisation, 500) }),
  };
  const phones = properties.filter(({ name }) => name === 'TEL').map(phoneNumberOf);
  const phoneNumbers = [...new Set(phones.filter(Boolean))];
  if (phoneNumbers.length === 0) return [card];
  return phoneNumbers.map((phoneNumber) => ({ ...card, phoneNumber }));
}

/** `N` has the family name first, then the given and further ones, and what stands before and behind them. */
function nameIn(structured: string): string {
  const parts = structured.split(/(?<!\\);/).map((part) => vcardTexts(part).join(';').trim());
  const [family, given, further, before, behind] = parts;
  return [before, given, further, family, behind].filter(Boolean).join(' ');
}

/** Digits. The network's own come before what a person typed; an extension is dialled later, and is no part of them. */
function phoneNumberOf(phone: VcardProperty): string {
  const own = parameterOf(phone, 'WAID')?.replaceAll(/\D/g, '');
  if (own) return clipped(own, 64);
  // RFC 3966: parameters follow the number, `;ext=` among them. People write "ext. 5", "x5", "#5", or a pause and it.
  const [number = ''] = phone.value.replace(/^\s*tel:/i, '').split(/[;,#x]|ext/i);
  return clipped(number.replaceAll(/\D/g, ''), 64);
}
