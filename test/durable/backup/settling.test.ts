import { expect, test } from 'vitest';
import { accountMigrations } from '../../../src/durable/account/migrations.ts';
import { importObject } from '../../../src/durable/backup/object-import.ts';
import {
  heldByAccount,
  heldByNumber,
  settleAccount,
  settleCampaign,
  settleFleet,
  settleKnowledge,
  settleLog,
  settleNumber,
} from '../../../src/durable/backup/settling.ts';
import { bridgeFleetMigrations } from '../../../src/durable/bridge-fleet/migrations.ts';
import { campaignMigrations } from '../../../src/durable/campaign/migrations.ts';
import { TurnRows } from '../../../src/durable/event-log/assistants/turns/turn-rows.ts';
import type { Fact } from '../../../src/durable/event-log/facts.ts';
import { LogState } from '../../../src/durable/event-log/log-state.ts';
import { eventLogMigrations } from '../../../src/durable/event-log/migrations.ts';
import { SurveyRows } from '../../../src/durable/event-log/support/surveys/survey-rows.ts';
import { knowledgeMigrations } from '../../../src/durable/knowledge/migrations.ts';
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
  accept(account, 'due', 'later', now);
  accept(account, 'file', 'later', Number.MAX_SAFE_INTEGER);
  for (const id of ['later', 'file'])
    account.sql.exec('INSERT INTO file_fetches (message_id, ring_at) VALUES (?, ?)', id, now);
  settleAccount(account, settling);
  expect(
    told(account)
      .map(({ id }) => id)
      .sort(),
  ).toEqual(['a', 'due', 'file']);
  expect(new Set(told(account).map(({ kind }) => kind))).toEqual(new Set(['message.failed']));
  expect(heldByAccount(account).messageIds).toEqual(['later']);
  expect(sender(account)).toEqual({ batch_number: 5, batch: null, backlog: 0 });
  expect(account.sql.exec('SELECT message_id FROM file_fetches').toArray()).toEqual([
    { message_id: 'later' },
  ]);
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

test('Where nothing was sent since, a number keeps what waits as it was, but for what the log knows', () => {
  const number = storageOf(phoneNumberMigrations);
  const device = { numberId: 'n', epoch: 12, desired: 'run', linkLostAt: null };
  number.sql.exec('INSERT INTO device (id, json) VALUES (1, ?)', JSON.stringify(device));
  for (const id of ['sent', 'waits'])
    number.sql.exec('INSERT INTO queue (message_id, message) VALUES (?, ?)', id, message(id));
  settleNumber(number, { now, goesOn: true, past: ['sent'] });
  expect(number.sql.exec('SELECT message_id, handed_to, message FROM queue').toArray()).toEqual([
    { message_id: 'waits', handed_to: null, message: message('waits') },
  ]);
});

test('What a bridge had been given stays with that bridge, and a number that nobody wants on waits for none', () => {
  const number = storageOf(phoneNumberMigrations);
  const device = { numberId: 'n', epoch: 12, desired: 'none', linkLostAt: null };
  number.sql.exec('INSERT INTO device (id, json) VALUES (1, ?)', JSON.stringify(device));
  const given = { message_id: 'given', handed_to: 'bridge', handed_at: now - 5_000 };
  number.sql.exec(
    'INSERT INTO queue (message_id, message, handed_to, handed_at) VALUES (?, ?, ?, ?)',
    ...[given.message_id, message('given'), given.handed_to, given.handed_at],
  );
  settleNumber(number, { now, goesOn: false, past: [] });
  const { json } = number.sql.exec<{ json: string }>('SELECT json FROM device').one();
  expect(JSON.parse(json)).toEqual({ ...device, epoch: 1_000_012 });
  expect(number.sql.exec('SELECT message_id, handed_to, handed_at FROM queue').toArray()).toEqual([given]);
});

test('A log tells what it knows of what is under way, indexes its words anew, and has other cursors from there on', () => {
  const log = storageOf(eventLogMigrations);
  for (const [id, status] of Object.entries({ sent: 'sent', waits: 'queued', unknown: 'failed' }))
    log.sql.exec(
      `INSERT INTO messages (key, message_id, direction, status, number_id, peer, chat_type, message_type, content,
         provider_message_id, sender_source, queued_at)
       VALUES (?1, ?1, 'outbound', ?2, 'n', '15550000002', 'personal', 'text', '{"type":"text","text":"x"}', ?1, 'pool', 7)`,
      ...[id, status],
    );
  log.sql.exec("INSERT INTO events (first_seq, count, at, bodies) VALUES (1, 3, 0, '[]'), (4, 2, 0, '[]')");
  const state = new LogState(log.sql);
  const generation = state.cursorGeneration();
  state.put('terms.indexedUpTo', 5);
  log.sql.exec('CREATE TABLE message_terms_202611 (id INTEGER PRIMARY KEY)');

  expect(settleLog(log, ['sent', 'waits', 'nobody has it'], settling)).toMatchObject({
    past: ['sent'],
    underWay: [{ messageId: 'waits', numberId: 'n', to: '15550000002', from: null, queuedAt: 7 }],
  });
  expect(state.get('terms.indexedUpTo')).toBeNull();
  const tables = "SELECT name FROM sqlite_master WHERE name GLOB 'message_terms_??????'";
  expect(log.sql.exec(tables).toArray()).toEqual([]);
  const first = { generation, upTo: 5 };
  expect(state.get('earlierCursors')).toEqual([first]);
  const second = { generation: state.cursorGeneration(), upTo: 5 };
  expect(second.generation).not.toBe(generation);
  // Restored once more, the cursors of both before are good still.
  settleLog(log, [], settling);
  expect(state.get('earlierCursors')).toEqual([first, second]);
});

test('What an assistant or a survey was about to say ends, and an answer to the survey is still read', () => {
  const log = storageOf(eventLogMigrations);
  const [turns, surveys] = [new TurnRows(log.sql, 60_000), new SurveyRows(log.sql)];
  const turn = (more: object = {}) =>
    turns.update(
      turns.insert({
        ...{ conversationId: crypto.randomUUID(), assistantId: 'a', firstMessage: 1, question: '?' },
        ...{ begunAt: now, dueAt: now },
      }),
      more,
    ).turnId;
  const sending = { state: 'sending', reply: 'Hello' } as const;
  const open = [
    turn(),
    turn({ ...sending, endsAs: 'answered' }),
    turn({ ...sending, endsAs: 'handed_off', reason: 'asked' }),
  ];
  const over = turn({ state: 'answered', endsAs: 'answered', ringAt: null, endedAt: now - 1 });
  const survey = {
    conversationId: 'c',
    numberId: 'n',
    caseOpenedAt: 1,
    plannedAt: 1,
    attempts: 0,
    endsAt: null,
  };
  surveys.put({ ...survey, phone: 'due', dueAt: now });
  surveys.put({ ...survey, phone: 'to come', dueAt: now + 1 });
  const before = surveys.of('to come');

  settleLog(log, [], { now, goesOn: true });
  expect([new TurnRows(log.sql, 60_000).nextRingAt(now), surveys.earliestDue()]).toEqual([now, now]);
  settleLog(log, [], settling);

  expect(new TurnRows(log.sql, 60_000).nextRingAt(now)).toBeNull();
  expect(open.map((id) => turns.find(id))).toMatchObject([
    { state: 'dropped', reason: 'not_sent', endedAt: now },
    { state: 'dropped', reason: 'not_sent', endedAt: now },
    { state: 'handed_off', reason: 'asked', endedAt: now },
  ]);
  expect(turns.find(over)).toMatchObject({ state: 'answered', reason: null, endedAt: now - 1 });
  expect(surveys.of('due')).toMatchObject({ dueAt: null, endsAt: now + 7 * 86_400_000 });
  expect(surveys.of('to come')).toEqual(before);
});

test('A wait that was known late is answered by no rule after the restore, and a log of release 0.1 has none', () => {
  const log = storageOf(eventLogMigrations);
  log.sql.exec("INSERT INTO late_waits VALUES ('c', 1, 2)");
  settleLog(log, [], settling);
  expect(log.sql.exec('SELECT * FROM late_waits').toArray()).toEqual([]);
  log.sql.exec('DROP TABLE late_waits');
  settleLog(log, [], settling);
});

test('Cursors of a log whose events are all in the archive are good up to the last of them', () => {
  const log = storageOf(eventLogMigrations);
  const state = new LogState(log.sql);
  const generation = state.cursorGeneration();
  state.put('events.head', { seq: 9, at: now });
  settleLog(log, [], settling);
  expect(state.get('earlierCursors')).toEqual([{ generation, upTo: 9 }]);
});

test('A fleet has no bridge, and gives out each number under an epoch that none has had', () => {
  const fleet = storageOf(bridgeFleetMigrations);
  fleet.sql.exec(
    `INSERT INTO leases (number_id, bridge_id, epoch, wanted, free_at)
     VALUES ('on', 'bridge', 12, 1, 5), ('off', NULL, 3, 0, NULL)`,
  );
  fleet.sql.exec("INSERT INTO bridges (bridge_id, capacity, draining, leases) VALUES ('bridge', 9, 0, 1)");
  fleet.sql.exec("INSERT INTO bridge_losses VALUES ('gone', 'account', 5, 2, NULL, 1)");
  settleFleet(fleet, { now, goesOn: true });
  expect(fleet.sql.exec('SELECT * FROM leases ORDER BY epoch').toArray()).toMatchObject([
    { number_id: 'off', bridge_id: null, epoch: 1_000_003, free_at: null, waits_since: null },
    { number_id: 'on', bridge_id: null, epoch: 1_000_012, free_at: null, waits_since: now },
  ]);
  for (const table of ['bridges', 'bridge_losses'])
    expect(fleet.sql.exec(`SELECT * FROM ${table}`).toArray()).toEqual([]);
});

test('A campaign that ran is paused, one that did not stays as it was, and where nothing was sent since both go on', () => {
  const statusAfter = (status: string, goesOn: boolean) => {
    const campaign = storageOf(campaignMigrations);
    campaign.sql.exec('DELETE FROM progress');
    campaign.sql.exec('INSERT INTO progress (id, json) VALUES (1, ?)', JSON.stringify({ status }));
    settleCampaign(campaign, { now, goesOn });
    return JSON.parse(campaign.sql.exec<{ json: string }>('SELECT json FROM progress').one().json).status;
  };
  expect(statusAfter('running', false)).toBe('paused');
  expect(statusAfter('completed', false)).toBe('completed');
  expect(statusAfter('running', true)).toBe('running');
});

test('A campaign that is paused takes back what waits, from the first message on, and holds for nothing else', () => {
  const campaign = storageOf(campaignMigrations);
  campaign.sql.exec('DELETE FROM progress');
  const progress = { status: 'running', reason: null, hold: { reason: 'quota' }, withdrawnUpTo: 70 };
  campaign.sql.exec('INSERT INTO progress (id, json) VALUES (1, ?)', JSON.stringify(progress));
  settleCampaign(campaign, { now, goesOn: false });
  const { json } = campaign.sql.exec<{ json: string }>('SELECT json FROM progress').one();
  const after = {
    status: 'paused',
    reason: 'by_person',
    hold: null,
    mustWithdraw: true,
    withdrawnUpTo: null,
  };
  expect(JSON.parse(json)).toEqual(after);
});

test('A campaign whose time has come since is a draft again, and one whose time is to come stays planned', () => {
  const statusAfter = (startAt: number, goesOn: boolean) => {
    const campaign = storageOf(campaignMigrations);
    const insert = (table: string, value: object) =>
      campaign.sql.exec(`INSERT INTO ${table} (id, json) VALUES (1, ?)`, JSON.stringify(value));
    insert('definition', { startAt });
    insert('progress', { status: 'scheduled', batch: null });
    settleCampaign(campaign, { now, goesOn });
    return JSON.parse(campaign.sql.exec<{ json: string }>('SELECT json FROM progress').one().json);
  };
  expect(statusAfter(now, false)).toEqual({ status: 'draft', batch: null });
  expect(statusAfter(now + 1, false).status).toBe('scheduled');
  expect(statusAfter(now, true).status).toBe('scheduled');
});

test('What is known is indexed anew by its terms', () => {
  const knowledge = storageOf(knowledgeMigrations);
  knowledge.sql.exec("INSERT INTO chunks (document, owner, heading, text, form) VALUES (1, 'a', '', 'x', 1)");
  settleKnowledge(knowledge);
  expect(knowledge.sql.exec('SELECT form FROM chunks').toArray()).toEqual([{ form: 0 }]);
});

test('An object that was to wake is woken once it is restored, and no other', async () => {
  const woken = async (alarmAt: number | null) => {
    const storage = storageOf([]);
    const rest = { values: [], sequences: [], alarmAt };
    await importObject(storage, { do: 'finish', schema: { entries: [], tables: [] }, rest });
    const isWoken = (await storage.getAlarm()) !== null;
    await storage.deleteAlarm();
    return isWoken;
  };
  expect([await woken(now), await woken(null)]).toEqual([true, false]);
});
