import type { ContactFilter } from '../../../sdk/index.ts';
import { gateway } from '../../gateway/client.ts';

async function save(stream: ReadableStream<Uint8Array>, name: string): Promise<void> {
  const blob = await new Response(stream as ReadableStream<Uint8Array<ArrayBuffer>>, {
    headers: { 'Content-Type': 'text/csv' },
  }).blob();
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

export async function exportContacts(filter: ContactFilter): Promise<void> {
  await save(await gateway.contacts.export(filter), `contacts-${new Date().toISOString().slice(0, 10)}.csv`);
}

export async function saveRefusedRows(importId: string): Promise<void> {
  await save(await gateway.contacts.refusedRows(importId), `refused-${importId}.csv`);
}
