import {
  BufferJSON,
  type SignalDataSet,
  type SignalDataTypeMap,
  type SignalKeyStore,
} from '@whiskeysockets/baileys';
import type { Store } from '../store/database.ts';

/** One phone's Signal sessions, keys and sender keys, as rows of the network's own database. */
export function signalKeyStore(store: Store, userId: number): SignalKeyStore {
  return {
    get<T extends keyof SignalDataTypeMap>(kind: T, ids: string[]) {
      const found: { [id: string]: SignalDataTypeMap[T] } = {};
      for (const id of ids) {
        const row = store.get(
          'SELECT value FROM signal_state WHERE user_id = ? AND kind = ? AND id = ?',
          userId,
          kind,
          id,
        );
        if (row) found[id] = JSON.parse(String(row.value), BufferJSON.reviver) as SignalDataTypeMap[T];
      }
      return found;
    },
    set(changes: SignalDataSet) {
      for (const [kind, values] of Object.entries(changes)) {
        for (const [id, value] of Object.entries(values ?? {})) {
          if (value === null || value === undefined) {
            store.write(
              'DELETE FROM signal_state WHERE user_id = ? AND kind = ? AND id = ?',
              userId,
              kind,
              id,
            );
          } else {
            store.write(
              'INSERT OR REPLACE INTO signal_state (user_id, kind, id, value) VALUES (?, ?, ?, ?)',
              userId,
              kind,
              id,
              JSON.stringify(value, BufferJSON.replacer),
            );
          }
        }
      }
    },
  };
}
