import {
  BufferJSON,
  type SignalDataSet,
  type SignalDataTypeMap,
  type SignalKeyStore,
} from '@whiskeysockets/baileys';
import type { Store } from '../../store/database.ts';

/** Sessions of one phone that are kept as the client's code knows them; the others are read from their rows. */
const sessionsKept = 32;

/** One phone's Signal sessions, keys and sender keys, as rows of the network's own database. */
export function signalKeyStore(store: Store, userId: number): SignalKeyStore {
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
