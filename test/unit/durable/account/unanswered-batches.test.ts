import { expect, onTestFinished, test, vi } from 'vitest';
import { accountMigrations } from '../../../../src/durable/account/migrations.ts';
import { Backlog } from '../../../../src/durable/account/outbox/backlog.ts';
import type { Failures } from '../../../../src/durable/account/outbox/failures.ts';
import { HandOver } from '../../../../src/durable/account/outbox/hand-over.ts';
import type { OptOuts } from '../../../../src/durable/account/recipients/opt-outs.ts';
import type { CurrentPool } from '../../../../src/durable/account/senders/current-pool.ts';
import { newSender } from '../../../../src/durable/account/senders/sender.ts';
import type { Senders } from '../../../../src/durable/account/senders/senders.ts';
import type { AcceptedMessage } from '../../../../src/durable/hand-over/message-batch.ts';
import { sqliteStorage } from '../campaign/sqlite-storage.ts';

test('a number that does not answer is asked again after longer and longer waits, a minute at most', async () => {
  const began = Date.UTC(2026, 10, 26, 12);
  vi.useFakeTimers({ toFake: ['Date'], now: began });
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  onTestFinished(() => {
    vi.useRealTimers();
    logged.mockRestore();
  });
  const { sql } = sqliteStorage();
  for (const step of accountMigrations) sql.exec(step.sql);
  const backlog = new Backlog(sql);
  const sender = newSender('number');
  Object.assign(sender, { room: 100, report: { state: 'connected', health: { status: 'healthy' } } });
  const calls: Promise<void>[] = [];
  const handOver = new HandOver({
    senders: { of: () => sender, all: [sender], save: () => {} } as unknown as Senders,
    backlog,
    currentPool: { noteFailing: () => {} } as unknown as CurrentPool,
    optOuts: { mayHaveSince: () => false } as unknown as OptOuts,
    failures: {} as unknown as Failures,
    change: (work) => work(),
    give: () => Promise.reject(new Error('the number is away')),
    waitUntil: (call) => void calls.push(call),
  });
  const message: AcceptedMessage = {
    messageId: 'msg_1',
    to: '628111222333',
    chatType: 'personal',
    senderSource: 'pool',
    content: { type: 'text', text: 'hello' },
    isNewChat: false,
    mayMove: true,
    queuedAt: Date.now(),
    expiresAt: Date.now() + 86_400_000,
  };
  backlog.add(sender, message, null, Date.now());
  handOver.form(sender, Date.now());
  handOver.start();
  const waits: number[] = [];
  for (let times = 0; times < 10; times += 1) {
    await Promise.all(calls.splice(0));
    const dueAt = handOver.dueAt() ?? 0;
    waits.push(dueAt - Date.now());
    vi.setSystemTime(dueAt);
    handOver.run(Date.now());
  }
  expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000]);
  // What waits behind moves when it has not answered for so long, however often it was asked.
  expect(handOver.failingSince('number')).toBe(began);
});
