import type { Contact } from '@whiskeysockets/baileys';
import type { SeenContact } from '../../../contract/contact.ts';
import { contractPerson } from './groups.ts';

const nameCharactersMax = 512;

const text = (name: string | undefined) => name?.slice(0, nameCharactersMax).toWellFormed();

/** Of contacts as the client tells them, those who have an address and something to tell. */
export function seenContacts(contacts: readonly Partial<Contact>[]): SeenContact[] {
  return contacts.flatMap(({ id, phoneNumber, lid, name, notify }) => {
    const person = contractPerson(id, id?.endsWith('@lid') ? phoneNumber : lid);
    if (!person || !id || !/@(s\.whatsapp\.net|lid)$/.test(id)) return [];
    const [bookName, pushName] = [text(name), text(notify)];
    const isPair = person.phoneNumber !== undefined && person.lid !== undefined;
    if (!bookName && !pushName && !isPair) return [];
    return [{ ...person, ...(bookName && { name: bookName }), ...(pushName && { pushName }) }];
  });
}
