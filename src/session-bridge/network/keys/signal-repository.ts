import { AsyncLocalStorage } from 'node:async_hooks';
import {
  DEFAULT_CONNECTION_CONFIG,
  type SignalKeyStoreWithTransaction,
  type SocketConfig,
} from '@whiskeysockets/baileys';

type MakeSignalRepository = SocketConfig['makeSignalRepository'];

export interface SignalRepositoryHooks {
  /**
   * A message has come in. It is not decrypted, and the network is told nothing, before this resolves; it may reject
   * only when the connection can carry nothing any more, for the client refuses what it cannot decrypt.
   */
  beforeDecrypt: () => Promise<void>;
  /**
   * A message was decrypted, and neither the ratchet's step is stored nor the network told. What this puts on disk is
   * therefore there before the network forgets the message.
   */
  onPlaintext: (ciphertext: Uint8Array, plaintext: Uint8Array) => Promise<void>;
  /** A message is about to be encrypted: from here on it may leave. */
  onEncrypt: () => void;
}

/**
 * The client's own Signal repository with two changes of order.
 *
 * Inbound: the plaintext is handed out inside the transaction that stores the ratchet's step. A crash in between
 * leaves the old step, and the network's redelivery decrypts again.
 *
 * Outbound: the client stores the step after it has written the message, so a crash in between would use the same
 * keys for another message, which its recipient could not read. Encryption therefore leaves the client's surrounding
 * transaction and stores its step before it returns.
 */
export function journallingSignalRepository(hooks: SignalRepositoryHooks): MakeSignalRepository {
  return (auth, logger, pnToLid) => {
    const inner = DEFAULT_CONNECTION_CONFIG.makeSignalRepository(auth, logger, pnToLid);
    const keys = auth.keys as SignalKeyStoreWithTransaction;
    const outside = AsyncLocalStorage.snapshot();
    const { lidMapping } = inner;
    const storeLIDPNMappings = lidMapping.storeLIDPNMappings.bind(lidMapping);
    lidMapping.storeLIDPNMappings = (pairs) => outside(() => storeLIDPNMappings(pairs));
    return {
      ...inner,
      decryptMessage: async (options) => {
        await hooks.beforeDecrypt();
        return keys.transaction(async () => {
          const plaintext = await inner.decryptMessage(options);
          await hooks.onPlaintext(options.ciphertext, plaintext);
          return plaintext;
        }, options.jid);
      },
      decryptGroupMessage: async (options) => {
        await hooks.beforeDecrypt();
        return keys.transaction(async () => {
          const plaintext = await inner.decryptGroupMessage(options);
          await hooks.onPlaintext(options.msg, plaintext);
          return plaintext;
        }, options.group);
      },
      encryptMessage: (options) => {
        hooks.onEncrypt();
        return outside(() => inner.encryptMessage(options));
      },
      encryptGroupMessage: (options) => {
        hooks.onEncrypt();
        return outside(() => inner.encryptGroupMessage(options));
      },
      getSenderKeyDistributionMessage: (options) =>
        outside(() => inner.getSenderKeyDistributionMessage(options)),
      hasSenderKey: (options) => outside(() => inner.hasSenderKey(options)),
      getSessionInfo: (jid) => outside(() => inner.getSessionInfo(jid)),
      injectE2ESession: (options) => outside(() => inner.injectE2ESession(options)),
      validateSession: (jid) => outside(() => inner.validateSession(jid)),
      migrateSession: (from, to) => outside(() => inner.migrateSession(from, to)),
      deleteSession: (jids) => outside(() => inner.deleteSession(jids)),
    };
  };
}
