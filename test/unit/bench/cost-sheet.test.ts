import { describe, expect, test } from 'vitest';
import { costSheet, sumOf } from '../../../bench/cost/cost-sheet.ts';
import { changeOf } from '../../../bench/meter/tally.ts';

describe('the cost of a message', () => {
  test('is the sum of what was counted for it at the prices of the list', () => {
    const lines = costSheet({
      tally: {
        'invocation|fetch|POST /v1/messages/send': 10,
        'rows|PhoneNumber|messages|insert': 20,
        'statements|PhoneNumber|messages|insert': 10,
        'request|Account|send': 10,
        'frameIn|PhoneNumber': 40,
        'frameOut|all': 50,
        'queueWrite|alerts': 5,
        'queueRead|alerts': 5,
        'queueDelete|alerts': 5,
        'bucketWrite|archive|put': 1,
      },
      messages: 10,
      cpuMs: 100,
      left: { 'EventLog events': 40 },
    });
    const dollars = Object.fromEntries(
      lines.map(({ meter, of, usdPerMillion }) => [`${meter}: ${of}`, Number(usdPerMillion.toFixed(4))]),
    );
    expect(dollars).toEqual({
      'Rows written, later deletion: EventLog events': 4,
      'Rows written, PhoneNumber: insert messages': 2,
      'Worker requests: fetch POST /v1/messages/send': 0.3,
      'Queue operations, alerts: write': 0.2,
      'Queue operations, alerts: read': 0.2,
      'Queue operations, alerts: delete': 0.2,
      'R2 writes, archive: put': 0.45,
      'Worker CPU, ms (all of workerd): ': 0.2,
      'Object requests, Account: send': 0.15,
      'WebSocket frames in / 20: PhoneNumber': 0.03,
      'WebSocket frames out: free': 0,
    });
    expect(sumOf(lines)).toBeCloseTo(7.73);
  });

  test('counts the later deletion of rows, but not of tables that are dropped whole', () => {
    const left = { 'EventLog messages': 5, 'Account idempotency_1': 10, 'Account idempotency_before': 10 };
    const lines = costSheet({ tally: {}, messages: 10, cpuMs: null, left });
    expect(lines.map(({ of, each }) => [of, each])).toEqual([
      ['Account idempotency_before', 1],
      ['EventLog messages', 0.5],
    ]);
  });

  test.each([
    ['INSERT INTO log_outbox (seq, facts) VALUES (?, ?)', ['log_outbox', 'insert']],
    ['INSERT OR REPLACE INTO senders VALUES (?, ?) RETURNING 1', ['senders', 'insert']],
    [
      'insert into "messages" ("account_id") values (?) on conflict do update set a = 1',
      ['messages', 'insert'],
    ],
    ['update "deliveries" set "status" = ?', ['deliveries', 'update']],
    ['DELETE FROM log_outbox WHERE seq <= ?', ['log_outbox', 'delete']],
    ['SELECT * FROM messages', null],
  ])('is told by table and verb: %s', (statement, change) => {
    expect(changeOf(statement)).toEqual(change);
  });
});
