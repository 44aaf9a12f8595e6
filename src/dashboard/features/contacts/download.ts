import type { ContactFilter } from '../../../sdk/index.ts';
import { gateway } from '../../gateway/client.ts';
import { saveFile } from '../../parts/values/save-file.ts';

export async function exportContacts(filter: ContactFilter): Promise<void> {
  const name = `contacts-${new Date().toISOString().slice(0, 10)}.csv`;
  await saveFile(await gateway.contacts.export(filter), name);
}
