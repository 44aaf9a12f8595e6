import { expect, test } from 'vitest';
import { JournalLimit } from '../../../src/session-bridge/journal/journal-limit.ts';
import { makeLog } from '../../../src/session-bridge/logging.ts';

test('that a journal is full is said once, however often it is looked at, and so is that it has room', async () => {
  const said: string[] = [];
  let bytes = 101;
  const limit = new JournalLimit({
    db: { usedBytes: () => bytes },
    bytesMax: 100,
    log: makeLog('info', { write: (line) => said.push(JSON.parse(line).msg) }),
  });
  const isRefused = () => expect(limit.room(AbortSignal.abort())).rejects.toThrow();
  for (let times = 0; times < 3; times += 1) await isRefused();
  expect(said).toEqual(['journal.full']);
  bytes = 100;
  for (let times = 0; times < 3; times += 1) await limit.room(AbortSignal.abort());
  expect(said).toEqual(['journal.full', 'journal.has_room']);
});
