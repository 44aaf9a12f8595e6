import { env } from 'cloudflare:workers';
import { afterEach, expect, test, vi } from 'vitest';
import { addConnectedNumber, ask, eventually, openAccount, type TestAccount } from '../front-door.ts';
import { png } from './media-samples.ts';

const to = '628123456789';
const url = 'https://files.example.com/a.png';

afterEach(() => {
  vi.restoreAllMocks();
});

async function ready(): Promise<TestAccount> {
  const account = await openAccount();
  await addConnectedNumber(account);
  return account;
}

/** What hosts answer, by URL; and how often each was asked. */
function hosts(answers: Record<string, () => Response | Promise<Response>>): Record<string, number> {
  const asked: Record<string, number> = {};
  const original = globalThis.fetch;
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const request = new Request(input, init);
    const answer = answers[request.url];
    if (answer === undefined) return original(request);
    asked[request.url] = (asked[request.url] ?? 0) + 1;
    return answer();
  });
  return asked;
}

const picture = () => new Response(png(8, 6), { headers: { 'Content-Type': 'image/png' } });

async function sendUrl(account: TestAccount, image: object = { url, caption: 'hi' }): Promise<string> {
  const json = { to, type: 'image', image };
  const sent = await ask('POST', '/v1/messages/send', { headers: account.server, json });
  expect(sent.status, sent.text).toBe(202);
  return sent.body.messageId;
}

const record = async (account: TestAccount, messageId: string) =>
  (await ask('GET', `/v1/messages/${messageId}`, { headers: account.server })).body;

const settled = (account: TestAccount, messageId: string) =>
  eventually(async () => {
    const message = await record(account, messageId);
    return (message.status === 'failed' || message.media.status === 'ready') && message;
  });

test('a file at a URL is fetched behind the 202, and the message has it then', async () => {
  const account = await ready();
  hosts({ [url]: picture });
  const messageId = await sendUrl(account);
  const message = await settled(account, messageId);
  expect(message).toMatchObject({
    status: 'queued',
    text: 'hi',
    media: {
      mimetype: 'image/png',
      bytes: 64,
      width: 8,
      height: 6,
      status: 'ready',
      url: expect.any(String),
    },
  });
  expect(JSON.stringify(message)).not.toContain('files.example.com');
});

test('a host that hangs holds up the files of no other account', async () => {
  const [slow, quick] = [await ready(), await ready()];
  const hangs = 'https://files.example.com/hangs.png';
  const answers = Promise.withResolvers<void>();
  const asked = hosts({ [hangs]: () => answers.promise.then(picture), [url]: picture });
  const waiting = await sendUrl(slow, { url: hangs });
  await eventually(() => asked[hangs]);
  expect((await settled(quick, await sendUrl(quick))).media.status).toBe('ready');
  expect((await record(slow, waiting)).media.status).toBe('pending');
  answers.resolve();
  expect((await settled(slow, waiting)).media.status).toBe('ready');
});

test('redirects are followed, each judged as a webhook is', async () => {
  const account = await ready();
  const redirect = (location: string) => () => new Response(null, { status: 302, headers: { location } });
  const inner = 'https://files.example.com/inner';
  hosts({
    [url]: redirect('/b.png'),
    'https://files.example.com/b.png': picture,
    [inner]: redirect('http://169.254.169.254/latest/meta-data'),
  });
  expect((await settled(account, await sendUrl(account))).media.status).toBe('ready');
  expect(await settled(account, await sendUrl(account, { url: inner }))).toMatchObject({
    status: 'failed',
    errorCode: 'file_not_fetched',
    errorMessage: expect.stringContaining('The URL is not allowed.'),
  });
});

const final: Record<string, [() => Response, string]> = {
  'is not there': [() => new Response('no', { status: 404 }), 'The host answered 404.'],
  'is another type': [
    () => new Response('hello', { headers: { 'Content-Type': 'text/plain' } }),
    'text/plain',
  ],
  'is too large': [
    () =>
      new Response(new Uint8Array(17 * 1024 * 1024).fill(1), { headers: { 'Content-Type': 'image/png' } }),
    'larger than',
  ],
};

test.each(Object.entries(final))(
  'a file that %s fails its message with the reason, and gives the quota back',
  async (_name, [answer, reason]) => {
    const account = await ready();
    hosts({ [url]: answer });
    const message = await settled(account, await sendUrl(account));
    expect(message).toMatchObject({
      status: 'failed',
      errorCode: 'file_not_fetched',
      media: { status: 'unavailable' },
    });
    expect(message.errorMessage).toContain(reason);
    expect((await ask('GET', '/v1/usage', { headers: account.server })).body.used).toBe(0);
  },
);

async function sentDocument(answer: () => Response, from: string, fields: object = {}) {
  const account = await ready();
  hosts({ [from]: answer });
  const json = { to, type: 'document', document: { url: from, ...fields } };
  const sent = await ask('POST', '/v1/messages/send', { headers: account.server, json });
  return settled(account, sent.body.messageId);
}

const pdf = (headers: Record<string, string>) => () => new Response('%PDF-1.4\n%%EOF\n', { headers });
const page = (type: string) => () =>
  new Response('<!doctype html><title>Sign in</title>', { headers: { 'Content-Type': type } });

test('a document is called as the send says, else as the host does, else as its URL and its type do', async () => {
  const program = 'https://files.example.com/download.php?id=7';
  const named = {
    'Content-Type': 'application/pdf',
    'Content-Disposition': 'attachment; filename="Fatura n. 7.pdf"',
  };
  expect((await sentDocument(pdf(named), program)).media.fileName).toBe('Fatura n. 7.pdf');
  expect((await sentDocument(pdf(named), program, { fileName: 'Mine.pdf' })).media.fileName).toBe('Mine.pdf');
  const nameless = { 'Content-Type': 'application/octet-stream' };
  expect((await sentDocument(pdf(nameless), program)).media).toMatchObject({
    fileName: 'document.pdf',
    mimetype: 'application/pdf',
  });
  const list = () => new Response('name,phone\n', { headers: nameless });
  expect((await sentDocument(list, 'https://files.example.com/list.csv')).media).toMatchObject({
    fileName: 'list.csv',
    mimetype: 'text/csv',
  });
});

test('a web page in place of a file fails its message, and as itself it is sent', async () => {
  const failed = await sentDocument(page('application/pdf'), 'https://files.example.com/get');
  expect(failed).toMatchObject({ status: 'failed', errorCode: 'file_not_fetched' });
  expect(failed.errorMessage).toContain('It is a web page, not application/pdf');
  const signIn = await sentDocument(page('text/html'), 'https://files.example.com/invoice.pdf');
  expect(signIn.status).toBe('failed');
  const itself = await sentDocument(page('text/html'), 'https://files.example.com/page.html');
  expect(itself.media).toMatchObject({ mimetype: 'text/html', fileName: 'page.html', status: 'ready' });
});

test('a file is pending only as long as its message waits for it: of one that was cancelled it is unavailable', async () => {
  const account = await ready();
  hosts({ [url]: () => new Response('busy', { status: 503 }) });
  const messageId = await sendUrl(account);
  const waiting = await eventually(async () => {
    const message = await record(account, messageId);
    return message.media && message;
  });
  expect(waiting).toMatchObject({ status: 'queued', media: { status: 'pending' } });
  const object = env.ACCOUNT.getByName(account.accountId);
  expect(await object.cancelSend(messageId, waiting.numberId)).toEqual({ ok: true });
  const cancelled = await settled(account, messageId);
  expect(cancelled).toMatchObject({ errorCode: 'cancelled', text: 'hi', media: { status: 'unavailable' } });
  const list = await ask('GET', '/v1/messages', { headers: account.server });
  expect(list.body.data).toMatchObject([{ messageId, media: { status: 'unavailable' } }]);
});

test.each(['http://files.example.com/a.png', 'https://10.0.0.1/a.png', 'file:///etc/passwd', 'a.png'])(
  '%s is refused at once',
  async (bad) => {
    const account = await ready();
    const json = { to, type: 'image', image: { url: bad } };
    const answer = await ask('POST', '/v1/messages/send', { headers: account.server, json });
    expect(answer).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION_ERROR', details: [{ path: 'image.url' }] } },
    });
  },
);
