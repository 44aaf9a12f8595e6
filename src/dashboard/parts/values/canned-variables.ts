import { ownValue } from '../../../contract/given.ts';

interface Known {
  contact: {
    name: string | null;
    pushName: string | null;
    phoneNumber: string | null;
    attributes: Record<string, string | number | boolean>;
  } | null;
  agent: string;
}

/** Fills in what is known of `{{contact.name}}` and so on; what is not stays, for whoever sends it to see. */
export function filledIn(text: string, { contact, agent }: Known): string {
  return text.replaceAll(/\{\{\s*([\w.]+)\s*\}\}/g, (whole, name: string) => {
    if (name === 'agent.name') return agent;
    if (name === 'contact.name') return contact?.name ?? contact?.pushName ?? whole;
    if (name === 'contact.phoneNumber') return contact?.phoneNumber ?? whole;
    const attribute = /^contact\.(?:attributes\.)?(\w+)$/.exec(name)?.[1];
    const value = attribute === undefined ? undefined : ownValue(contact?.attributes ?? {}, attribute);
    return value === undefined ? whole : String(value);
  });
}
