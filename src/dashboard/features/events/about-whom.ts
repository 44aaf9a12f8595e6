import type { StreamEvent } from '../../../sdk/index.ts';

/** Where an event of any kind says whom it is about, the most telling first. */
const fields = ['to', 'from', 'recipient', 'chat', 'groupId', 'phoneNumber'] as const;

export function aboutWhom({ data }: StreamEvent): string {
  const values = data as Readonly<Record<string, unknown>>;
  const found = fields.map((name) => values[name]).find((value) => typeof value === 'string');
  return String(found ?? '').replace(/@s\.whatsapp\.net$/, '');
}
