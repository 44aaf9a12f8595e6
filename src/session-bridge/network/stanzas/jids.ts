import { type BinaryNode, isHostedLidUser, isLidUser, jidDecode, jidEncode } from '@whiskeysockets/baileys';

/** The account that is logged in, by the digits of its phone number and its privacy alias. */
export interface OwnAccount {
  phoneNumber: string | null;
  lid: string | null;
}

/** A person as the network wrote them: either form may be missing. */
export interface Person {
  phoneNumber: string | null;
  lid: string | null;
}

/** Digits of a network address without its device; null for anything else. */
export function userDigits(jid: string | undefined | null): string | null {
  return (jid && jidDecode(jid)?.user) || null;
}

export const phoneAddress = (phoneNumber: string): string => jidEncode(phoneNumber, 's.whatsapp.net');

/** Of a chat: digits of a phone number; an alias (`<digits>@lid`) and a group id are addresses already. */
export const chatAddress = (chat: string): string => (chat.includes('@') ? chat : phoneAddress(chat));

function isAlias(jid: string): boolean {
  return Boolean(isLidUser(jid) || isHostedLidUser(jid));
}

/** Digits of a person's address; null for what is none, as somebody may claim in what they write. */
function personDigits(jid: string | undefined): string | null {
  const digits = userDigits(jid);
  return digits !== null && /^\d{1,20}$/.test(digits) ? digits : null;
}

/** A person from the address that the network chose and the other form, where it was given. */
export function personOf(jid: string, otherForm: string | undefined): Person {
  const digits = personDigits(jid);
  const other = personDigits(otherForm);
  const otherIsAlias = otherForm ? isAlias(otherForm) : false;
  if (isAlias(jid)) return { lid: digits, phoneNumber: otherIsAlias ? null : other };
  return { phoneNumber: digits, lid: otherIsAlias ? other : null };
}

export function isSelf(person: Person, own: OwnAccount): boolean {
  return (
    (person.phoneNumber !== null && person.phoneNumber === own.phoneNumber) ||
    (person.lid !== null && person.lid === own.lid)
  );
}

/** The network's seconds since 1970 as the product writes times; now, where they are missing. */
export function stanzaTime(node: BinaryNode): string {
  const seconds = Number(node.attrs.t);
  return new Date(Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : Date.now()).toISOString();
}
