import { afterEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { FileProcess } from '../../../src/session-bridge/media/file-process/file-process.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

test('what looks into files of strangers has nothing of the environment of the bridge, which holds its secrets', async () => {
  vi.stubEnv('VAULT_KEY_OF_TEST', 'secret');
  const script = new URL('./environment-job.ts', import.meta.url);
  const process = new FileProcess<string, string>({
    ...{ script, result: z.string(), jobMs: 60_000, heapMebibytes: 64 },
  });
  try {
    expect(await process.do('VAULT_KEY_OF_TEST')).toEqual({ result: 'nothing' });
  } finally {
    process.close();
  }
});

test('jobs are done one after the other, and more than may wait are turned away', async () => {
  const script = new URL('./environment-job.ts', import.meta.url);
  const process = new FileProcess<string, string>({
    ...{ script, result: z.string(), jobMs: 60_000, waitingMax: 1, heapMebibytes: 64 },
  });
  try {
    const [done, late] = [{ result: 'nothing' }, { lost: 'too many' }];
    expect(await Promise.all(['A', 'B', 'C'].map((job) => process.do(job)))).toEqual([done, done, late]);
  } finally {
    process.close();
  }
});

test('a process that is ended for what it answers takes no other job with it', async () => {
  const script = new URL('./environment-job.ts', import.meta.url);
  let answers = 0;
  const result = z.string().refine(() => {
    answers += 1;
    return answers > 1;
  });
  const process = new FileProcess<string, string>({ script, result, jobMs: 60_000, heapMebibytes: 64 });
  try {
    const outcomes = await Promise.all(['A', 'B'].map((job) => process.do(job)));
    expect(outcomes).toEqual([{ lost: 'not understood' }, { result: 'nothing' }]);
  } finally {
    process.close();
  }
});

test('a process that is closed is gone, and does no further job', async () => {
  const script = new URL('./environment-job.ts', import.meta.url);
  const jobs = new FileProcess<string, string>({
    ...{ script, result: z.string(), jobMs: 60_000, heapMebibytes: 64 },
  });
  const answer = await jobs.do('process id');
  jobs.close();
  const id = 'result' in answer ? Number(answer.result) : expect.fail('it did not say who it is');
  await expect.poll(() => isThere(id)).toBe(false);
  expect(await jobs.do('A')).toEqual({ lost: 'closed' });
});

function isThere(processId: number): boolean {
  try {
    return process.kill(processId, 0);
  } catch {
    return false;
  }
}
