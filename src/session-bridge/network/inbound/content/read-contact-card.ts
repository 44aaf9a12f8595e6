import type { proto } from '@whiskeysockets/baileys';
import type { ContactCard } from '../../../../contract/messages/content.ts';
import { clipped } from './read-words.ts';

/**
 * The part of a card that the product supports: an entry for each of its phone numbers, or one without a number if it has
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

/**
 * Digits. The network's own parameter goes before what a person typed. An extension is dialled later, so it is not included.
 */
function phoneNumberOf(phone: VcardProperty): string {
  const own = parameterOf(phone, 'WAID')?.replaceAll(/\D/g, '');
  if (own) return clipped(own, 64);
  // RFC 3966: parameters follow the number, `;ext=` among them. People write "ext. 5", "x5", "#5", or a pause and it.
  const [number = ''] = phone.value.replace(/^\s*tel:/i, '').split(/[;,#x]|ext/i);
  return clipped(number.replaceAll(/\D/g, ''), 64);
}

/** A property of a vCard: `ORG;CHARSET=UTF-8:Shop;Desk`. */
interface VcardProperty {
  /** In upper case, without its group. */
  name: string;
  /** In upper case; a parameter may stand there several times. Those of vCard 2.1 without a name are of TYPE or ENCODING. */
  parameters: { name: string; value: string }[];
  /** Decoded, but for the escapes within it: {@link vcardTexts}. */
  value: string;
}

/** How many properties and characters of a card are read: real cards are far smaller. */
const propertiesMax = 1_000;
const charactersMax = 256 * 1024;

/**
 * The properties of the first card in a text, by the grammar of vCard 4.0 (RFC 6350), 3.0 (RFC 2426) and 2.1: folded
 * lines, groups, quoted parameters, quoted-printable with its soft line breaks, and base64. What is no property is left
 * out.
 */
function vcardProperties(vcard: string): VcardProperty[] {
  const lines = vcard
    .slice(0, charactersMax)
    .replaceAll(/\r\n?/g, '\n')
    // A line that begins with a space continues the one before.
    .replaceAll(/\n[ \t]/g, '')
    .split('\n');
  const properties: VcardProperty[] = [];
  for (let at = 0; at < lines.length && properties.length < propertiesMax; at += 1) {
    const property = propertyOf(lines[at] ?? '');
    if (property === null) continue;
    if (property.name === 'END') break;
    const encoding = parameterOf(property, 'ENCODING')?.toUpperCase();
    if (encoding === 'QUOTED-PRINTABLE') {
      while (property.value.endsWith('=') && at + 1 < lines.length) {
        at += 1;
        property.value = property.value.slice(0, -1) + lines[at];
      }
      property.value = decoded(quotedPrintable(property.value), property);
    } else if (encoding === 'B' || encoding === 'BASE64') {
      property.value = decoded(Buffer.from(property.value, 'base64'), property);
    }
    properties.push(property);
  }
  return properties;
}

/** The first of a property's parameters of that name. */
function parameterOf({ parameters }: VcardProperty, wanted: string): string | undefined {
  return parameters.find(({ name }) => name === wanted)?.value;
}

/** The parts of a value that has several, such as `ORG`, without escapes. */
function vcardTexts(value: string): string[] {
  const parts = value.match(/(?:\\.|[^\\;]|\\$)+/gs) ?? [];
  return parts.map((part) => part.replaceAll(/\\(.)/gs, (_, it: string) => (/n/i.test(it) ? '\n' : it)));
}

/** Names of parameters that vCard 2.1 leaves out, by their values; all others are types. */
const encodings = ['QUOTED-PRINTABLE', 'BASE64', '8BIT', '7BIT'];

function propertyOf(line: string): VcardProperty | null {
  // A colon within a quoted parameter does not end the parameters.
  const match = /^\s*(?:[\w-]+\.)?([\w-]+)((?:;(?:"[^"]*"|[^":;])*)*):(.*)$/s.exec(line);
  if (match === null) return null;
  const [, name = '', written = '', value = ''] = match;
  const parts = written.match(/;(?:"[^"]*"|[^":;])*/g) ?? [];
  const parameters = parts.map((part) => parameterIn(part.slice(1))).filter(({ value: said }) => said !== '');
  return { name: name.toUpperCase(), parameters, value };
}

function parameterIn(text: string): { name: string; value: string } {
  const [, name, value = text] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  const plain = value.trim().replaceAll(/^"|"$/g, '');
  const unnamed = encodings.includes(plain.toUpperCase()) ? 'ENCODING' : 'TYPE';
  return { name: name?.trim().toUpperCase() ?? unnamed, value: plain };
}

function quotedPrintable(text: string): Uint8Array {
  const bytes: number[] = [];
  for (const [part, hex] of text.matchAll(/=([0-9A-Fa-f]{2})|[^=]+|=/g)) {
    if (hex) bytes.push(Number.parseInt(hex, 16));
    else bytes.push(...Buffer.from(part, 'utf8'));
  }
  return Uint8Array.from(bytes);
}

function decoded(bytes: Uint8Array, property: VcardProperty): string {
  try {
    return new TextDecoder(parameterOf(property, 'CHARSET') ?? 'utf-8').decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}
