import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { dayMs, hourMs } from '../../../src/contract/times.ts';
import { MediaStore } from '../../../src/worker/features/media/store/media-store.ts';
import { sweep } from '../../../src/worker/sweep.ts';
import { addConnectedNumber, ask, eventually, openAccount } from '../front-door.ts';
import { png } from './media-samples.ts';

/** An account with three files that are gone in five days, and how long each is there from `at` on. */
async function withOldFiles(at: number) {
  const account = await openAccount();
  const store = new MediaStore(env, account.accountId);
  const files = [1, 2, 3].map(() => crypto.randomUUID());
  for (const [index, mediaId] of files.entries()) {
    const body = new Response(png(index + 1, 1)).body as ReadableStream<Uint8Array>;
    const file = { mediaId, body, bytesKnown: null, typeNamed: 'image/png' };
    expect(await store.store(file, at - 25 * dayMs)).toMatchObject({ ok: true });
  }
  const daysLeft = () =>
    Promise.all(
      files.map(async (mediaId) => {
        const { expiresAt = '' } = (await store.find(mediaId, at)) ?? {};
        return (Date.parse(expiresAt) - at) / dayMs;
      }),
    );
  const [ofRule, ofCampaign] = files.map((mediaId) => ({ type: 'image', mediaId }));
  return { account, ofRule, ofCampaign, daysLeft, store };
}

const post = (account: { owner: Record<string, string> }, path: string, json?: object) =>
  ask('POST', path, { headers: account.owner, ...(json !== undefined && { json }) });

test('a file that a rule replies with, or that a campaign is about to send, is kept on; others go', async () => {
  const at = Math.ceil(Date.now() / hourMs) * hourMs;
  const { account, ofRule, ofCampaign, daysLeft, store } = await withOldFiles(at);
  await addConnectedNumber(account);
  const rule = await post(account, '/v1/automations', {
    name: 'Price list',
    on: 'message.received',
    conditions: [],
    actions: [
      { type: 'note', text: 'They got the list.' },
      { type: 'reply', media: ofRule },
    ],
  });
  const campaign = await post(account, '/v1/campaigns', {
    name: 'Spring',
    message: { type: 'image', image: { mediaId: ofCampaign?.mediaId } },
    audience: { all: true },
    startAt: new Date(at + 6 * dayMs).toISOString(),
  });
  expect([rule.status, campaign.status]).toEqual([201, 201]);
  // Started at its time, by nobody.
  await env.CAMPAIGN.getByName(campaign.body.campaignId).start();
  expect(await daysLeft()).toEqual([5, 5, 5]);
  await sweep(env, at);
  expect(await daysLeft()).toEqual([30, 30, 5]);
  const bytes = await store.bytes(ofRule?.mediaId ?? '');
  expect(await bytes?.arrayBuffer()).toEqual(Uint8Array.from(png(1, 1)).buffer);
});

test('a file of a campaign is kept while it is paused, since it may be resumed, and no longer when it is cancelled', async () => {
  const at = Math.ceil(Date.now() / hourMs) * hourMs;
  const { account, ofCampaign, daysLeft } = await withOldFiles(at);
  await addConnectedNumber(account);
  for (const phoneNumber of ['628123456781', '628123456782']) {
    await post(account, '/v1/contacts', { phoneNumber });
  }
  const { body } = await post(account, '/v1/campaigns', {
    name: 'Spring',
    message: { type: 'image', image: { mediaId: ofCampaign?.mediaId } },
    audience: { all: true, coldContacts: true },
    ratePerHour: 1,
  });
  const list = () => ask('GET', '/v1/campaigns', { headers: account.owner });
  const act = async (action: string, status: string) => {
    await post(account, `/v1/campaigns/${body.campaignId}/${action}`);
    await eventually(async () => (await list()).body.data[0].status === status || undefined);
  };
  await act('start', 'running');
  await act('pause', 'paused');
  await sweep(env, at + 25 * dayMs);
  expect((await daysLeft())[1]).toBe(55);
  await act('cancel', 'cancelled');
  await sweep(env, at + 50 * dayMs);
  expect((await daysLeft())[1]).toBe(55);
});

test('a campaign whose file is gone does not start, and says which one; one whose file is there keeps it', async () => {
  const at = Date.now();
  const { account, ofRule, ofCampaign, daysLeft } = await withOldFiles(at);
  await addConnectedNumber(account);
  const { body } = await post(account, '/v1/campaigns', {
    name: 'Spring',
    message: { type: 'image', image: { mediaId: ofRule?.mediaId } },
    variants: [{ type: 'image', image: { mediaId: ofCampaign?.mediaId } }],
    audience: { all: true },
  });
  await env.MEDIA.delete(`${account.accountId}/${ofCampaign?.mediaId}/about`);
  const refused = await post(account, `/v1/campaigns/${body.campaignId}/start`);
  expect(refused).toMatchObject({
    status: 409,
    body: { error: { code: 'CONFLICT', details: [{ path: 'variants.0.image.mediaId' }] } },
  });
  expect((await daysLeft())[0]).toBeGreaterThanOrEqual(30);
});

test('a file is kept until its message has left, however much later that is; a trial keeps nothing', async () => {
  const at = Date.now();
  const { account, ofRule, ofCampaign, daysLeft, store } = await withOldFiles(at);
  await addConnectedNumber(account);
  const sendAt = new Date(at + 20 * dayMs).toISOString();
  const later = (image: object) => ({ to: '628123456789', type: 'image', image, sendAt });
  const send = (path: string, json: object) => ask('POST', path, { headers: account.server, json });
  const stored = { mediaId: ofRule?.mediaId };
  await send('/v1/messages/send?dryRun=true', later(stored));
  expect(await daysLeft()).toEqual([5, 5, 5]);
  const batch = { messages: [later({ mediaId: ofCampaign?.mediaId })] };
  expect(await send('/v1/messages/send', later(stored))).toMatchObject({ status: 202 });
  expect(await send('/v1/messages/send-batch', batch)).toMatchObject({ body: { accepted: 1 } });
  expect((await daysLeft()).map(Math.floor)).toEqual([30, 30, 5]);

  const bytes = { data: Buffer.from(png(9, 9)).toString('base64') };
  const first = await send('/v1/messages/send', later(bytes));
  const { media } = (await ask('GET', `/v1/messages/${first.body.messageId}`, { headers: account.server }))
    .body;
  const about = `${account.accountId}/${media.mediaId}/about`;
  const old = {
    ...(await store.find(media.mediaId, at)),
    expiresAt: new Date(at + 15 * dayMs).toISOString(),
  };
  await env.MEDIA.put(about, JSON.stringify(old));
  await send('/v1/messages/send', later(bytes));
  const { expiresAt = '' } = (await store.find(media.mediaId, at)) ?? {};
  expect(Date.parse(expiresAt)).toBeGreaterThan(Date.parse(sendAt));
});
