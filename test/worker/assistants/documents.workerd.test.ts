import { expect, test } from 'vitest';
import { ask, eventually, openAccount, type TestAccount } from '../front-door.ts';
import { assistantPath, type MadeAssistant, makeAssistant, serverOrigin } from './assistant-fixture.ts';
import { pdfSaying } from './pdf-sample.ts';

async function teacher() {
  const account = await openAccount();
  const assistant = await makeAssistant(account, 'echo');
  return { account, assistant, headers: account.owner };
}

const add = (account: TestAccount, assistant: MadeAssistant, json: unknown) =>
  ask('POST', assistantPath(assistant, '/documents'), { headers: account.owner, json });

async function found(account: TestAccount, assistant: MadeAssistant, words: string): Promise<string[]> {
  const path = assistantPath(assistant, `/knowledge?q=${encodeURIComponent(words)}`);
  const { body } = await ask('GET', path, { headers: account.owner });
  return body.data.map(({ text }: { text: string }) => text);
}

/** The document once it was read, or could not be. */
const settled = (account: TestAccount, assistant: MadeAssistant, documentId: string) =>
  eventually(async () => {
    const path = assistantPath(assistant, `/documents/${documentId}`);
    const { body } = await ask('GET', path, { headers: account.owner });
    return body.state === 'pending' ? undefined : body;
  });

test('a text is cut at its headings, and found by words in other forms, in another order and without accents', async () => {
  const { account, assistant } = await teacher();
  const text = [
    '# Returns\n\nA lamp can be sent back within 30 days.\n\n## Refunds\n\nThe money is back after a week.',
    '# Café\n\nThe café at the shop is open on Saturdays.',
  ].join('\n\n');
  const { status, body } = await add(account, assistant, { name: 'Shop', text, format: 'markdown' });
  expect(status).toBe(201);
  expect(body).toMatchObject({ kind: 'markdown', state: 'ready', chunks: 3, url: null });
  expect((await found(account, assistant, 'how do I get a refund?'))[0]).toBe(
    'The money is back after a week.',
  );
  expect((await found(account, assistant, 'returning lamps'))[0]).toContain('sent back within 30 days');
  expect((await found(account, assistant, 'cafe saturday'))[0]).toContain('open on Saturdays');
  expect(await found(account, assistant, 'zeppelin')).toEqual([]);
  expect(await found(account, assistant, '"* OR NEAR( - :')).toEqual([]);
});

test('what one assistant knows no other one finds, and what is deleted nobody', async () => {
  const { account, assistant, headers } = await teacher();
  const other = await makeAssistant(account, 'echo');
  const { body } = await add(account, assistant, { name: 'Secret', text: 'The code of the door is 1234.' });
  expect(await found(account, assistant, 'door code')).toHaveLength(1);
  expect(await found(account, other, 'door code')).toEqual([]);
  const path = assistantPath(assistant, `/documents/${body.documentId}`);
  expect((await ask('GET', assistantPath(other, `/documents/${body.documentId}`), { headers })).status).toBe(
    404,
  );
  expect((await ask('DELETE', path, { headers })).status).toBe(204);
  expect(await found(account, assistant, 'door code')).toEqual([]);
  expect((await ask('DELETE', path, { headers })).status).toBe(404);
});

test('Markdown and PDF files are read by what they are', async () => {
  const { account, assistant, headers } = await teacher();
  const upload = (name: string, type: string, raw: BodyInit) =>
    ask('POST', assistantPath(assistant, `/documents/upload?name=${encodeURIComponent(name)}`), {
      headers: { ...headers, 'Content-Type': type },
      raw,
    });
  const markdown = await upload('Hours.md', 'application/octet-stream', '# Hours\n\nOpen from nine to five.');
  expect(markdown.body).toMatchObject({ kind: 'markdown', name: 'Hours.md', state: 'ready' });
  const pdf = await upload('Warranty.pdf', 'application/pdf', pdfSaying('The warranty lasts two years.'));
  expect(pdf.body, pdf.text).toMatchObject({ kind: 'pdf', name: 'Warranty.pdf', state: 'ready' });
  expect(await found(account, assistant, 'warranty')).toEqual(['The warranty lasts two years.']);
  const picture = await upload('x.png', 'image/png', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0, 0]));
  expect(picture.body.error?.code).toBe('UNSUPPORTED_MEDIA_TYPE');
  const broken = await upload('x.pdf', 'application/pdf', '%PDF-1.4 and then nothing');
  expect(broken.body.error).toMatchObject({
    code: 'UNSUPPORTED_MEDIA_TYPE',
    message: expect.stringMatching(/broken/),
  });
});

test.each<[string, File[], number, string]>([
  ['that is empty', [new File([], 'Hours.md')], 400, 'The file is empty.'],
  ['without any text', [new File(['   '], 'Hours.md')], 400, 'The document contains no text.'],
  ['beside another', [new File(['Nine'], 'a.md'), new File(['Ten'], 'b.md')], 400, 'Sent more than once.'],
])('a file %s is refused by name', async (_what, files, status, message) => {
  const { assistant, headers } = await teacher();
  const raw = new FormData();
  for (const file of files) raw.append('file', file);
  const answer = await ask('POST', assistantPath(assistant, '/documents/upload'), { headers, raw });
  expect(answer).toMatchObject({ status, body: { error: { details: [{ path: 'file', message }] } } });
});

test('a page is read behind the answer: its text without its frame, under its title', async () => {
  const { account, assistant } = await teacher();
  const { body } = await add(account, assistant, { url: `${serverOrigin}/page/delivery`, rereadHours: 24 });
  expect(body).toMatchObject({ kind: 'url', state: 'pending' });
  const document = await settled(account, assistant, body.documentId);
  expect(document).toMatchObject({
    state: 'ready',
    name: 'Delivery & shipping',
    error: null,
    rereadHours: 24,
  });
  expect(Date.parse(document.nextReadAt) - Date.parse(document.readAt)).toBe(24 * 3_600_000);
  const text = (await found(account, assistant, 'working days islands tracking')).join('\n');
  expect(text).toContain('Lamps arrive within three working days.');
  expect(text).toContain('- Tracking is included');
  expect(text).not.toMatch(/alert|Imprint|Home Shop/);
});

test('a sitemap brings the pages of its own host, and says how many', async () => {
  const { account, assistant } = await teacher();
  const url = `${serverOrigin}/page/sitemap.xml`;
  const { body } = await add(account, assistant, { url, isSitemap: true });
  const document = await settled(account, assistant, body.documentId);
  expect(document).toMatchObject({ kind: 'sitemap', state: 'ready', pages: 2 });
  expect((await found(account, assistant, 'send a lamp back'))[0]).toContain('30 days');
});

test('a page that is not there says so, and can be read again by hand', async () => {
  const { account, assistant, headers } = await teacher();
  const { body } = await add(account, assistant, { url: `${serverOrigin}/page/gone` });
  expect(await settled(account, assistant, body.documentId)).toMatchObject({
    state: 'failed',
    error: 'The server answered 404.',
  });
  const path = assistantPath(assistant, `/documents/${body.documentId}/read`);
  expect(await ask('POST', path, { headers })).toMatchObject({ status: 202, body: { state: 'pending' } });
  expect(await settled(account, assistant, body.documentId)).toMatchObject({ state: 'failed' });
  const text = await add(account, assistant, { name: 'A text', text: 'Words.' });
  const noPlace = await ask('POST', assistantPath(assistant, `/documents/${text.body.documentId}/read`), {
    headers,
  });
  expect(noPlace.body.error.code).toBe('CONFLICT');
});

test.each([
  ['neither text nor URL', {}, 'text'],
  ['both', { name: 'x', text: 'x', url: 'https://example.com/' }, 'text'],
  ['a text without a name', { text: 'x' }, 'name'],
  ['a text that is to be read again', { name: 'x', text: 'x', rereadHours: 1 }, 'rereadHours'],
  ['a URL in a private network', { url: 'https://192.168.0.1/' }, 'url'],
  ['an unknown field', { name: 'x', text: 'x', colour: 'red' }, 'colour'],
])('%s is refused', async (_what, json, path) => {
  const { account, assistant } = await teacher();
  const { status, body } = await add(account, assistant, json);
  expect({ status, path: body.error?.details?.[0]?.path }).toEqual({ status: 400, path });
});
