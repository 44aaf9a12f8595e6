import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import {
  addTransactionCapability,
  Curve,
  DEFAULT_CONNECTION_CONFIG,
  generateRegistrationId,
  generateSignalPubKey,
  initAuthCreds,
  type SignalDataSet,
  type SignalDataTypeMap,
  type SignalKeyStore,
} from '@whiskeysockets/baileys';
import { LRUCache } from 'lru-cache';
import pino from 'pino';
import { expect, test } from 'vitest';
import { journallingSignalRepository } from '../../../../src/session-bridge/network/keys/signal-repository.ts';

const [phone, device] = ['100000000000001@lid', '100000000000002@lid'];
/** By this text the client acknowledges a message and asks for it no more. */
const clientsWordForRepeat = 'Key used already or never filled';
const noLog = pino({ level: 'silent' });

/** Keys in memory, which can be put back to what they were. `onSession`: a session is stored. */
function keysInMemory(onSession: () => void = () => {}) {
  const kept = new Map<string, unknown>();
  const store: SignalKeyStore = {
    get<Type extends keyof SignalDataTypeMap>(type: Type, ids: string[]) {
      const found = ids.filter((id) => kept.has(`${type} ${id}`));
      return Object.fromEntries(
        found.map((id) => [id, kept.get(`${type} ${id}`) as SignalDataTypeMap[Type]]),
      );
    },
    set(data: SignalDataSet) {
      if (data.session) onSession();
      for (const [type, values] of Object.entries(data))
        for (const [id, value] of Object.entries(values ?? {})) kept.set(`${type} ${id}`, value);
    },
  };
  return { kept, store, auth: { creds: initAuthCreds(), keys: withTransactions(store) } };
}

function withTransactions(store: SignalKeyStore) {
  return addTransactionCapability(store, noLog, { maxCommitRetries: 1, delayBetweenTriesMs: 0 });
}

/** A phone that has a session with a device, and what the device has read. */
async function phoneAndDevice() {
  const read: string[] = [];
  /** What the device did, in its order. */
  const steps: ('read' | 'stored')[] = [];
  const [ofPhone, ofDevice] = [keysInMemory(), keysInMemory(() => steps.push('stored'))];
  const generation = randomUUID();
  let journal = Promise.resolve();
  /** Each connection has the client's transactions for itself. `decrypted`: without one, nothing is known of other connections. */
  const connection = (decrypted = new LRUCache<string, true>({ max: 10 })) =>
    journallingSignalRepository({
      beforeDecrypt: async () => {},
      onPlaintext: async (_, plaintext) => {
        read.push(Buffer.from(plaintext).toString());
        steps.push('read');
        const blocked = journal;
        journal = Promise.resolve();
        await blocked;
      },
      onEncrypt: () => {},
      device: generation,
      decrypted,
    })({ ...ofDevice.auth, keys: withTransactions(ofDevice.store) }, noLog, async () => []);
  const receiving = connection();
  const sending = DEFAULT_CONNECTION_CONFIG.makeSignalRepository(ofPhone.auth, noLog, async () => []);
  const { signedIdentityKey, signedPreKey } = ofDevice.auth.creds;
  let preKeys = 0;
  const beginSession = async () => {
    const preKey = Curve.generateKeyPair();
    preKeys += 1;
    await ofDevice.auth.keys.set({ 'pre-key': { [preKeys]: preKey } });
    await sending.injectE2ESession({
      jid: device,
      session: {
        registrationId: generateRegistrationId(),
        identityKey: generateSignalPubKey(signedIdentityKey.public),
        signedPreKey: {
          keyId: signedPreKey.keyId,
          publicKey: generateSignalPubKey(signedPreKey.keyPair.public),
          signature: signedPreKey.signature,
        },
        preKey: { keyId: preKeys, publicKey: generateSignalPubKey(preKey.public) },
      },
    });
  };
  await beginSession();
  return {
    read,
    steps,
    beginSession,
    sealed: (text: string) => sending.encryptMessage({ jid: device, data: Buffer.from(text) }),
    phoneForgetsFrom: () => {
      const before = new Map(ofPhone.kept);
      return () => {
        for (const [key, value] of before) ofPhone.kept.set(key, value);
      };
    },
    /** What the device writes back, and whether the phone can read it. */
    sealedBack: (text: string) => receiving.encryptMessage({ jid: phone, data: Buffer.from(text) }),
    openBack: async (message: { type: 'pkmsg' | 'msg'; ciphertext: Uint8Array }) =>
      Buffer.from(await sending.decryptMessage({ jid: device, ...message })).toString(),
    open: (message: { type: 'pkmsg' | 'msg'; ciphertext: Uint8Array }) =>
      receiving.decryptMessage({ jid: phone, ...message }),
    openInAnotherConnection: (message: { type: 'pkmsg' | 'msg'; ciphertext: Uint8Array }) =>
      connection().decryptMessage({ jid: phone, ...message }),
    /** What is read next is not in the journal before the function that this returns is called. */
    blockJournal: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      journal = promise;
      return resolve;
    },
  };
}

test('a message that comes again is read once, and is a repeat for the client', async () => {
  const { read, sealed, open } = await phoneAndDevice();
  const hello = await sealed('hello');
  await open(hello);
  await expect(open(hello)).rejects.toThrow(clientsWordForRepeat);
  expect(read).toEqual(['hello']);
});

test('so is one of a session that both sides have written in', async () => {
  const { read, sealed, open, sealedBack, openBack } = await phoneAndDevice();
  await open(await sealed('hello'));
  await openBack(await sealedBack('good morning'));
  const question = await sealed('how are you?');
  expect(question.type).toBe('msg');
  await open(question);
  await expect(open(question)).rejects.toThrow(clientsWordForRepeat);
  expect(read).toEqual(['hello', 'how are you?']);
});

test('what a connection that has ended is still at does not undo what the next one reads', async () => {
  const { read, sealed, open, openInAnotherConnection, blockJournal } = await phoneAndDevice();
  await open(await sealed('hello'));
  const [first, second] = [await sealed('first'), await sealed('second')];
  const unblock = blockJournal();
  const late = open(first);
  const next = openInAnotherConnection(second);
  await expect.poll(() => read).toContain('first');
  // Unlocked, the second one would be stored by then.
  for (let turn = 0; turn < 100; turn += 1) await setImmediate();
  unblock();
  await Promise.all([late, next]);
  expect(read).toEqual(['hello', 'first', 'second']);
  await expect(openInAnotherConnection(second)).rejects.toThrow('The key was used');
});

test('a message whose key was used for another one is no repeat: the client asks for it again', async () => {
  const { read, sealed, phoneForgetsFrom, open } = await phoneAndDevice();
  const forget = phoneForgetsFrom();
  await open(await sealed('hello'));
  forget();
  const underTheSameKey = open(await sealed('how are you'));
  await expect(underTheSameKey).rejects.toThrow('The key was used, and not for this message');
  await expect(underTheSameKey).rejects.not.toThrow(clientsWordForRepeat);
  expect(read).toEqual(['hello']);
});

test('two numbers that hear from one person at once each store the step of a message after it is read', async () => {
  const [one, other] = [await phoneAndDevice(), await phoneAndDevice()];
  for (let round = 0; round < 4; round++) {
    const toOne = await one.sealed('to one');
    const toOther = [await other.sealed('to the other'), await other.sealed('again')];
    await Promise.all([one.open(toOne), ...toOther.map((message) => other.open(message))]);
  }
  const eachInOrder = (messages: number) => Array(messages).fill(['read', 'stored']).flat();
  expect([one.steps, other.steps]).toEqual([eachInOrder(4), eachInOrder(8)]);
});

test('two numbers that write to one person at once each use every key once', async () => {
  const [one, other] = [await phoneAndDevice(), await phoneAndDevice()];
  for (const each of [one, other]) await each.open(await each.sealed('hello'));
  for (const round of ['first', 'second']) {
    const writers = [one, other, one, other, one, other];
    const answers = await Promise.all(writers.map((writer) => writer.sealedBack(round)));
    for (const [at, answer] of answers.entries()) expect(await writers[at]?.openBack(answer)).toBe(round);
  }
});

test('a late message of an earlier session does not break the present one', async () => {
  const { read, sealed, open, sealedBack, openBack, beginSession } = await phoneAndDevice();
  await open(await sealed('hello'));
  await openBack(await sealedBack('good morning'));
  const late = await sealed('late');
  await beginSession();
  await open(await sealed('anew'));
  await openBack(await sealedBack('welcome'));
  await open(await sealed('thanks'));
  await open(late);
  await open(await sealed('bye'));
  await openBack(await sealedBack('see you'));
  expect(read).toEqual(['hello', 'anew', 'thanks', 'late', 'bye']);
});
