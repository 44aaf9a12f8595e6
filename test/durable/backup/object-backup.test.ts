import { expect, onTestFinished, test, vi } from 'vitest';
import type { ExportAnswer, ExportedRow, ExportStep } from '../../../src/durable/backup/exported.ts';
import { exportObject } from '../../../src/durable/backup/object-export.ts';
import { importObject } from '../../../src/durable/backup/object-import.ts';
import {
  anObject,
  copy,
  expectCopyOfOneMoment,
  expectTheSame,
  expectWholeCopy,
  filled,
  inside,
} from './copied-objects.ts';

test('An object is copied with its tables, its values and what its numbers have come to', expectWholeCopy);

test('An object that goes on working is copied as it was in one moment', expectCopyOfOneMoment);

test('An object that has dropped a table meanwhile is to be copied anew', async () => {
  const [from, to] = [await filled(), anObject()];
  const drop = ({ sql }: DurableObjectStorage) =>
    void sql.exec('DROP TABLE keyless; CREATE TABLE keyless (name TEXT PRIMARY KEY, text TEXT)');
  expect(await copy(from, to, drop)).toBe('outdated');
  expect(await copy(from, to)).toBe('copied');
  await expectTheSame(from, to);
});

test('Of two copies of an object at once only the one that began last gets what has changed', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const object = anObject();
  const ask = (step: ExportStep) => inside(object, (storage) => exportObject(storage, step));
  const untilOf = (answer: ExportAnswer) => (answer.is === 'begun' ? answer.until : 0);
  const first = untilOf(await ask({ do: 'begin' }));
  vi.setSystemTime(Date.now() + 1);
  const last = untilOf(await ask({ do: 'begin' }));
  expect(await ask({ do: 'end', until: first })).toEqual({ is: 'outdated' });
  expect(await ask({ do: 'end', until: last })).toMatchObject({ is: 'changes' });
});

test('A copy says when the object is to wake, and that it is not to wake', async () => {
  const object = anObject();
  const ask = (step: ExportStep) => inside(object, (storage) => exportObject(storage, step));
  const alarms: (number | null)[] = [];
  const alarmAt = Date.now() + 3_600_000;
  for (const change of ['setAlarm', 'deleteAlarm'] as const) {
    await inside(object, (storage) => storage[change](alarmAt as never));
    await ask({ do: 'begin' });
    const answer = await ask({ do: 'end' });
    alarms.push('rest' in answer && answer.rest ? answer.rest.alarmAt : Number.NaN);
  }
  expect(alarms).toEqual([alarmAt, null]);
});

test('An import that was cut off is begun anew', async () => {
  const [from, to] = [await filled(), anObject()];
  await inside(to, async (storage) => {
    await importObject(storage, {
      do: 'begin',
      schema: { entries: [{ type: 'table', name: 'plain', sql: 'CREATE TABLE plain (x TEXT)' }], tables: [] },
    });
  });
  expect(await copy(from, to)).toBe('copied');
  await expectTheSame(from, to);
});

test('One answer of a copy holds a few megabytes, however large the rows are', async () => {
  const object = anObject();
  await inside(object, ({ sql }) => {
    sql.exec('CREATE TABLE large (id INTEGER PRIMARY KEY, text TEXT)');
    for (let id = 1; id <= 60; id += 1) sql.exec('INSERT INTO large VALUES (?, ?)', id, 'x'.repeat(300_000));
  });
  const read = (after: ExportedRow | null) =>
    inside(object, (storage) => exportObject(storage, { do: 'rows', table: 'large', after }));
  const counts: number[] = [];
  for (let after: ExportedRow | null = null; ; ) {
    const answer = await read(after);
    if (answer.is !== 'rows') throw new Error(answer.is);
    counts.push(answer.rows.length);
    after = answer.next;
    if (after === null) break;
  }
  expect(counts.slice(0, 3)).toEqual([20, 20, 20]);
});

test('A copy that took longer than changes are noted is to be begun anew', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const object = anObject();
  const ask = (step: ExportStep) => inside(object, (storage) => exportObject(storage, step));
  await ask({ do: 'begin' });
  vi.setSystemTime(Date.now() + 6 * 3_600_000 + 1);
  expect(await ask({ do: 'end' })).toEqual({ is: 'outdated' });
});
