import { expect, test, vi } from 'vitest';
import type { OutboundMessage } from '../../../src/contract/bridge/bridge-frames.ts';
import { SessionMachine } from '../../../src/session-bridge/session/machine/session-machine.ts';
import { BridgeStage, newPhone } from '../stage.ts';

const stage = BridgeStage.open();
const { until } = stage;

test('a pairing by code shows the code that the network confirmed and links the phone that types it', async () => {
  const phone = newPhone();
  const number = stage.edge.addNumber();
  const pairingId = crypto.randomUUID();
  number.want({ type: 'session.pair', pairingId, method: 'code', phoneNumber: phone });
  stage.edge.grant(number, stage.bridgeId);
  await until('a code', () => number.factsOf('pairing.code').length > 0);
  const code = number.factsOf('pairing.code').at(0)?.code ?? '';
  await stage.admin('POST', 'mock-phone/enter-code', { phone, code });
  await until('the session connects', () => number.factsOf('session.connected').length > 0);
  expect(number.factsOf('session.connected').at(0)?.phoneNumber).toBe(phone);
  expect(number.factsOf('pairing.qr')).toEqual([]);
});

test('a number that connects tells under which alias the network has it, and nothing that would make it a contact', async () => {
  const phone = newPhone();
  const { number } = await stage.pairedNumber(stage.bridgeId, phone);
  const own = () =>
    number
      .factsOf('contacts.listed')
      .flatMap(({ contacts }) => contacts)
      .filter(({ phoneNumber }) => phoneNumber === phone);
  await until('it tells its alias', () => own().some(({ lid }) => lid !== undefined));
  expect(own()).toContainEqual({ phoneNumber: phone, lid: expect.stringMatching(/^\d+$/) });
});

test('a secret that the network retires is replaced at once, and the new code of the same offer pairs', async () => {
  const phone = newPhone();
  const number = stage.edge.addNumber();
  number.pairByQr();
  stage.edge.grant(number, stage.bridgeId);
  await until('a QR code', () => number.factsOf('pairing.qr').length > 0);
  const [dead] = number.factsOf('pairing.qr');
  const refresh = await fetch(`${stage.adminUrl}/admin/mock-phone/companion-reg-refresh`, {
    method: 'POST',
    body: dead?.qr ?? '',
  });
  expect(await refresh.json()).toEqual({ refreshed: true, acknowledged: true });
  await until('another QR code', () => number.factsOf('pairing.qr').length > 1);
  const fresh = number.factsOf('pairing.qr').at(1);
  expect(fresh?.qr.split(',').at(0)).toBe(dead?.qr.split(',').at(0));
  expect(fresh?.qr).not.toBe(dead?.qr);
  expect((await stage.scan(dead?.qr ?? '', phone)).ok).toBe(false);
  expect((await stage.scan(fresh?.qr ?? '', phone)).ok).toBe(true);
  await until('the session connects', () => number.factsOf('session.connected').length > 0);
});

test('a pairing that nobody scans ends as expired', async () => {
  const number = stage.edge.addNumber();
  const impatient = await stage.startBridge(await stage.newHome(), { qrTimeoutMs: 100 });
  number.pairByQr();
  stage.edge.grant(number, impatient.bridgeId);
  await until('the pairing fails', () => number.factsOf('pairing.failed').length > 0);
  expect(number.factsOf('pairing.failed')).toMatchObject([{ type: 'pairing.failed', failure: 'expired' }]);
  expect(number.factsOf('pairing.qr').length).toBeGreaterThan(1);
  expect(number.factsOf('session.disconnected')).toEqual([]);
});

test('the repeat of a pairing request that has succeeded keeps the linked device', async () => {
  const phone = newPhone();
  const number = stage.edge.addNumber();
  const pairingId = number.pairByQr();
  stage.edge.grant(number, stage.bridgeId);
  await until('a QR code', () => number.factsOf('pairing.qr').length > 0);
  await stage.scan(number.factsOf('pairing.qr').at(-1)?.qr ?? '', phone);
  await until('the session connects', () => number.factsOf('session.connected').length > 0);

  const other = await stage.startBridge(await stage.newHome());
  number.want({ type: 'session.pair', pairingId, method: 'qr' });
  await stage.edge.takeAway(number);
  stage.edge.grant(number, other.bridgeId);
  await until('the session connects there', () => number.factsOf('session.connected').length > 1);
  expect(number.factsOf('pairing.qr')).toHaveLength(1);
});

test('the repeat of a pairing request that is under way shows no other code, and the one that is shown pairs', async () => {
  const number = stage.edge.addNumber();
  const pairingId = number.pairByQr();
  stage.edge.grant(number, stage.bridgeId);
  await until('a QR code', () => number.factsOf('pairing.qr').length > 0);
  number.command({ type: 'session.pair', pairingId, method: 'qr' });
  expect((await stage.scan(number.factsOf('pairing.qr').at(0)?.qr ?? '', newPhone())).ok).toBe(true);
  await until('the session connects', () => number.factsOf('session.connected').length > 0);
  expect(number.factsOf('pairing.qr')).toHaveLength(1);
});

test('a number that could not do what it was told does what it is told next', async () => {
  const failed = vi.spyOn(SessionMachine.prototype, 'pair').mockRejectedValueOnce(new Error('not now'));
  const number = stage.edge.addNumber();
  number.pairByQr();
  stage.edge.grant(number, stage.bridgeId);
  await expect.poll(() => failed.mock.calls.length).toBe(1);
  failed.mockRestore();
  const next = number.pairByQr();
  await until('a QR code', () => number.factsOf('pairing.qr').length > 0);
  expect(number.factsOf('pairing.qr').at(0)?.pairingId).toBe(next);
});

test('any bridge takes a number over with an empty disk and without a new pairing', async () => {
  const { number, phone } = await stage.pairedNumber(stage.bridgeId);
  const to = newPhone();
  const [first] = number.send({ to, text: 'from the first bridge' });
  await until('it is sent', () => first && number.outcomeOf(first));
  const other = await stage.startBridge(await stage.newHome());
  await stage.edge.takeAway(number);
  number.want({ type: 'session.start', freshSessionsFor: [to] });
  stage.edge.grant(number, other.bridgeId);
  await until('the session connects there', () => number.factsOf('session.connected').length > 1);
  const gone = () =>
    number.factsOf('vault.put').flatMap(({ entries }) => entries.filter(({ sealed }) => !sealed));
  await until('the keys of before are gone', () => gone().some(({ key }) => key.startsWith('session/')));
  const [second] = number.send({ to, text: 'from the second bridge' });
  await stage.admin('POST', `phones/${to}/messages`, { to: phone, text: 'received by the second bridge' });
  await until('it is sent', () => second && number.outcomeOf(second));
  await until('the answer is reported', () => number.inbound().length > 0);
  expect((await stage.arrivalsAt(to)).map(({ text, count }) => [text, count]).toSorted()).toEqual([
    ['from the first bridge', 1],
    ['from the second bridge', 1],
  ]);
  expect(number.factsOf('pairing.qr')).toHaveLength(1);
});

test('whoever could not read what one bridge sent gets it once more from the bridge that took over', async () => {
  const first = await stage.startBridge(await stage.newHome());
  const { number, phone } = await stage.pairedNumber(first.bridgeId);
  const to = newPhone();
  const [message] = number.send({ to, text: 'read me' });
  await until('it is delivered', () => message && number.receiptsOf(message).length > 0);
  // While both are alive the number's connection is replaced once more, and the request below would be lost with it.
  await first.close();
  stage.edge.grant(number, stage.bridgeId);
  await until('the session connects there', () => number.factsOf('session.connected').length > 1);
  const id = message?.providerMessageId;
  await stage.admin('POST', `devices/${phone}/stanza`, {
    tag: 'receipt',
    attrs: { id, type: 'retry', from: `${to}@s.whatsapp.net`, t: '1' },
    content: [{ tag: 'retry', attrs: { count: '1', id, t: '1', v: '1' } }],
  });
  await expect.poll(() => stage.arrivalsAt(to)).toMatchObject([{ id, text: 'read me', count: 2 }]);
});

test('a bridge that takes a number over asks the edge a few times for what a login and first messages need', async () => {
  const { number } = await stage.pairedNumber(stage.bridgeId);
  const recipients = [newPhone(), newPhone(), newPhone()];
  const texts = () => number.send(...recipients.map((to) => ({ to, text: 'your order has left' })));
  const sent = (messages: OutboundMessage[]) =>
    until('they are sent', () => messages.every((message) => number.outcomeOf(message)));
  await sent(texts());
  await stage.edge.takeAway(number);
  const waiting = texts();
  number.vaultQuestions.length = 0;
  const other = await stage.startBridge(await stage.newHome());
  stage.edge.grant(number, other.bridgeId);
  await sent(waiting);
  // The credentials, what they name, and what that names in turn.
  const [, , third] = number.vaultQuestions;
  expect(third?.filter((key) => key.startsWith('session/'))).toHaveLength(5);
  expect(number.vaultQuestions.length).toBeLessThanOrEqual(4);
});

test('a dropped connection is reported once and comes back by itself', async () => {
  const { number, phone } = await stage.pairedNumber(stage.bridgeId);
  await stage.admin('POST', `devices/${phone}/drop`);
  await until('the session comes back', () => number.factsOf('session.connected').length > 1);
  expect(number.factsOf('session.disconnected')).toMatchObject([{ reason: 'connection_closed' }]);
});

test('a network that refuses connections is one loss, however often the bridge tries', async () => {
  const { number } = await stage.pairedNumber(stage.bridgeId);
  const losses = () =>
    stage.logLines.filter((line) => line.includes(number.numberId) && line.includes('"session.closed"'));
  await stage.admin('PATCH', 'network', { refuseConnections: true });
  await until('the loss is reported', () => number.factsOf('session.disconnected').length > 0);
  const held = number.factsOf('session.disconnected').length;
  await expect.poll(() => losses().length).toBeGreaterThan(3);
  await stage.admin('PATCH', 'network', { refuseConnections: false });
  await until('the session comes back', () => number.factsOf('session.connected').length > 1);
  expect(number.factsOf('session.disconnected')).toHaveLength(held);
});

test('a session that another client took over says so and does not fight for it', async () => {
  const { number, phone } = await stage.pairedNumber(stage.bridgeId);
  await stage.admin('POST', `devices/${phone}/replace`);
  await until('the loss is reported', () => number.factsOf('session.disconnected').length > 0);
  expect(number.factsOf('session.disconnected')).toMatchObject([{ reason: 'connection_replaced' }]);
});

test('a device removed on the phone ends the session, and its credentials leave the vault', async () => {
  const { number, phone } = await stage.pairedNumber(stage.bridgeId);
  expect(number.vault.has('creds')).toBe(true);
  await stage.admin('POST', `devices/${phone}/logout`);
  await until('the session ends', () => number.factsOf('session.ended').length > 0);
  await until('the credentials are gone', () => !number.vault.has('creds'));
  expect(number.factsOf('session.ended')).toMatchObject([{ reason: 'logged_out_by_phone' }]);
  expect(number.factsOf('session.disconnected')).toEqual([]);
});

test('a ban ends the session as banned', async () => {
  const { number, phone } = await stage.pairedNumber(stage.bridgeId);
  await stage.admin('POST', `devices/${phone}/ban`);
  await until('the session ends', () => number.factsOf('session.ended').length > 0);
  expect(number.factsOf('session.ended')).toMatchObject([{ reason: 'banned' }]);
});

test('a logout on request removes the device from the account and empties the vault of credentials', async () => {
  const { number, phone } = await stage.pairedNumber(stage.bridgeId);
  number.want({ type: 'session.stop', logout: true });
  await until('the session ends', () => number.factsOf('session.ended').length > 0);
  expect(number.factsOf('session.ended')).toMatchObject([{ reason: 'logged_out_on_request' }]);
  expect(number.vault.has('creds')).toBe(false);
  await expect
    .poll(async () => (await stage.admin<{ devices: unknown[] }>('GET', `phones/${phone}`)).devices)
    .toEqual([]);
});

test('a number that is disconnected, or whose network is away, is off its phone after a log-out, whichever bridge drives it then', async () => {
  const bridge = await stage.startBridge(await stage.newHome());
  const [stopped, cutOff] = [
    await stage.pairedNumber(bridge.bridgeId),
    await stage.pairedNumber(bridge.bridgeId),
  ];
  stopped.number.want({ type: 'session.stop', logout: false });
  await until('it is disconnected', () => stopped.number.factsOf('session.disconnected').length > 0);
  await stage.admin('PATCH', 'network', { refuseConnections: true });
  await stage.admin('POST', `devices/${cutOff.phone}/drop`);
  await until('the other one is lost', () => cutOff.number.factsOf('session.disconnected').length > 0);
  for (const { number } of [stopped, cutOff]) number.want({ type: 'session.stop', logout: true });
  await until('the first one is left alone', () => stopped.number.factsOf('session.disconnected').length > 1);
  await bridge.close();
  for (const { number } of [stopped, cutOff]) stage.edge.grant(number, stage.bridgeId);
  await stage.admin('PATCH', 'network', { refuseConnections: false });
  for (const { number, phone } of [stopped, cutOff]) {
    await until('the session ends', () => number.factsOf('session.ended').length > 0);
    expect(number.factsOf('session.ended')).toMatchObject([{ reason: 'logged_out_on_request' }]);
    expect(number.factsOf('session.connected')).toHaveLength(1);
    expect((await stage.admin<{ devices: unknown[] }>('GET', `phones/${phone}`)).devices).toEqual([]);
    await until('the credentials are gone', () => !number.vault.has('creds'));
  }
});

test('a session that is stopped stays stopped, keeps its device, and starts again on request', async () => {
  const { number } = await stage.pairedNumber(stage.bridgeId);
  number.want({ type: 'session.stop', logout: false });
  await until('it is disconnected', () => number.factsOf('session.disconnected').length > 0);
  expect(number.factsOf('session.disconnected')).toMatchObject([{ reason: 'requested' }]);
  number.want({ type: 'session.start' });
  await until('the session comes back', () => number.factsOf('session.connected').length > 1);
  expect(number.factsOf('session.ended')).toEqual([]);
});

test('a message for a session that is down is returned, not kept', async () => {
  const { number } = await stage.pairedNumber(stage.bridgeId);
  number.want({ type: 'session.stop', logout: false });
  await until('it is disconnected', () => number.factsOf('session.disconnected').length > 0);
  const [message] = number.send({ to: newPhone(), text: 'nobody takes this' });
  await until('it is returned', () => number.sent.get(message?.messageId ?? '')?.outcomes.length);
  expect(number.sent.get(message?.messageId ?? '')?.outcomes).toMatchObject([{ outcome: 'returned' }]);
});

test('a bridge that is asked to end waits only so long for what the network leaves open, and obeys nobody meanwhile', async () => {
  const bridge = await stage.startBridge(await stage.newHome(), { drainMs: 700 });
  const { number, phone } = await stage.pairedNumber(bridge.bridgeId);
  const to = newPhone();
  const [first] = number.send({ to, text: 'answered' });
  await until('it is sent', () => first && number.outcomeOf(first));
  await stage.admin('PATCH', `devices/${phone}`, { isDeaf: true });
  number.send({ to, text: 'left open' });
  await expect.poll(async () => (await stage.arrivalsAt(to)).length).toBe(2);
  const drained = bridge.drain();
  number.command({ type: 'session.stop', logout: true });
  await drained;
  expect(number.factsOf('session.ended')).toEqual([]);
  expect((await stage.admin<{ devices: unknown[] }>('GET', `phones/${phone}`)).devices).toHaveLength(1);
});

test('a bridge that is asked to end hears what the network answers to what it has sent', async () => {
  const bridge = await stage.startBridge(await stage.newHome());
  const { number, phone } = await stage.pairedNumber(bridge.bridgeId);
  const to = newPhone();
  await stage.admin('PATCH', `phones/${to}`, { rejectWith: '463' });
  await stage.admin('PATCH', `devices/${phone}`, { ackDelayMs: 1_000 });
  const [message] = number.send({ to, text: 'refused late' });
  const isSent = (line: string) =>
    line.includes('send.handed_over') && line.includes(message?.messageId ?? '');
  await expect.poll(() => stage.logLines.some(isSent)).toBe(true);
  await bridge.drain();
  expect(message && number.outcomeOf(message)).toMatchObject({ outcome: 'failed', code: '463' });
});

test('a session without credentials says so instead of trying', async () => {
  const number = stage.edge.addNumber();
  number.want({ type: 'session.start' });
  stage.edge.grant(number, stage.bridgeId);
  await until('it is disconnected', () => number.factsOf('session.disconnected').length > 0);
  expect(number.factsOf('session.disconnected')).toMatchObject([{ reason: 'credentials_rejected' }]);
});

test('a lease that is revoked is released after the edge has every fact', async () => {
  const { number } = await stage.pairedNumber(stage.bridgeId);
  await stage.edge.takeAway(number);
  expect(number.factsOf('session.ended')).toEqual([]);
});

test('a session that stayed open says so when the edge, which had lost the link, asks for it again', async () => {
  const { number } = await stage.pairedNumber(stage.bridgeId);
  number.want({ type: 'session.start' });
  await until('it says so', () => number.factsOf('session.connected').length > 1);
  expect(number.factsOf('session.disconnected')).toEqual([]);
});

test.each([
  ['closes the link', 4002, true],
  ['refuses the next one', 1012, false],
  ['lets it only report over the next one', 1012, true],
])('a number driven under an old epoch is given up when the edge %s', async (_, closeCode, takesReports) => {
  const { number } = await stage.pairedNumber(stage.bridgeId);
  // It is still being typed when the lease is over: it certainly never left.
  const [message] = number.send({ to: newPhone(), text: 'typed first', typingMs: 10_000 });
  number.takesReports = takesReports;
  number.epoch += 5;
  number.socket?.close(closeCode);
  const released = () =>
    stage.edge.controlFrames.some(
      ({ frame }) => frame.type === 'lease.released' && frame.numberId === number.numberId,
    );
  await until('the lease is released', released);
  if (!takesReports) return;
  const outcomes = () => number.sent.get(message?.messageId ?? '')?.outcomes ?? [];
  await until('what never left goes back', () => outcomes().some(({ outcome }) => outcome === 'returned'));
});
