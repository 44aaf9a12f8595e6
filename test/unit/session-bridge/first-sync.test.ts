import { makeEventBuffer } from '@whiskeysockets/baileys';
import pino from 'pino';
import { expect, test } from 'vitest';
import { FirstSync, type FirstSyncOptions } from '../../../src/session-bridge/network/pairing/first-sync.ts';
import { waitUntil } from '../../wait-until.ts';

test.each([
  ['after a pairing', null],
  ['after another bridge', '"done"'],
])(
  'what the phone synchronises is journalled before a crash could take it for fetched, %s',
  async (_, note) => {
    const done: string[] = [];
    const ev = makeEventBuffer(pino({ level: 'silent' }));
    ev.on('contacts.upsert', () => done.push('contacts'));
    const keys = {
      auth: { creds: { me: {}, myAppStateKeyId: 'key' } },
      readNote: async () => note,
      writeNote: () => done.push('note'),
      set hasSettings(_is: boolean) {
        done.push('fetched');
      },
    };
    const resyncAppState = ev.createBufferedFunction(async () => {
      done.push('version');
      ev.emit('contacts.upsert', [{ id: '628123456789@s.whatsapp.net' }]);
    });
    const sync = new FirstSync({
      sock: { ev, ws: { isOpen: true }, resyncAppState },
      keys,
      catchUpAfterMs: 1,
      onDone: () => {},
      onFailed: () => {},
    } as unknown as FirstSyncOptions);
    sync.begin();
    await waitUntil('It was not fetched', async () => (done.includes('fetched') ? true : null));
    expect(done).toEqual(['version', 'contacts', 'fetched', ...(note === null ? ['note'] : [])]);
  },
);
