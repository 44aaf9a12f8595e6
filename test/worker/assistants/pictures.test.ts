import { expect, test } from 'vitest';
import { addConnectedNumber, ask, openAccount } from '../front-door.ts';
import { png } from '../media/media-samples.ts';
import { askedOf, makeAssistant, modelServer, modelThat } from './assistant-fixture.ts';
import { runsOver, write } from './talking.ts';

const customer = '628123456789';

async function shop(seesPictures: boolean) {
  const account = await openAccount();
  const numberId = await addConnectedNumber(account);
  const model = modelThat('see');
  const provider = { kind: 'openai_compatible', baseUrl: modelServer, model, seesPictures };
  const assistant = { ...(await makeAssistant(account, 'see', { provider })), model };
  const stored = async () => {
    const raw = png(20, 10);
    const headers = { ...account.owner, 'Content-Type': 'image/png' };
    const { body } = await ask('POST', '/v1/media', { headers, raw });
    return { mediaId: body.mediaId, mimetype: 'image/png', bytes: raw.byteLength, status: 'ready' };
  };
  const sends = (content: Record<string, unknown>) => write(account, numberId, customer, '', { content });
  const replies = async (count: number) => (await runsOver(account, assistant, count))[0]?.reply;
  return { account, assistant, stored, sends, replies };
}

const shown = 'I was shown: data:image/png;base64,iVBORw0KGg';

test('a model that can see is shown the picture; in a later answer it still is', async () => {
  const { stored, sends, replies } = await shop(true);
  await sends({ type: 'image', media: { ...(await stored()), caption: 'Is this one yours?' } });
  expect(await replies(1)).toBe(shown);
  await sends({ type: 'text', text: 'And?' });
  expect(await replies(2)).toBe(shown);
});

test('a model that cannot see is told that there is a picture, and is shown nothing', async () => {
  const { account, assistant, stored, sends, replies } = await shop(false);
  await sends({ type: 'image', media: { ...(await stored()), caption: 'Is this one yours?' } });
  expect(await replies(1)).toBe('I was shown: nothing');
  expect((await runsOver(account, assistant, 1))[0]?.question).toBe(
    '[a picture, which you cannot see] Is this one yours?',
  );
});

test.each([
  ['has not come yet', (media: object) => ({ type: 'image', media: { ...media, status: 'pending' } })],
  ['may be seen once', (media: object) => ({ type: 'image', media, viewOnce: true })],
  ['is no picture that models take', (media: object) => ({ type: 'sticker', media })],
  ['is a voice note', (media: object) => ({ type: 'audio', media: { ...media, voice: true } })],
  ['is gone', (media: object) => ({ type: 'image', media: { ...media, mediaId: crypto.randomUUID() } })],
])('what %s is not shown, and the answer comes all the same', async (_what, contentOf) => {
  const { stored, sends, replies } = await shop(true);
  await sends(contentOf(await stored()));
  expect(await replies(1)).toBe('I was shown: nothing');
});

test('a picture of more than 4 MiB is shown to no model, and one of 4 MiB is', async () => {
  const { account, sends, replies } = await shop(true);
  const sendsOf = async (length: number) => {
    const raw = new Uint8Array(length);
    raw.set(png(20, 10));
    const headers = { ...account.owner, 'Content-Type': 'image/png' };
    const { body } = await ask('POST', '/v1/media', { headers, raw });
    const { mediaId, bytes } = body;
    await sends({ type: 'image', media: { mediaId, mimetype: 'image/png', bytes, status: 'ready' } });
  };
  await sendsOf(4 * 1024 * 1024 + 1);
  expect(await replies(1)).toBe('I was shown: nothing');
  await sendsOf(4 * 1024 * 1024);
  expect(await replies(2)).toBe(shown);
});

test('of a voice note the model is told that it cannot hear it, and to say so', async () => {
  const { account, assistant, stored, sends, replies } = await shop(true);
  await sends({ type: 'audio', media: { ...(await stored()), voice: true } });
  await replies(1);
  const [asked] = await askedOf(assistant);
  const words = JSON.stringify(asked?.messages);
  expect(words).toContain('[a voice note, which you cannot hear]');
  expect(words).toMatch(/cannot hear, see or open, say so/);
  expect((await runsOver(account, assistant, 1))[0]?.question).toBe('[a voice note, which you cannot hear]');
});
