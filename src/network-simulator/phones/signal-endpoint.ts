import '../../session-bridge/network/keys/signal-jobs.ts';
import {
  addTransactionCapability,
  BufferJSON,
  Curve,
  DEFAULT_CONNECTION_CONFIG,
  generateRegistrationId,
  generateSignalPubKey,
  type KeyPair,
  type SignalDataSet,
  type SignalDataTypeMap,
  type SignalKeyStore,
  type SignalRepositoryWithLIDStore,
  type SignedKeyPair,
  signedKeyPair,
} from '@whiskeysockets/baileys';
import pino from 'pino';
import { type KeyBundle, takeKeyBundle } from '../accounts/devices.ts';
import type { Device, User } from '../accounts/user.ts';
import type { Store } from '../store.ts';
import { addressOf } from '../wire/addresses.ts';

type Credentials = { registrationId: number; signedIdentityKey: KeyPair; signedPreKey: SignedKeyPair };
export type PublicKeys = {
  registrationId: number;
  identityKey: Uint8Array;
  signedPrekey: SignedKeyPair;
  prekey: { id: number; publicKey: Uint8Array };
};
type Sealed = { type: 'pkmsg' | 'msg'; ciphertext: Uint8Array };

const noLog = pino({ level: 'silent' });
const transactionOptions = { maxCommitRetries: 1, delayBetweenTriesMs: 0 };

/** A phone's end of the Signal protocol. Peers are known by alias, so one session serves both ways of addressing. */
export class SignalEndpoint {
  readonly #store: Store;
  readonly #user: User;
  readonly #credentials: Credentials;
  readonly #repository: SignalRepositoryWithLIDStore;
  #last: Promise<unknown> = Promise.resolve();

  constructor(store: Store, user: User) {
    this.#store = store;
    this.#user = user;
    this.#credentials = loadCredentials(store, user);
    const keys = addTransactionCapability(signalKeyStore(store, user.id), noLog, transactionOptions);
    this.#repository = DEFAULT_CONNECTION_CONFIG.makeSignalRepository(
      { creds: this.#credentials, keys },
      noLog,
      async () => [],
    );
  }

  get identityKeyPair(): KeyPair {
    return this.#credentials.signedIdentityKey;
  }

  get registrationId(): number {
    return this.#credentials.registrationId;
  }

  /** What another device needs to begin a session; the one-time key in it is made for this call. */
  newPublicKeys(): PublicKeys {
    const row = this.#store.writeReturning(
      'UPDATE users SET next_prekey = next_prekey + 1 WHERE id = ? RETURNING next_prekey - 1 AS id',
      this.#user.id,
    );
    const id = Number(row?.id);
    const pair = Curve.generateKeyPair();
    void signalKeyStore(this.#store, this.#user.id).set({ 'pre-key': { [String(id)]: pair } });
    const { registrationId, signedIdentityKey, signedPreKey } = this.#credentials;
    return {
      registrationId,
      identityKey: signedIdentityKey.public,
      signedPrekey: signedPreKey,
      prekey: { id, publicKey: pair.public },
    };
  }

  /** Runs one piece of work after another, so that what a phone writes leaves in order. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** Seals for a linked device, beginning a session where there is none. */
  async sealFor(device: Device, plain: Uint8Array): Promise<Sealed> {
    const jid = addressOf(device.user, 'lid', device.number);
    const { exists } = await this.#repository.validateSession(jid);
    if (!exists) await this.beginSession(device, takeKeyBundle(this.#store, device));
    return this.#repository.encryptMessage({ jid, data: plain });
  }

  /** What came in under an earlier one can still be read. */
  async beginSession(device: Device, bundle: KeyBundle): Promise<void> {
    const { signedPrekey, prekey } = bundle;
    await this.#repository.injectE2ESession({
      jid: addressOf(device.user, 'lid', device.number),
      session: {
        registrationId: bundle.registration.readUInt32BE(0),
        identityKey: generateSignalPubKey(bundle.identityKey),
        signedPreKey: {
          keyId: signedPrekey.id.readUIntBE(0, signedPrekey.id.length),
          publicKey: generateSignalPubKey(signedPrekey.publicKey),
          signature: signedPrekey.signature,
        },
        ...(prekey && {
          preKey: { keyId: prekey.id, publicKey: generateSignalPubKey(prekey.publicKey) },
        }),
      },
    });
  }

  /** Opens what a device sealed for this phone. Throws when it cannot. */
  openFrom(senderJid: string, type: string, ciphertext: Uint8Array): Promise<Uint8Array> {
    if (type !== 'pkmsg' && type !== 'msg') throw new Error(`a ciphertext of type ${type} is unknown`);
    return this.#repository.decryptMessage({ jid: senderJid, type, ciphertext });
  }

  /** Opens what a group member sealed with its sender key. Throws when it cannot. */
  openFromGroup(groupId: string, senderJid: string, ciphertext: Uint8Array): Promise<Uint8Array> {
    return this.#repository.decryptGroupMessage({ group: groupId, authorJid: senderJid, msg: ciphertext });
  }

  takeSenderKey(senderJid: string, groupId: string, distribution: Uint8Array): Promise<void> {
    return this.#repository.processSenderKeyDistributionMessage({
      authorJid: senderJid,
      item: { groupId, axolotlSenderKeyDistributionMessage: distribution },
    });
  }

  /** Seals with this phone's sender key of a group; `distribution` lets a device open it. */
  async sealForGroup(
    groupId: string,
    plain: Uint8Array,
  ): Promise<{ ciphertext: Uint8Array; distribution: Uint8Array }> {
    const meId = addressOf(this.#user, 'lid');
    const sealed = await this.#repository.encryptGroupMessage({ group: groupId, meId, data: plain });
    return { ciphertext: sealed.ciphertext, distribution: sealed.senderKeyDistributionMessage };
  }

  /** What lets a device open this phone's messages to a group from now on. */
  senderKeyOf(groupId: string): Promise<Uint8Array> {
    const meId = addressOf(this.#user, 'lid');
    return this.#repository.getSenderKeyDistributionMessage({
      group: groupId,
      meId,
    });
  }

  close(): void {
    this.#repository.close?.();
  }
}

/** The endpoints that were needed since the start; their state stands in the database. */
export class SignalEndpoints {
  readonly #store: Store;
  readonly #byUser = new Map<number, SignalEndpoint>();

  constructor(store: Store) {
    this.#store = store;
  }

  of(user: User): SignalEndpoint {
    const known = this.#byUser.get(user.id);
    if (known) return known;
    const endpoint = new SignalEndpoint(this.#store, user);
    this.#byUser.set(user.id, endpoint);
    return endpoint;
  }

  /** The phone begins anew: with other keys, and without any session. */
  renew(user: User): void {
    this.#byUser.get(user.id)?.close();
    this.#byUser.delete(user.id);
    this.#store.write('UPDATE users SET credentials = NULL WHERE id = ?', user.id);
    this.#store.write('DELETE FROM signal_state WHERE user_id = ?', user.id);
  }

  close(): void {
    for (const endpoint of this.#byUser.values()) endpoint.close();
  }
}

function loadCredentials(store: Store, user: User): Credentials {
  const row = store.get('SELECT credentials FROM users WHERE id = ?', user.id);
  if (typeof row?.credentials === 'string') {
    return JSON.parse(row.credentials, BufferJSON.reviver) as Credentials;
  }
  const signedIdentityKey = Curve.generateKeyPair();
  const made: Credentials = {
    registrationId: generateRegistrationId(),
    signedIdentityKey,
    signedPreKey: signedKeyPair(signedIdentityKey, 1),
  };
  store.write(
    'UPDATE users SET credentials = ? WHERE id = ?',
    JSON.stringify(made, BufferJSON.replacer),
    user.id,
  );
  return made;
}

/** Sessions of one phone that are kept as the client's code knows them; the others are read from their rows. */
const sessionsKept = 32;

/** One phone's Signal sessions, keys and sender keys, as rows of the network's own database. */
function signalKeyStore(store: Store, userId: number): SignalKeyStore {
  // Sessions are read and written with every message. They consist of texts and numbers, and nobody changes one in place.
  const sessions = new Map<string, unknown>();
  const keep = (id: string, value: unknown) => {
    sessions.delete(id);
    sessions.set(id, value);
    const [oldest] = sessions.keys();
    if (sessions.size > sessionsKept && oldest !== undefined) sessions.delete(oldest);
  };
  const read = (kind: string, id: string): unknown => {
    const kept = kind === 'session' ? sessions.get(id) : undefined;
    if (kept !== undefined) return kept;
    const row = store.get(
      'SELECT value FROM signal_state WHERE user_id = ? AND kind = ? AND id = ?',
      userId,
      kind,
      id,
    );
    if (!row) return undefined;
    const value = JSON.parse(String(row.value), BufferJSON.reviver);
    if (kind === 'session') keep(id, value);
    return value;
  };
  const write = (kind: string, id: string, value: unknown) => {
    if (value === null || value === undefined) {
      if (kind === 'session') sessions.delete(id);
      store.write('DELETE FROM signal_state WHERE user_id = ? AND kind = ? AND id = ?', userId, kind, id);
      return;
    }
    if (kind === 'session') keep(id, value);
    store.write(
      'INSERT OR REPLACE INTO signal_state (user_id, kind, id, value) VALUES (?, ?, ?, ?)',
      userId,
      kind,
      id,
      kind === 'session' ? JSON.stringify(value) : JSON.stringify(value, BufferJSON.replacer),
    );
  };
  return {
    get<Type extends keyof SignalDataTypeMap>(kind: Type, ids: string[]) {
      const found: { [id: string]: SignalDataTypeMap[Type] } = {};
      for (const id of ids) {
        const value = read(kind, id);
        if (value !== undefined) found[id] = value as SignalDataTypeMap[Type];
      }
      return found;
    },
    set(changes: SignalDataSet) {
      for (const [kind, values] of Object.entries(changes)) {
        for (const [id, value] of Object.entries(values ?? {})) write(kind, id, value);
      }
    },
  };
}
