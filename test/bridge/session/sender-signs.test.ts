import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { readRestriction } from '../../../src/session-bridge/network/stanzas/restriction.ts';
import { DeafWatch } from '../../../src/session-bridge/session/deaf-watch.ts';
import type { FakeNumber } from '../fake-edge.ts';
import { BridgeStage, newPhone } from '../stage.ts';

const stage = BridgeStage.open({ deafAfterMs: 400 });
const { until } = stage;
let number: FakeNumber;
let phone: string;

beforeAll(async () => {
  ({ number, phone } = await stage.pairedNumber(stage.bridgeId));
});

async function checked(...phoneNumbers: string[]) {
  const queryId = number.ask({ verb: 'contacts.check', phoneNumbers });
  await until('the contacts are checked', () => number.answers.has(queryId));
  return number.answers.get(queryId);
}

test('the network says of a phone number whether it is there', async () => {
  const [there, gone] = [newPhone(), newPhone()];
  await stage.admin('PATCH', `phones/${gone}`, { registered: false });
  expect(await checked(there, gone)).toEqual({
    answer: {
      contacts: [
        { phoneNumber: there, onNetwork: true },
        { phoneNumber: gone, onNetwork: false },
      ],
    },
  });
});

test('the network names other digits by which it knows somebody, also among others', async () => {
  const [there, gone, own] = [newPhone(), newPhone(), newPhone()];
  const dialled = `55119${own.slice(-8)}`;
  await stage.admin('PATCH', `phones/${gone}`, { registered: false });
  await stage.admin('PATCH', `phones/${own}`, { foundAs: [dialled] });
  const contacts = [
    { phoneNumber: there, onNetwork: true },
    { phoneNumber: dialled, onNetwork: true, address: own },
    { phoneNumber: gone, onNetwork: false },
  ];
  expect(await checked(there, dialled, gone)).toEqual({ answer: { contacts } });
  expect(await checked(own)).toEqual({ answer: { contacts: [{ phoneNumber: own, onNetwork: true }] } });
});

test('a session that is down cannot say whether somebody is there', async () => {
  number.want({ type: 'session.stop', logout: false });
  await until('it is disconnected', () => number.factsOf('session.disconnected').length > 0);
  expect(await checked(newPhone())).toEqual({ failure: { reason: 'not_connected' } });
  number.want({ type: 'session.start' });
  await until('the session comes back', () => number.factsOf('session.connected').length > 1);
});

test('a text that is typed first arrives once', async () => {
  const to = newPhone();
  const [message] = number.send({ to, text: 'typed', typingMs: 50 });
  await until('it is sent', () => message && number.outcomeOf(message));
  expect(await stage.arrivalsAt(to)).toMatchObject([{ text: 'typed', count: 1 }]);
});

test('a restriction of new chats is reported after each login and after error 463, with its end', async () => {
  await until('no restriction is reported', () => number.factsOf('network.restriction').length > 0);
  expect(number.factsOf('network.restriction').at(-1)).toMatchObject({ isActive: false, until: null });
  const newChatsFrom = Math.ceil((Date.now() + 3_600_000) / 1000) * 1000;
  await stage.admin('PATCH', `devices/${phone}`, { newChatsFrom });
  const to = newPhone();
  await stage.admin('PATCH', `phones/${to}`, { rejectWith: '463' });
  number.send({ to, text: 'hello stranger' });
  await until('the restriction is reported', () => number.factsOf('network.restriction').at(-1)?.isActive);
  expect(number.factsOf('network.restriction').at(-1)).toMatchObject({
    until: new Date(newChatsFrom).toISOString(),
  });
});

test('a session whose messages are acknowledged and that hears nothing itself is renewed, and loses nothing', async () => {
  const { number: deaf, phone: deafPhone } = await stage.pairedNumber(stage.bridgeId);
  const to = newPhone();
  await stage.admin('PATCH', `devices/${deafPhone}`, { isDeaf: true });
  await stage.admin('POST', `phones/${to}/messages`, { to: deafPhone, text: 'is anybody there' });
  const messages = deaf.send(...['one', 'two', 'three', 'four'].map((text) => ({ to, text })));
  await until('it is renewed', () => deaf.factsOf('session.connected').length > 1);
  expect(deaf.factsOf('session.disconnected')).toMatchObject([{ reason: 'session_deaf' }]);
  await until('what it did not hear comes after all', () => deaf.inbound().length > 0);
  await until('receipts come after all', () =>
    messages.every((message) => deaf.receiptsOf(message).length > 0),
  );
  expect((await stage.arrivalsAt(to)).map(({ count }) => count)).toEqual([1, 1, 1, 1]);
});

test('messages that the network refuses are no sign of a deaf session', async () => {
  const { number: refused, phone: refusedPhone } = await stage.pairedNumber(stage.bridgeId);
  const { number: deaf, phone: deafPhone } = await stage.pairedNumber(stage.bridgeId);
  for (const one of [refusedPhone, deafPhone]) await stage.admin('PATCH', `devices/${one}`, { isDeaf: true });
  const [unwilling, willing] = [newPhone(), newPhone()];
  await stage.admin('PATCH', `phones/${unwilling}`, { rejectWith: '403' });
  const textsTo = (to: string) => ['one', 'two', 'three', 'four'].map((text) => ({ to, text }));
  const messages = refused.send(...textsTo(unwilling));
  await until('they are refused', () => messages.every((message) => refused.outcomeOf(message)));
  deaf.send(...textsTo(willing));
  await until('a deaf one is renewed', () => deaf.factsOf('session.connected').length > 1);
  expect(refused.factsOf('session.disconnected')).toEqual([]);
});

test('a session whose messages are confirmed now and then is not deaf', async () => {
  const { number: hearing } = await stage.pairedNumber(stage.bridgeId);
  const { number: deaf, phone: deafPhone } = await stage.pairedNumber(stage.bridgeId);
  await stage.admin('PATCH', `devices/${deafPhone}`, { isDeaf: true });
  const [asleep, awake] = [newPhone(), newPhone()];
  await stage.admin('PATCH', `phones/${asleep}`, { autoDeliver: false });
  // Three without a receipt between them would say that it is deaf.
  const messages = hearing.send(...[asleep, awake].map((to) => ({ to, text: 'hello' })));
  await until('they are sent', () => messages.every((message) => hearing.outcomeOf(message)));
  await until('a receipt comes in', () => messages.some((message) => hearing.receiptsOf(message).length > 0));
  hearing.send({ to: asleep, text: 'hello' });
  deaf.send(...['one', 'two', 'three', 'four'].map((text) => ({ to: asleep, text })));
  await until('a deaf one is renewed', () => deaf.factsOf('session.connected').length > 1);
  expect(hearing.factsOf('session.disconnected')).toEqual([]);
});

test('a message, a change, a notice of a group and what is nothing for people show that a session hears', async () => {
  const { number: hearing, phone: own } = await stage.pairedNumber(stage.bridgeId);
  const heard = vi.spyOn(DeafWatch.prototype, 'heard');
  onTestFinished(() => heard.mockRestore());
  const person = newPhone();
  const write = (content: object) =>
    stage.admin<{ id: string }>('POST', `phones/${person}/messages`, { to: own, ...content });
  const isLogged = () =>
    stage.logLines.some((line) => line.includes('no_message') && line.includes(hearing.numberId));
  const hears = async <Answer>(act: Promise<Answer>, isIn: () => boolean) => {
    const before = heard.mock.calls.length;
    const answer = await act;
    await until('it comes in', isIn);
    expect(heard.mock.calls.length).toBeGreaterThan(before);
    return answer;
  };
  // By then it has heard everything that follows a pairing.
  await write({ text: 'hello' });
  await until('a first message comes in', () => hearing.inbound().length > 0);
  const { id: messageId } = await hears(write({ text: 'hello' }), () => hearing.inbound().length > 1);
  await hears(write({ reaction: { messageId, emoji: '👍' } }), () => hearing.factsOf('changes').length > 0);
  await hears(
    stage.admin('POST', 'groups', { subject: 'Neighbours', members: [person, own] }),
    () => hearing.factsOf('group.notice').length > 0,
  );
  await hears(write({ content: { keepInChatMessage: { keepType: 1 } } }), isLogged);
});

test('a session that hears something, or has sent too little to tell, is left alone', async () => {
  let renewed = 0;
  const { promise, resolve } = Promise.withResolvers<void>();
  const quiet = new DeafWatch({ deafAfterMs: 30, quietAfterMs: 60_000, onDeaf: () => (renewed += 1) });
  const deaf = new DeafWatch({ deafAfterMs: 40, quietAfterMs: 60_000, onDeaf: resolve });
  for (let message = 0; message < 5; message += 1) quiet.acknowledged();
  quiet.heard();
  for (let message = 0; message < 2; message += 1) quiet.acknowledged();
  for (let message = 0; message < 3; message += 1) deaf.acknowledged();
  await promise;
  expect(renewed).toBe(0);
  quiet.closed();
});

test('a cap on new chats restricts only once it is used up, until its cycle ends', () => {
  const open = { isActive: false };
  expect(readRestriction(open, {})).toEqual({ isActive: false, until: null });
  expect(readRestriction(open, { total_quota: -1, used_quota: 0 }).isActive).toBe(false);
  expect(readRestriction(open, { total_quota: 10, used_quota: 9 }).isActive).toBe(false);
  const used = { total_quota: 10, used_quota: 10, cycle_end_timestamp: '1780000000' };
  expect(readRestriction(open, used)).toEqual({ isActive: true, until: '2026-05-28T20:26:40.000Z' });
});

test('a session that only listens and hears nothing for long is renewed, and what it did not hear comes in', async () => {
  const { bridgeId: listening } = await stage.startBridge(await stage.newHome(), { quietAfterMs: 600 });
  const { number: quiet, phone: quietPhone } = await stage.pairedNumber(listening);
  await stage.admin('PATCH', `devices/${quietPhone}`, { isDeaf: true });
  await stage.admin('POST', `phones/${newPhone()}/messages`, { to: quietPhone, text: 'can you hear me' });
  await until('it is renewed', () => quiet.factsOf('session.connected').length > 1);
  await until('what it did not hear comes in', () => quiet.inbound().length > 0);
  stage.edge.controlSend(listening, { type: 'lease.revoked', numberId: quiet.numberId, epoch: quiet.epoch });
});
