import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { isFileContent } from '../../../../src/contract/messages/content.ts';
import type { FakeNumber } from '../../fake-edge.ts';
import { BridgeStage, newPhone } from '../../stage.ts';

const stage = BridgeStage.open();
const { until } = stage;

/** Questions of this kind are not answered; the next of them that is asked is awaited. */
async function silence(phone: string, namespace: string): Promise<() => Promise<unknown>> {
  const asked = async () =>
    (await stage.admin<{ queries: Record<string, number> }>('GET', `phones/${phone}`)).queries[namespace] ??
    0;
  await stage.admin('PATCH', `devices/${phone}`, { queries: { [namespace]: { silent: true } } });
  const before = await asked();
  return () => expect.poll(asked).toBeGreaterThan(before);
}

/** The network ends the connection with an error; the number comes back, and everything is answered again. */
async function endConnection(number: FakeNumber, phone: string): Promise<void> {
  const logins = number.factsOf('session.connected').length;
  await stage.admin('POST', `devices/${phone}/stanza`, { tag: 'stream:error', attrs: { code: '503' } });
  await stage.admin('PATCH', `devices/${phone}`, { queries: {} });
  await until('it has come back', () => number.factsOf('session.connected').length > logins);
}

test('what the edge asks of the network has an answer as soon as the connection has ended', async () => {
  const { number, phone } = await stage.pairedNumber(stage.bridgeId);
  const isAsked = await silence(phone, 'usync');
  // The edge itself would wait for longer than this test.
  const queryId = number.ask({ verb: 'contacts.check', phoneNumbers: [newPhone()] }, 600_000);
  await isAsked();
  await endConnection(number, phone);
  await until('the edge has an answer', () => number.answers.has(queryId));
  expect(number.answers.get(queryId)).toEqual({ failure: { reason: 'not_connected' } });
});

test('the fetching of settings ends with its connection, and they are fetched after the next login', async () => {
  const phone = newPhone();
  const isAsked = await silence(phone, 'w:sync:app:state');
  const { number } = await stage.pairedNumber(stage.bridgeId, phone);
  await isAsked();
  // The key for them does not come once more.
  const waiting = async () =>
    (await stage.admin<{ devices: { waiting: number }[] }>('GET', `phones/${phone}`)).devices[0]?.waiting;
  await expect.poll(waiting).toBe(0);
  await endConnection(number, phone);
  const isFailed = (line: string) => line.includes(number.numberId) && line.includes('first_sync_failed');
  expect(stage.logLines.filter(isFailed)).toHaveLength(1);
  await until('the settings are fetched', () =>
    [...number.vault.keys()].some((key) => key.startsWith('first-sync/')),
  );
});

test('a file whose place at the network was being asked for when the connection ended is sent after the next login', async () => {
  const { number, phone } = await stage.pairedNumber(stage.bridgeId);
  const [bytes, mediaId, to] = [randomBytes(20_000), randomUUID(), newPhone()];
  stage.edge.files.add(mediaId, bytes);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const media = { mediaId, mimetype: 'application/pdf', bytes: bytes.length, sha256 };
  const isAsked = await silence(phone, 'w:m');
  const [message] = number.send({ to, content: { type: 'document', media } });
  if (!message) throw new Error('nothing was sent');
  await isAsked();
  await endConnection(number, phone);
  number.handOverAgain();
  await until('it is sent', () => number.outcomeOf(message));
  expect(number.outcomeOf(message)).toMatchObject({ outcome: 'sent' });
  expect((await stage.arrivalsAt(to)).map(({ count }) => count)).toEqual([1]);
});

test('a file that its sender was being asked for when the connection ended is not given up, and comes when it is wanted again', async () => {
  const { number, phone } = await stage.pairedNumber(stage.bridgeId);
  await stage.admin('POST', `phones/${newPhone()}/media`, {
    to: phone,
    kind: 'document',
    mimetype: 'application/pdf',
    base64: randomBytes(30_000).toString('base64'),
  });
  await until('the message comes', () => number.inbound().length > 0);
  const [message] = number.inbound();
  if (!message || !isFileContent(message.content)) throw new Error('no file');
  const { mediaId } = message.content.media;
  const isLogged = (event: string) =>
    stage.logLines.some((line) => line.includes(event) && line.includes(mediaId));
  await stage.admin('POST', 'media/forget');
  // Its sender answers, and the answer does not come through.
  await stage.admin('PATCH', `devices/${phone}`, { isDeaf: true });
  number.command({ type: 'media.fetch', message });
  await until('its sender is asked', () => isLogged('media.asked_again'));
  await endConnection(number, phone);
  await until('it is not waited for', () => isLogged('media.not_fetched'));
  expect(number.factsOf('media.fetched')).toEqual([]);
  number.command({ type: 'media.fetch', message });
  await until('the file comes', () => number.factsOf('media.fetched').length > 0);
  expect(number.factsOf('media.fetched')).toMatchObject([{ mediaId, file: { bytes: 30_000 } }]);
});
