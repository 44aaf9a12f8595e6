import type { proto } from '@whiskeysockets/baileys';
import type { ContactCard } from '../../../../contract/messages/content.ts';
import { clipped } from './clipped.ts';

/** The lines of a vCard (RFC 6350): a line that begins with a blank goes on with the one before. */
const linesOf = (vcard: string) => vcard.replaceAll(/\r?\n[ \t]/g, '').split(/\r?\n/);

const unescaped = (value: string) =>
  value.replaceAll(/\\([\\,;nN])/g, (_, it) => (/n/i.test(it) ? '\n' : it));

interface Property {
  name: string;
  parameters: string;
  value: string;
}

function propertyOf(line: string): Property | null {
  const [, name, parameters = '', value] = /^(?:[\w-]+\.)?([\w-]+)((?:;[^:]*)?):(.*)$/.exec(line) ?? [];
  return name === undefined || value === undefined ? null : { name: name.toUpperCase(), parameters, value };
}

/** A card as far as the product knows one. The network's own digits come before what a person typed. */
export function readContactCard({ displayName, vcard }: proto.Message.IContactMessage): ContactCard {
  const properties = linesOf(vcard ?? '').flatMap((line) => propertyOf(line) ?? []);
  const first = (name: string) => properties.find((property) => property.name === name)?.value;
  const phones = properties.filter(({ name }) => name === 'TEL');
  const [phone] = phones;
  const digits = phones.flatMap(({ parameters }) => /;waid=(\d+)/i.exec(parameters)?.[1] ?? [])[0];
  const phoneNumber = digits ?? phone?.value.replaceAll(/\D/g, '');
  const organisation = unescaped(first('ORG') ?? '')
    .split(';')
    .filter(Boolean)
    .join(', ');
  return {
    name: clipped(displayName || unescaped(first('FN') ?? ''), 500),
    ...(phoneNumber && { phoneNumber: clipped(phoneNumber, 64) }),
    ...(organisation && { organisation: clipped(organisation, 500) }),
  };
}
