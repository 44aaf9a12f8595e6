import { env, exports } from 'cloudflare:workers';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { EventLog } from '../../../src/durable/event-log/event-log.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import {
  addConnectedNumber,
  ask,
  eventually,
  openAccount,
  type TestAccount,
  writeToNumber,
} from '../front-door.ts';

const consentSource = 'sign-up form';

const importJson = (account: TestAccount, json: object) =>
  ask('POST', '/v1/contacts/import', { headers: account.server, json: { consentSource, ...json } });

function importCsv(account: TestAccount, csv: string, query: Record<string, string> = {}) {
  const search = new URLSearchParams({ consentSource, ...query });
  return ask('POST', `/v1/contacts/import?${search}`, {
    headers: { ...account.server, 'Content-Type': 'text/csv' },
    raw: new TextEncoder().encode(csv),
  });
}

const contactsOf = async (account: TestAccount, search = '') =>
  (await ask('GET', `/v1/contacts?limit=200&${search}`, { headers: account.server })).body.data;

const importOf = async (account: TestAccount, importId: string) =>
  (await ask('GET', `/v1/contacts/imports/${importId}`, { headers: account.server })).body;

async function refusedRows(account: TestAccount, importId: string): Promise<string> {
  const path = `/v1/contacts/imports/${importId}/refused`;
  const answer = await ask('GET', path, { headers: account.server });
  expect(answer).toMatchObject({ status: 200 });
  return answer.text;
}

/** The first bytes of a file, which `ask` takes for no text. */
async function beginningOf(path: string, headers: Record<string, string>): Promise<number[]> {
  const response = await exports.default.fetch(new Request(`https://gateway.test${path}`, { headers }));
  return [...new Uint8Array(await response.arrayBuffer()).subarray(0, 3)];
}

/** Neither is there a file of an import, nor does one count. */
async function expectNoFiles(account: TestAccount): Promise<void> {
  const { objects } = await env.MEDIA.list({ prefix: `${account.accountId}/imports/` });
  expect(objects).toEqual([]);
  const { body } = await ask('GET', '/v1/usage', { headers: account.server });
  expect(body.storage).toMatchObject({ used: 0 });
}

describe('contacts that come as JSON', () => {
  test('are added and completed, and the rest is refused with its row and its reason', async () => {
    const account = await openAccount();
    const contacts = [
      {
        phoneNumber: '+62 812-3456-789',
        name: 'Budi',
        labels: [' vip', ''],
        attributes: { city: 'Jakarta' },
      },
      { phoneNumber: 'none' },
      { phoneNumber: '0898 7654 321', timeZone: 'Asia/Makassar' },
      { phoneNumber: '628123456789', labels: ['retail'], attributes: { orders: 3 } },
      { phoneNumber: '628123456780', attributes: { city: 7 } },
      { phoneNumber: '628123456781', timeZone: 'Mars/Olympus' },
    ];
    const answer = await importJson(account, { contacts, labels: ['2026'], defaultCountry: 'ID' });
    expect(answer).toMatchObject({
      status: 200,
      body: { status: 'finished', created: 2, updated: 1, refusedCount: 3, rows: 6, progress: 1 },
    });
    expect(answer.body.refused).toEqual([
      {
        row: 2,
        error: { code: 'RECIPIENT_INVALID', message: expect.any(String), details: [expect.any(Object)] },
      },
      {
        row: 5,
        error: {
          code: 'VALIDATION_ERROR',
          message: 'Must be a text of at most 1000 characters.',
          details: [{ path: 'attributes.city', message: expect.any(String) }],
        },
      },
      {
        row: 6,
        error: {
          code: 'VALIDATION_ERROR',
          message: expect.any(String),
          details: [{ path: 'timeZone', message: expect.any(String) }],
        },
      },
    ]);
    const [second, first] = await contactsOf(account);
    expect(first).toMatchObject({
      phoneNumber: '628123456789',
      name: 'Budi',
      labels: ['2026', 'vip', 'retail'],
      attributes: { city: 'Jakarta', orders: 3 },
      country: 'ID',
      consent: { source: consentSource },
    });
    expect(second).toMatchObject({
      phoneNumber: '628987654321',
      timeZone: 'Asia/Makassar',
      labels: ['2026'],
    });
    expect(await refusedRows(account, answer.body.importId)).toContain('2,phoneNumber,');
  });

  test('are taken once under an import id, whatever is repeated', async () => {
    const account = await openAccount();
    const importId = newUuid();
    const json = { contacts: [{ phoneNumber: '628123456789' }], importId };
    const first = await importJson(account, { ...json, importId: importId.toUpperCase() });
    expect((await importJson(account, json)).body).toEqual(first.body);
    expect(first.body).toMatchObject({ importId, created: 1, updated: 0 });
    const again = await importJson(account, { contacts: json.contacts });
    expect(again.body).toMatchObject({ created: 0, updated: 1 });
    expect(await contactsOf(account)).toHaveLength(1);
  });

  test('are told in a file where more are refused than an answer names', async () => {
    const account = await openAccount();
    const contacts = Array.from({ length: 101 }, (_, index) => ({ phoneNumber: `none ${index}` }));
    const json = { contacts, importId: newUuid() };
    const { body } = await importJson(account, json);
    expect(body.refusedCount).toBe(101);
    expect(body.refused).toHaveLength(100);
    expect((await importJson(account, json)).body).toEqual(body);
    const listed = await ask('GET', '/v1/contacts/imports', { headers: account.server });
    expect(listed.body).toEqual({ data: [body], nextCursor: null });
    const [head, ...rows] = (await refusedRows(account, body.importId)).trim().split('\r\n');
    expect(head).toBe('row,field,error');
    expect(rows.map((row) => row.split(',')[0])).toEqual(contacts.map((_, index) => String(index + 1)));
  });

  test('leave an opt-out as it is', async () => {
    const account = await openAccount();
    const numberId = await addConnectedNumber(account);
    await writeToNumber(account, numberId, '628123456789', 'stop');
    await importJson(account, { contacts: [{ phoneNumber: '628123456789', name: 'Budi' }] });
    const [contact] = await contactsOf(account);
    expect(contact).toMatchObject({ name: 'Budi', optedOutAt: expect.any(String) });
    expect(await contactsOf(account, 'optedOut=true')).toEqual([contact]);
    expect(await contactsOf(account, 'optedOut=true&country=DE')).toEqual([]);
    expect(await contactsOf(account, 'optedOut=false')).toEqual([]);
    const sent = await ask('POST', '/v1/messages/send', {
      headers: account.server,
      json: { to: '628123456789', text: 'hello' },
    });
    expect(sent).toMatchObject({ status: 422, body: { error: { code: 'RECIPIENT_FILTERED' } } });
  });

  test('have nothing beside them in the query', async () => {
    const { server: headers } = await openAccount();
    const json = { contacts: [{ phoneNumber: '628123456789' }], consentSource };
    const answer = await ask('POST', '/v1/contacts/import?labels=vip', { headers, json });
    expect(answer).toMatchObject({ status: 400, body: { error: { details: [{ path: 'labels' }] } } });
  });

  test.each([
    [{ contacts: [] }, 'contacts'],
    [{ contacts: [{ phone: '1' }] }, 'contacts.0.phoneNumber'],
    [{ contacts: [{ phoneNumber: '1' }], consentSource: ' ' }, 'consentSource'],
    [{ contacts: [{ phoneNumber: '1' }], defaultCountry: 'XX' }, 'defaultCountry'],
    [{ contacts: [{ phoneNumber: '1' }], importId: 'mine' }, 'importId'],
  ])('as %j are refused as a whole, and the field is named', async (json, path) => {
    const answer = await importJson(await openAccount(), json);
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'VALIDATION_ERROR' } } });
    expect(answer.body.error.details[0].path).toBe(path);
  });
});

test('imports are listed a page at a time, the newest first', async () => {
  const account = await openAccount();
  for (const source of ['A', 'B', 'C']) {
    await importJson(account, { contacts: [{ phoneNumber: '628123456789' }], consentSource: source });
  }
  const page = async (cursor: string) => {
    const path = `/v1/contacts/imports?limit=2${cursor}`;
    const { body } = await ask('GET', path, { headers: account.server });
    const sources = body.data.map((one: { consentSource: string }) => one.consentSource);
    return { sources, nextCursor: body.nextCursor };
  };
  const first = await page('');
  expect(first).toEqual({ sources: ['C', 'B'], nextCursor: expect.any(String) });
  expect(await page(`&cursor=${first.nextCursor}`)).toEqual({ sources: ['A'], nextCursor: null });
});

describe('contacts that come as a file', () => {
  const csv =
    '\u{feff}Phone;Full name;Tags;City\r\n+62 812-3456-789;"Santoso; Budi";vip,retail;Jakarta\r\n12;Nobody;;\r\n+628123456780;;;=HYPERLINK("x")\r\n';

  test('are read by their columns, and what is refused can be fetched as a file', async () => {
    const account = await openAccount();
    const mapping = { Phone: 'phoneNumber', 'Full name': 'name', Tags: 'labels', City: 'attributes.city' };
    const query = { mapping: JSON.stringify(mapping), labels: 'fair, 2026', fileName: 'fair.csv' };
    const { status, body } = await importCsv(account, csv, query);
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        status: 'finished',
        created: 2,
        updated: 0,
        refusedCount: 1,
        rows: 3,
        fileName: 'fair.csv',
        mapping,
      },
    });
    const [, budi] = await contactsOf(account);
    expect(budi).toMatchObject({
      name: 'Santoso; Budi',
      labels: ['fair', '2026', 'vip', 'retail'],
      attributes: { city: 'Jakarta' },
    });
    expect(await refusedRows(account, body.importId)).toBe(
      'row,field,error,Phone,Full name,Tags,City\r\n2,phoneNumber,Not a phone number with country code.,12,Nobody,,\r\n',
    );
    const one = await ask('GET', `/v1/contacts/imports/${body.importId}`, { headers: account.owner });
    expect(one.body).toEqual(body);
    const all = await ask('GET', '/v1/contacts/imports', { headers: account.owner });
    expect(all.body).toEqual({ data: [body], nextCursor: null });
    const { body: attributes } = await ask('GET', '/v1/contact-attributes', { headers: account.owner });
    expect(attributes.data).toEqual([{ name: 'city', type: 'text', declared: true }]);
  });

  test('and what is refused of them go out with the mark by which a spreadsheet knows UTF-8', async () => {
    const account = await openAccount();
    const { body } = await importCsv(account, csv);
    expect(body.refusedCount).toBe(1);
    for (const path of ['export', `imports/${body.importId}/refused`]) {
      expect(await beginningOf(`/v1/contacts/${path}`, account.owner)).toEqual([0xef, 0xbb, 0xbf]);
    }
  });

  test('go out all, however many there are', async () => {
    const account = await openAccount();
    const contacts = Array.from({ length: 501 }, (_, index) => ({ phoneNumber: `${628120000000 + index}` }));
    await importJson(account, { contacts });
    const { text } = await ask('GET', '/v1/contacts/export', { headers: account.owner });
    const [, ...lines] = text.trim().split('\r\n');
    const found = lines.map((line) => line.split(',')[0]);
    expect(found.toSorted()).toEqual(contacts.map(({ phoneNumber }) => phoneNumber));
  });

  test.each(['text/plain', 'application/pdf', 'application/json; charset=utf-16'])(
    'of the type %s are refused, and all types are named that are taken',
    async (type) => {
      const account = await openAccount();
      const answer = await ask('POST', `/v1/contacts/import?consentSource=fair`, {
        headers: { ...account.server, 'Content-Type': type },
        raw: csv,
      });
      expect(answer).toMatchObject({ status: 415, body: { error: { code: 'UNSUPPORTED_MEDIA_TYPE' } } });
      const { message } = answer.body.error;
      for (const named of ['text/csv', 'multipart/form-data', 'application/json'])
        expect(message).toContain(named);
    },
  );

  test.each([
    ['compressed', { 'Content-Encoding': 'gzip' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['announced as too large', { 'Content-Length': '104857601' }, 413, 'PAYLOAD_TOO_LARGE'],
  ])('%s are refused before they are stored', async (_what, headers, status, code) => {
    const account = await openAccount();
    const answer = await ask('POST', `/v1/contacts/import?consentSource=fair`, {
      headers: { ...account.server, 'Content-Type': 'text/csv', ...headers },
      raw: csv,
    });
    expect(answer).toMatchObject({ status, body: { error: { code } } });
    await expectNoFiles(account);
  });

  test('may come as a form with its fields before the file', async () => {
    const account = await openAccount();
    const form = new FormData();
    form.set('consentSource', consentSource);
    form.set('mapping', JSON.stringify({ Phone: 'phoneNumber' }));
    form.set('file', new File([csv], 'fair.csv', { type: 'text/csv' }));
    const answer = await ask('POST', '/v1/contacts/import', { headers: account.owner, raw: form });
    expect(answer).toMatchObject({ status: 200, body: { created: 2, fileName: 'fair.csv' } });
    // The name that is said goes before the one that the file has on somebody's disk.
    form.delete('file');
    form.set('fileName', 'autumn.csv');
    form.set('file', new File([csv], 'export (3).csv', { type: 'text/csv' }));
    const named = await ask('POST', '/v1/contacts/import', { headers: account.owner, raw: form });
    expect(named).toMatchObject({ status: 200, body: { updated: 2, fileName: 'autumn.csv' } });
    // Its fields may stand in the query too; the form's own go before them.
    form.delete('consentSource');
    const search = new URLSearchParams({ consentSource: 'fair', labels: '2026', fileName: 'winter.csv' });
    const path = `/v1/contacts/import?${search}`;
    const asked = await ask('POST', path, { headers: account.owner, raw: form });
    const about = { consentSource: 'fair', labels: ['2026'], fileName: 'autumn.csv' };
    expect(asked).toMatchObject({ status: 200, body: { updated: 2, ...about } });
  });

  test('are the field "file" of a form, and no other', async () => {
    const account = await openAccount();
    const form = new FormData();
    form.set('consentSource', consentSource);
    form.set('contacts', new File([csv], 'fair.csv', { type: 'text/csv' }));
    const answer = await ask('POST', '/v1/contacts/import', { headers: account.owner, raw: form });
    const details = [{ path: 'contacts', message: 'Unknown field.' }];
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'VALIDATION_ERROR', details } } });
    expect(await contactsOf(account)).toEqual([]);
  });

  test('are missed in a form that has none', async () => {
    const account = await openAccount();
    const form = new FormData();
    form.set('consentSource', consentSource);
    const answer = await ask('POST', '/v1/contacts/import', { headers: account.owner, raw: form });
    const details = [{ path: 'file', message: 'This field is required, behind all others.' }];
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'VALIDATION_ERROR', details } } });
  });

  test.each([
    ['a field', 'mapping', JSON.stringify({ Phone: 'phoneNumber' }), 'Must come before the file.'],
    ['an unknown field', 'maping', '{}', 'Unknown field.'],
    ['another file', 'file', new File(['Phone\r\n+62 898 7654 321\r\n'], 'more.csv'), 'Sent more than once.'],
  ])('are refused when %s comes behind the file', async (_what, path, value, message) => {
    const account = await openAccount();
    const form = new FormData();
    form.append('consentSource', consentSource);
    form.append('file', new File([csv], 'fair.csv', { type: 'text/csv' }));
    form.append(path, value);
    const answer = await ask('POST', '/v1/contacts/import', { headers: account.owner, raw: form });
    const details = [{ path, message }];
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'VALIDATION_ERROR', details } } });
    expect(await contactsOf(account)).toEqual([]);
    expect((await env.MEDIA.list({ prefix: account.accountId })).objects).toEqual([]);
    expect((await ask('GET', '/v1/contacts/imports', { headers: account.owner })).body.data).toEqual([]);
  });

  test.each([
    'application/csv',
    'application/vnd.ms-excel',
    'application/octet-stream',
    'TEXT/CSV; charset=utf-8',
  ])('may come as %s', async (type) => {
    const { server } = await openAccount();
    const answer = await ask('POST', '/v1/contacts/import?consentSource=fair', {
      headers: { ...server, 'Content-Type': type },
      raw: new TextEncoder().encode(csv),
    });
    expect(answer).toMatchObject({ status: 200, body: { created: 2, refusedCount: 1 } });
  });

  test('are refused in a form that has a field twice', async () => {
    const account = await openAccount();
    const form = new FormData();
    for (const source of [consentSource, 'fair']) form.append('consentSource', source);
    form.set('file', new File([csv], 'fair.csv', { type: 'text/csv' }));
    const answer = await ask('POST', '/v1/contacts/import', { headers: account.owner, raw: form });
    const details = [{ path: 'consentSource', message: 'Sent more than once.' }];
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'VALIDATION_ERROR', details } } });
    expect(await contactsOf(account)).toEqual([]);
  });

  test('are taken once under an import id', async () => {
    const account = await openAccount();
    // Ids are the same in capital letters.
    const importId = newUuid();
    const query = { importId: importId.toUpperCase() };
    const [one, other] = await Promise.all([importCsv(account, csv, query), importCsv(account, csv, query)]);
    await eventually(async () => (await importOf(account, importId)).status === 'finished');
    const third = await importCsv(account, csv, query);
    expect([one.body.importId, other.body.importId]).toEqual([importId, importId]);
    expect(third).toMatchObject({
      status: 200,
      body: { status: 'finished', created: 2, updated: 0, refusedCount: 1 },
    });
    // Whatever comes under it then is another file, and nothing is read of it.
    expect((await importCsv(account, 'Name\nBudi\n', query)).body).toEqual(third.body);
    expect(await contactsOf(account)).toHaveLength(2);
  });

  test('leave no file behind where the import under their id is over when the last byte is there', async () => {
    const account = await openAccount();
    const importId = newUuid();
    expect((await importCsv(account, csv, { importId })).body.status).toBe('finished');
    // As if the first file had come in while this one was on its way.
    const known = vi.spyOn(EventLog.prototype, 'contactImport').mockReturnValueOnce(null);
    onTestFinished(() => known.mockRestore());
    expect((await importCsv(account, csv, { importId })).body).toMatchObject({
      importId,
      status: 'finished',
    });
    const { objects } = await env.MEDIA.list({ prefix: `${account.accountId}/imports/${importId}/file` });
    expect(objects).toEqual([]);
  });

  test('go out again in a form that is taken as it was', async () => {
    const account = await openAccount();
    await importCsv(account, csv, {
      mapping: JSON.stringify({ Phone: 'phoneNumber', City: 'attributes.city', Tags: 'labels' }),
    });
    // Its values stay.
    await ask('DELETE', '/v1/contact-attributes/city', { headers: account.owner });
    const exported = await ask('GET', '/v1/contacts/export', { headers: account.owner });
    expect(exported.headers.get('Content-Type')).toContain('text/csv');
    expect(exported.text.split('\r\n')[0]).toMatch(/,attributes\.city$/);
    expect(exported.text.split('\r\n')).toHaveLength(4);
    expect(exported.text).toContain(`"'=HYPERLINK(""x"")"`);
    const other = await openAccount();
    await importCsv(other, exported.text);
    const shown = ({ phoneNumber, labels }: { phoneNumber: string; labels: string[] }) => ({
      phoneNumber,
      labels,
    });
    expect((await contactsOf(other)).map(shown)).toEqual((await contactsOf(account)).map(shown).reverse());
  });

  test.each([
    ['no consent', csv, { consentSource: '' }, 'consentSource'],
    ['a column that is not there', csv, { mapping: '{"Mobile":"phoneNumber"}' }, 'mapping.Mobile'],
    ['no phone number', csv, { mapping: '{"City":"name"}' }, 'mapping'],
    ['a mapping that is no JSON', csv, { mapping: 'Phone' }, 'mapping'],
    ['a place that is none', csv, { mapping: '{"Phone":"phoneNumber","City":"town"}' }, 'mapping.City'],
    ['a file that is empty', '', {}, 'file'],
    ['a field that is none', csv, { foo: 'bar' }, 'foo'],
  ])('with %s are refused', async (_what, file, query, path) => {
    const account = await openAccount();
    const answer = await importCsv(account, file, query);
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'VALIDATION_ERROR' } } });
    expect(answer.body.error.details[0].path).toBe(path);
    expect(await contactsOf(account)).toEqual([]);
    await expectNoFiles(account);
  });

  test('with a column of another type than its attribute has are refused, and nothing of them stays', async () => {
    const account = await openAccount();
    const json = { type: 'number' };
    await ask('PUT', '/v1/contact-attributes/city', { headers: account.owner, json });
    const mapping = JSON.stringify({ Phone: 'phoneNumber', City: 'attributes.city:text' });
    const answer = await importCsv(account, csv, { mapping });
    expect(answer).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION_ERROR', details: [{ path: 'mapping.City' }] } },
    });
    expect(await contactsOf(account)).toEqual([]);
    await expectNoFiles(account);
  });

  test('that are not in yet when the answer has waited for them are answered with 202, and come in behind it', async () => {
    const account = await openAccount();
    const wait = vi.spyOn(EventLog.prototype, 'followContactImport').mockImplementation(async function (
      this: EventLog,
      importId,
    ) {
      return this.contactImport(importId) as never;
    });
    onTestFinished(() => wait.mockRestore());
    const answer = await importCsv(account, csv);
    expect(answer).toMatchObject({ status: 202, body: { status: 'running', finishedAt: null } });
    const { importId } = answer.body;
    await eventually(async () => (await importOf(account, importId)).status === 'finished');
    expect(await importOf(account, importId)).toMatchObject({ created: 2, refusedCount: 1 });
  });

  test('by the thousand are read behind the answer, and their progress is seen', async () => {
    const account = await openAccount();
    const rows = Array.from(
      { length: 5_000 },
      (_, index) => `+62812${String(index).padStart(7, '0')},Person ${index}`,
    );
    const answer = await importCsv(account, `Phone,Name\n${rows.join('\n')}\n+62812,short\n`);
    const path = `/v1/contacts/imports/${answer.body.importId}`;
    const body = await eventually(async () => {
      const now = await ask('GET', path, { headers: account.owner });
      return now.body.status === 'finished' ? now.body : undefined;
    });
    expect(body).toMatchObject({ created: 5_000, updated: 0, refusedCount: 1, rows: 5_001, progress: 1 });
  });
});
