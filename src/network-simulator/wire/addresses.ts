import { jidDecode } from '@whiskeysockets/baileys';

type Address = { user: string; server: string; device: number };

/** Reads `<user>[:<device>]@<server>`; undefined when the text is no address. */
export function parseAddress(text: string | undefined): Address | undefined {
  if (!text) return undefined;
  const decoded = jidDecode(text);
  return decoded ? { user: decoded.user, server: decoded.server, device: decoded.device ?? 0 } : undefined;
}

export type Addressing = 'pn' | 'lid';

/** An account or one of its devices, by phone number or by alias; device 0, the phone, is not written out. */
export function addressOf(who: { phone: string; lid: string }, addressing: Addressing, device = 0): string {
  const suffix = device === 0 ? '' : `:${device}`;
  return addressing === 'lid' ? `${who.lid}${suffix}@lid` : `${who.phone}${suffix}@s.whatsapp.net`;
}

export function isGroupAddress(text: string | undefined): boolean {
  return text?.endsWith('@g.us') === true;
}

export function addressingOf(text: string | undefined): Addressing {
  return text?.endsWith('@lid') ? 'lid' : 'pn';
}

const phonePattern = /^[1-9]\d{6,14}$/;

/** Digits with country code, 7 to 15 of them. Takes `+`, spaces, dashes and brackets; undefined when it is no number. */
export function normalisePhone(text: string): string | undefined {
  const digits = text.replace(/[+\s()-]/g, '');
  return phonePattern.test(digits) ? digits : undefined;
}
