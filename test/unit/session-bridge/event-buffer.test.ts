import { makeEventBuffer } from '@whiskeysockets/baileys';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { silentLogger } from '../../../src/session-bridge/network/client/client-shapes.ts';
import { emptyBuffer } from '../../../src/session-bridge/network/client/make-client.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('what the client has held back is told at once, and what comes after it waits no longer than before', async () => {
  const ev = makeEventBuffer(silentLogger);
  const told: string[] = [];
  ev.on('contacts.upsert', (contacts) => told.push(...contacts.map(({ id }) => id)));
  const hear = (id: string) => ev.createBufferedFunction(async () => ev.emit('contacts.upsert', [{ id }]));
  const sync = ev.createBufferedFunction(async () => {
    await hear('during a sync')();
    emptyBuffer(ev);
    expect(told).toEqual(['during a sync']);
  });
  await sync();
  await vi.advanceTimersByTimeAsync(1_000);
  await hear('afterwards')();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(told).toEqual(['during a sync', 'afterwards']);
});

test('a buffer that holds nothing back is left as it is', () => {
  const ev = makeEventBuffer(silentLogger);
  emptyBuffer(ev);
  expect(ev.isBuffering()).toBe(false);
});
