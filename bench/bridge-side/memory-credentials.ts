import {
  type AuthenticationCreds,
  initAuthCreds,
  type KeyPair,
  type SignalDataTypeMap,
  type SignalKeyStore,
} from '@whiskeysockets/baileys';

export interface MemoryCredentials {
  creds: AuthenticationCreds;
  keys: SignalKeyStore;
}

/** Credentials and keys of one device as plain objects in memory: the cheapest store there is. */
export function memoryCredentials(
  creds: AuthenticationCreds = initAuthCreds(),
  prekeys: Record<string, KeyPair> = {},
): MemoryCredentials {
  const own = Object.entries(prekeys).map(([id, { public: open, private: secret }]): [string, unknown] => [
    id,
    { public: Buffer.from(open), private: Buffer.from(secret) },
  ]);
  const byType = new Map<string, Map<string, unknown>>([['pre-key', new Map(own)]]);
  return {
    creds,
    keys: {
      get<Type extends keyof SignalDataTypeMap>(type: Type, ids: string[]) {
        const found: Record<string, SignalDataTypeMap[Type]> = {};
        const values = byType.get(type);
        for (const id of ids) {
          const value = values?.get(id);
          if (value !== undefined) found[id] = value as SignalDataTypeMap[Type];
        }
        return found;
      },
      set(changes) {
        for (const [type, changed] of Object.entries(changes)) {
          const values = byType.get(type) ?? new Map<string, unknown>();
          byType.set(type, values);
          for (const [id, value] of Object.entries(changed ?? {})) {
            if (value === null) values.delete(id);
            else values.set(id, value);
          }
        }
      },
    },
  };
}
