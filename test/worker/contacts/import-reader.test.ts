import { runInDurableObject } from 'cloudflare:test';
import { env, exports } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { ImportFiles } from '../../../src/worker/features/contacts/imports/files/import-files.ts';
import { openAccount } from '../front-door.ts';

const head = 'Phone,Note\n';
const person = '628123456789';

/** What the reader reads of the rows first; `isStored` false: they are no longer there. */
async function firstSlice(rows: string, isStored = true) {
  const { accountId } = await openAccount();
  const importId = newUuid();
  const file = head + rows;
  if (isStored) await env.MEDIA.put(`${accountId}/imports/${importId}/file.csv`, file);
  const shape = {
    ...{ bytes: file.length, start: head.length, columns: ['Phone', 'Note'] },
    ...{ delimiter: ',', newline: '\n' },
  };
  const slice = await exports.ImportReader.slice({
    ...{ accountId, importId, shape, mapping: { Phone: 'phoneNumber' } },
    ...{ defaultCountry: null, types: {}, place: head.length, row: 0 },
  });
  return { slice, bytes: file.length };
}

test('a row of an import that is longer than what is read at a time is read as a whole', async () => {
  const { slice, bytes } = await firstSlice(`${person},"${'long, '.repeat(50_000)}"\n`);
  expect(slice).toMatchObject({ contacts: [{ phoneNumber: person }], refused: [], row: 1, isLast: true });
  expect(slice).toMatchObject({ place: bytes });
});

test('a row of an import that does not end within 4 MiB ends the import, and it says which', async () => {
  const { slice } = await firstSlice(`${person},"${'x'.repeat(4 * 1024 * 1024)}`);
  const problem = 'Row 1 has no end: more than 4 MiB, perhaps an unclosed quote.';
  expect(slice).toMatchObject({ contacts: [], place: head.length, row: 0, isLast: true, problem });
});

test('the refused rows of an import are told in the order of its file, however large that is', async () => {
  const { accountId } = await openAccount();
  const files = new ImportFiles(env);
  const shape = { bytes: 2_000_000, start: 0, columns: ['Phone'], delimiter: ',', newline: '\n' };
  const asked = {
    ...{ accountId, importId: newUuid(), shape, mapping: { Phone: 'phoneNumber' } },
    ...{ defaultCountry: null, types: {} },
  };
  for (const [place, row] of [[1_000_000, 501] as const, [65_536, 7] as const]) {
    const problem = { code: 'RECIPIENT_INVALID', path: 'phoneNumber', message: 'No.' } as const;
    await files.storeRefused({ ...asked, place, row }, [{ row, ...problem, cells: ['none'] }]);
  }
  let text = '';
  for await (const part of files.refused(accountId, asked.importId)) text += await new Response(part).text();
  expect(text.split('\r\n')).toEqual(['7,phoneNumber,No.,none', '501,phoneNumber,No.,none', '']);
});

test('a file in UTF-16 is stored as UTF-8, also where it is announced how long it is', async () => {
  const { accountId } = await openAccount();
  const importId = newUuid();
  const file = Buffer.from(`\u{feff}${head}`, 'utf16le');
  const stored = await new ImportFiles(env).store(
    accountId,
    importId,
    new Blob([file]).stream(),
    file.length,
  );
  expect(stored).toMatchObject({ ok: true, bytes: head.length });
  const object = await env.MEDIA.get(`${accountId}/imports/${importId}/file.csv`);
  expect(await object?.text()).toBe(head);
});

test('the file of an import counts for the thirty days that the bucket keeps it', async () => {
  const { accountId } = await openAccount();
  const body = new Blob([head]).stream();
  await new ImportFiles(env).store(accountId, newUuid(), body, head.length);
  const [file] = await runInDurableObject(env.ACCOUNT.getByName(accountId), (_, { storage }) =>
    storage.sql.exec<{ bytes: number; expires_at: number }>('SELECT * FROM stored_files').toArray(),
  );
  expect(file?.bytes).toBe(head.length);
  const days = ((file?.expires_at ?? 0) - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(29);
  expect(days).toBeLessThanOrEqual(30);
});

test('an import whose file is gone ends, and says so', async () => {
  const { slice } = await firstSlice(`${person},\n`, false);
  const problem = 'The file no longer exists. Import it again.';
  expect(slice).toMatchObject({ contacts: [], row: 0, isLast: true, problem });
});
