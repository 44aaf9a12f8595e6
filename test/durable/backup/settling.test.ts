import { expect, test } from 'vitest';
import { accountMigrations } from '../../../src/durable/account/migrations.ts';
import {
  heldByAccount,
  heldByNumber,
  settleAccount,
  settleNumber,
} from '../../../src/durable/backup/settling.ts';
import type { Fact } from '../../../src/durable/event-log/facts.ts';
import { phoneNumberMigrations } from '../../../src/durable/phone-number/migrations.ts';
import { migrateObject } from '../../../src/durable/storage/object-migrations.ts';
import { ObjectStorage } from '../../in-node/object-state.ts';

const now = 1_800_000_000_000;
const message = (messageId: string) =>
  JSON.stringify({
    messageId,
    to: '15550000002',
    chatType: 'personal',
    content: { type: 'text', text: 'x' },
  });
const record = (messageId: string) => ({ messageId, numberId: 'n' }) as never;

function storageOf(migrations: Parameters<typeof migrateObject>[1]): DurableObjectStorage {
  const storage = new ObjectStorage(() => {}) as unknown as DurableObjectStorage;
  migrateObject(storage, migrations);
  return storage;
}

/** An account whose batch 5 waits for an answer. */
function anAccount(ids: string[], batch: string[] | null = null): DurableObjectStorage {
  const storage = storageOf(accountMigrations);
  for (const id of ids) accept(storage, id);
  storage.sql.exec(
    `INSERT INTO senders (number_id, heard_up_to, batch_number, batch, taken_up_to, room, backlog, turn_start, turn_end)
     VALUES ('n', 0, 5, ?, 4, 0, ?, 0, 0)`,
    batch && JSON.stringify(batch),
    ids.length,
  );
  return storage;
}

const accept = (
  storage: DurableObjectStorage,
  id: string,
  kind = 'ongoing',
  notBefore: number | null = null,
) =>
  storage.sql.exec(
    'INSERT INTO accepted (number_id, kind, message_id, may_move, expires_at, message, not_before) VALUES (?, ?, ?, 1, ?, ?, ?)',
    ...['n', kind, id, now + 1000, message(id), notBefore],
  );

const sender = (storage: DurableObjectStorage) =>
  storage.sql.exec('SELECT batch_number, batch, backlog FROM senders').one();
const told = (storage: DurableObjectStorage) =>
  storage.sql
    .exec<{ facts: string }>('SELECT facts FROM log_outbox ORDER BY seq')
    .toArray()
    .flatMap(({ facts }) => JSON.parse(facts) as Fact[])
    .map((fact) => ({ kind: fact.kind, id: (fact as { message: { messageId: string } }).message.messageId }));

const settling = { now, goesOn: false, underWay: [], past: [], numbers: {} };

test('What waited in an account ends with an unknown outcome, but for what was not to leave yet', () => {
  const account = anAccount(['a']);
  accept(account, 'later', 'later', now + 60_000);
  accept(account, 'due', 'later', now - 1);
  accept(account, 'file', 'later', Number.MAX_SAFE_INTEGER);
  settleAccount(account, settling);
  expect(
    told(account)
      .map(({ id }) => id)
      .sort(),
  ).toEqual(['a', 'due', 'file']);
  expect(new Set(told(account).map(({ kind }) => kind))).toEqual(new Set(['message.failed']));
  expect(heldByAccount(account).messageIds).toEqual(['later']);
  expect(sender(account)).toEqual({ batch_number: 5, batch: null, backlog: 0 });
});

test('Where nothing was sent since, what waited goes on', () => {
  const account = anAccount(['a', 'b'], ['a']);
  settleAccount(account, { ...settling, goesOn: true, numbers: { n: { messageIds: [], takenUpTo: 4 } } });
  expect(told(account)).toEqual([]);
  expect(heldByAccount(account).messageIds).toEqual(['a', 'b']);
  expect(sender(account)).toEqual({ batch_number: 5, batch: '["a"]', backlog: 2 });
});

test.for([true, false])(
  'What a number or the log had by the time they were copied is not the account’s any more (goes on: %s)',
  (goesOn) => {
    const account = anAccount(['queued', 'sent', 'next'], ['queued', 'sent']);
    const numbers = { n: { messageIds: ['queued'], takenUpTo: 7 } };
    const underWay = [record('queued'), record('next'), record('nobody has it')];
    settleAccount(account, { ...settling, goesOn, past: ['sent'], underWay, numbers });
    // No batch is made under a number that was used.
    expect(sender(account)).toEqual({ batch_number: 7, batch: null, backlog: goesOn ? 1 : 0 });
    expect(heldByAccount(account).messageIds).toEqual(goesOn ? ['next'] : []);
    expect(told(account).map(({ id }) => id)).toEqual(goesOn ? ['nobody has it'] : ['next', 'nobody has it']);
  },
);

test('A number forgets what the log knows, ends the rest, and takes no bridge of the gateway that was copied', () => {
  const number = storageOf(phoneNumberMigrations);
  const device = { numberId: 'n', epoch: 12, bridgeId: 'b', desired: 'run', linkLostAt: null };
  number.sql.exec('INSERT INTO device (id, json) VALUES (1, ?)', JSON.stringify(device));
  number.sql.exec("INSERT INTO number_state VALUES ('batches', ?)", JSON.stringify({ takenUpTo: 7 }));
  for (const id of ['sent', 'waits'])
    number.sql.exec('INSERT INTO queue (message_id, message) VALUES (?, ?)', id, message(id));
  for (const key of ['creds', 'pre-key/g:1', 'session/g:155.0', 'sender-key/g:x', 'sender-key-memory/g:x'])
    number.sql.exec('INSERT INTO vault VALUES (?, ?)', key, new Uint8Array([1]));
  expect(heldByNumber(number)).toEqual({ messageIds: ['sent', 'waits'], takenUpTo: 7 });

  settleNumber(number, { now, goesOn: false, past: ['sent'] });

  const { json } = number.sql.exec<{ json: string }>('SELECT json FROM device').one();
  expect(JSON.parse(json)).toEqual({ numberId: 'n', epoch: 1_000_012, desired: 'run', linkLostAt: now });
  const rows = number.sql.exec<{ message_id: string; handed_to: string; message: string }>(
    'SELECT * FROM queue',
  );
  const [row, ...others] = rows.toArray();
  expect(others).toEqual([]);
  expect(row).toMatchObject({ message_id: 'waits', handed_to: 'before the restore' });
  expect(JSON.parse(row?.message ?? '{}')).toMatchObject({ expiresAt: now });
  // No key with which something was encrypted is used once more.
  const keys = number.sql.exec<{ key: string }>('SELECT key FROM vault ORDER BY key').toArray();
  expect(keys.map(({ key }) => key)).toEqual(['creds', 'pre-key/g:1']);
});
