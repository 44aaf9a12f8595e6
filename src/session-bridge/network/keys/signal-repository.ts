import { AsyncLocalStorage } from 'node:async_hooks';
import { hash } from 'node:crypto';
import {
  DEFAULT_CONNECTION_CONFIG,
  jidDecode,
  type SignalKeyStoreWithTransaction,
  type SocketConfig,
} from '@whiskeysockets/baileys';
import type { LRUCache } from 'lru-cache';
import { inTurn } from './signal-jobs.ts';

type MakeSignalRepository = SocketConfig['makeSignalRepository'];

export interface SignalRepositoryHooks {
  /**
   * A message has arrived. It is neither decrypted nor acknowledged before this resolves. It may reject only if the connection
   * is lost: if the client cannot decrypt a message, it refuses it to the network.
   */
  beforeDecrypt: () => Promise<void>;
  /**
   * A message was decrypted, but the ratchet's step is not stored and the network is not told yet. So what this puts on disk
   * is there before the network forgets the message.
   */
  onPlaintext: (ciphertext: Uint8Array, plaintext: Uint8Array) => Promise<void>;
  /** A message is about to be encrypted: from here on it may leave. */
  onEncrypt: () => void;
  /** Tells these keys from those of other linked devices. The same for all connections. */
  device: string;
  /** What was decrypted lately, by the hash of its ciphertext. Outlives a connection. */
  decrypted: LRUCache<string, true>;
}

/**
 * The client recognises a repeat, which it acknowledges, by this error text (Baileys 7.0.0-rc14, `MISSING_KEYS_ERROR_TEXT`).
 */
const repeat = 'Key used already or never filled';
/** It asks for any other again. */
const keyOfUnread = 'The key was used, and not for this message';

/**
 * The client's own Signal repository, with the following changes.
 *
 * Inbound: the plaintext is handed out inside the transaction that stores the ratchet's step. A crash in between leaves the
 * old step, and the network's redelivery decrypts again.
 *
 * Outbound: the client stores the step after it has written the message. A crash in between would use the same keys for
 * another message, which its recipient could not read. So encryption leaves the client's surrounding transaction and stores
 * its step before it returns.
 *
 * Repeats: a message that was decrypted before is a repeat, whatever the Signal library says. The library can hide that behind
 * another error. Then the client would request the message again, and its sender would start a new session. A message whose
 * key was used but that was not decrypted before is not a repeat: the client would acknowledge it, and it would be lost. What
 * was already reported is reported only once in any case.
 *
 * Locks: both directions lock the record itself, for all connections of the device. By itself, the client locks the address in
 * a message, for each connection separately. Then a message from the alias would undo the step of one to the number, and so
 * would one that an ended connection is still processing.
 */
export function journallingSignalRepository(hooks: SignalRepositoryHooks): MakeSignalRepository {
  return (auth, logger, pnToLid) => {
    const inner = DEFAULT_CONNECTION_CONFIG.makeSignalRepository(auth, logger, pnToLid);
    const keys = auth.keys as SignalKeyStoreWithTransaction;
    const outside = AsyncLocalStorage.snapshot();
    // The record of a session is stored under the alias, if there is one, whichever address a message has.
    const lockOf = async (jid: string): Promise<string> => {
      const { user = '', server, device = 0 } = jidDecode(jid) ?? {};
      const isNumber = server === 's.whatsapp.net' || server === 'hosted';
      const lid = isNumber ? (await keys.get('lid-mapping', [user]))[user] : undefined;
      return `session of ${lid ?? user}:${device}`;
    };
    const locked = <Result>(lock: string, work: () => Promise<Result>): Promise<Result> =>
      inTurn(`${hooks.device} ${lock}`, () => keys.transaction(work, lock));
    const underLock = <Result>(jid: string, work: () => Promise<Result>): Promise<Result> =>
      outside(async () => locked(await lockOf(jid), work));
    const once = async (ciphertext: Uint8Array, decrypt: () => Promise<Uint8Array>): Promise<Uint8Array> => {
      const ciphertextHash = hash('sha256', ciphertext);
      if (hooks.decrypted.has(ciphertextHash)) throw new Error(repeat);
      const plaintext = await decrypt();
      await hooks.onPlaintext(ciphertext, plaintext);
      hooks.decrypted.set(ciphertextHash, true);
      return plaintext;
    };
    const { lidMapping } = inner;
    const storeLIDPNMappings = lidMapping.storeLIDPNMappings.bind(lidMapping);
    lidMapping.storeLIDPNMappings = (pairs) => outside(() => storeLIDPNMappings(pairs));
    return {
      ...inner,
      decryptMessage: async (options) => {
        await hooks.beforeDecrypt();
        return locked(await lockOf(options.jid), () =>
          once(options.ciphertext, () =>
            inner.decryptMessage(options).catch((error: Error) => {
              throw error.name === 'MessageCounterError' ? new Error(keyOfUnread) : error;
            }),
          ),
        );
      },
      decryptGroupMessage: async (options) => {
        await hooks.beforeDecrypt();
        return locked(options.group, () => once(options.msg, () => inner.decryptGroupMessage(options)));
      },
      encryptMessage: (options) => {
        hooks.onEncrypt();
        return underLock(options.jid, () => inner.encryptMessage(options));
      },
      encryptGroupMessage: (options) => {
        hooks.onEncrypt();
        return outside(() => locked(options.group, () => inner.encryptGroupMessage(options)));
      },
      getSenderKeyDistributionMessage: (options) =>
        outside(() => locked(options.group, () => inner.getSenderKeyDistributionMessage(options))),
      hasSenderKey: (options) => outside(() => inner.hasSenderKey(options)),
      getSessionInfo: (jid) => outside(() => inner.getSessionInfo(jid)),
      injectE2ESession: (options) => underLock(options.jid, () => inner.injectE2ESession(options)),
      validateSession: (jid) => outside(() => inner.validateSession(jid)),
      migrateSession: (from, to) => outside(() => inner.migrateSession(from, to)),
      deleteSession: (jids) => outside(() => inner.deleteSession(jids)),
    };
  };
}
