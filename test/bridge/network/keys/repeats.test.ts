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

/** Keys in memory, which can be put back to what they were. */
function keysInMemory() {
  const kept = new Map<string, unknown>();
  const store: SignalKeyStore = {
    get<Type extends keyof SignalDataTypeMap>(type: Type, ids: string[]) {
      const found = ids.filter((id) => kept.has(`${type} ${id}`));
      return Object.fromEntries(
        found.map((id) => [id, kept.get(`${type} ${id}`) as SignalDataTypeMap[Type]]),
      );
    },
    set(data: SignalDataSet) {
      for (const [type, values] of Object.entries(data))
        for (const [id, value] of Object.entries(values ?? {})) kept.set(`${type} ${id}`, value);
    },
  };
  const keys = addTransactionCapability(store, noLog, { maxCommitRetries: 1, delayBetweenTriesMs: 0 });
  return { kept, auth: { creds: initAuthCreds(), keys } };
}

/** A phone that has a session with a device, and what the device has read. */
async function phoneAndDevice() {
  const [ofPhone, ofDevice] = [keysInMemory(), keysInMemory()];
  const read: string[] = [];
  const receiving = journallingSignalRepository({
    beforeDecrypt: async () => {},
    onPlaintext: async (_, plaintext) => void read.push(Buffer.from(plaintext).toString()),
    onEncrypt: () => {},
    decrypted: new LRUCache({ max: 10 }),
  })(ofDevice.auth, noLog, async () => []);
  const sending = DEFAULT_CONNECTION_CONFIG.makeSignalRepository(ofPhone.auth, noLog, async () => []);
  const { signedIdentityKey, signedPreKey } = ofDevice.auth.creds;
  const preKey = Curve.generateKeyPair();
  await ofDevice.auth.keys.set({ 'pre-key': { '1': preKey } });
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
      preKey: { keyId: 1, publicKey: generateSignalPubKey(preKey.public) },
    },
  });
  return {
    read,
    sealed: (text: string) => sending.encryptMessage({ jid: device, data: Buffer.from(text) }),
    phoneForgetsFrom: () => {
      const before = new Map(ofPhone.kept);
      return () => {
        for (const [key, value] of before) ofPhone.kept.set(key, value);
      };
    },
    open: (message: { type: 'pkmsg' | 'msg'; ciphertext: Uint8Array }) =>
      receiving.decryptMessage({ jid: phone, ...message }),
  };
}

test('a message that comes again is read once, and is a repeat for the client', async () => {
  const { read, sealed, open } = await phoneAndDevice();
  const hello = await sealed('hello');
  await open(hello);
  await expect(open(hello)).rejects.toThrow(clientsWordForRepeat);
  expect(read).toEqual(['hello']);
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
