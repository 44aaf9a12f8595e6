import {
  type AuthenticationCreds,
  addTransactionCapability,
  Curve,
  DEFAULT_CONNECTION_CONFIG,
  generateSignalPubKey,
  initAuthCreds,
  proto,
  type SignalDataSet,
  signedKeyPair,
} from '@whiskeysockets/baileys';
import { expect, test } from 'vitest';
import {
  ClientMismatchError,
  checkClient,
  checkSocket,
  silentLogger,
} from '../../../../src/session-bridge/network/client/client-shapes.ts';
import { handOverError } from '../../../../src/session-bridge/network/outbound/message-sender.ts';
import { withSaltCapture } from '../../../../src/session-bridge/network/tokens.ts';

test('the client in node_modules is the one that the bridge was made for', () => {
  expect(() => checkClient()).not.toThrow();
});

test('another client is refused with one sentence that says what is missing', () => {
  const sock = { ws: {} } as Parameters<typeof checkSocket>[0];
  expect(() => checkSocket(sock)).toThrow(ClientMismatchError);
  expect(() => checkSocket(sock)).toThrow(
    /^The network client .* its socket has no relayMessage\. Run npm ci\.$/,
  );
});

/** Somebody's end of the Signal protocol, with what it has stored. */
function endpoint() {
  const creds: AuthenticationCreds = initAuthCreds();
  const stored = new Map<string, unknown>();
  const keys = addTransactionCapability(
    {
      get: async (type, ids) =>
        Object.fromEntries(ids.map((id) => [id, stored.get(`${type} ${id}`)])) as never,
      set: async (data: SignalDataSet) => {
        for (const [type, values] of Object.entries(data)) {
          for (const [id, value] of Object.entries(values ?? {})) stored.set(`${type} ${id}`, value);
        }
      },
    },
    silentLogger,
    { maxCommitRetries: 1, delayBetweenTriesMs: 0 },
  );
  const repository = DEFAULT_CONNECTION_CONFIG.makeSignalRepository(
    { creds, keys },
    silentLogger,
    async () => [],
  );
  return { creds, keys, repository, stored };
}

test('a stored session is as the bound on its size takes it to be', async () => {
  const [own, peer] = [endpoint(), endpoint()];
  const oneTime = Curve.generateKeyPair();
  const signed = signedKeyPair(peer.creds.signedIdentityKey, 1);
  await own.repository.injectE2ESession({
    jid: '628100000002@s.whatsapp.net',
    session: {
      registrationId: peer.creds.registrationId,
      identityKey: generateSignalPubKey(peer.creds.signedIdentityKey.public),
      signedPreKey: {
        keyId: 1,
        publicKey: generateSignalPubKey(signed.keyPair.public),
        signature: signed.signature,
      },
      preKey: { keyId: 1, publicKey: generateSignalPubKey(oneTime.public) },
    },
  });
  const record = own.stored.get('session 628100000002.0') as {
    _sessions: Record<string, never>;
    version: string;
  };
  expect(Object.keys(record).toSorted()).toEqual(['_sessions', 'version']);
  const [session] = Object.values(record._sessions) as { indexInfo: { closed: number }; _chains: object }[];
  expect(session?.indexInfo.closed).toBe(-1);
  expect(Object.values(session?._chains ?? {})).toMatchObject([{ chainType: 1 }]);
  own.repository.close?.();
  peer.repository.close?.();
});

test('a lock of the key store is taken once, also by what is called under it, and is that of its name alone', async () => {
  const { keys, repository } = endpoint();
  const order: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const first = keys.transaction(async () => {
    await keys.transaction(async () => void order.push('nested'), 'another');
    await promise;
    order.push('first');
  }, 'name');
  const second = keys.transaction(async () => void order.push('second'), 'name');
  await keys.transaction(async () => void order.push('elsewhere'), 'other');
  resolve();
  await Promise.all([first, second]);
  expect(order).toEqual(['nested', 'elsewhere', 'first', 'second']);
  repository.close?.();
});

test('a salt is heard by the client that it reaches, wherever it is decoded, and by no other', async () => {
  const heard: string[] = [];
  const history = Uint8Array.from([8, 0, 0x9a, 1, 1, 7]);
  const run = (name: string, work: () => Promise<unknown>) => withSaltCapture(() => heard.push(name), work);
  await Promise.all([
    run('one', async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return proto.HistorySync.decode(history);
    }),
    run('two', async () => proto.HistorySync.decode(Uint8Array.from([8, 0]))),
  ]);
  expect(heard).toEqual(['one']);
});

test.each([
  [Object.assign(new Error('rate-overlimit'), { data: 429 }), true, 'limited', null],
  [Object.assign(new Error('item-not-found'), { data: 404 }), true, 'unprepared', '404'],
  [Object.assign(new Error('forbidden'), { data: 403 }), false, 'unprepared', '403'],
  [new Error('All encryptions failed'), true, 'unprepared', 'no_keys'],
  [Object.assign(new Error('Timed Out'), { output: { statusCode: 408 } }), true, 'uncertain', null],
  [Object.assign(new Error('Timed Out'), { output: { statusCode: 408 } }), false, 'unprepared', 'no_answer'],
  [new TypeError('not a function'), false, 'unprepared', 'unprepared'],
] as const)(
  '%o after encryption: %s means that the hand-over was %s (%s)',
  (error, wasEncrypted, kind, refusal) => {
    expect(handOverError(error, wasEncrypted, false)).toMatchObject({ kind, refusal });
  },
);
