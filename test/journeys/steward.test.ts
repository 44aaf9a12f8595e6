import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from 'miniflare';
import { expect, test } from 'vitest';
import { Steward } from '../../src/local/gateway/steward.ts';

/** More than the connection to the runtime's output holds, by far. */
const linesLogged = 5_000;
const compatibilityDate = '2026-09-15';
const noisyWorker = `
  const log = () => { for (let line = 0; line < ${linesLogged}; line += 1) console.log('line '.padEnd(400, '.')); };
  export default { fetch: () => new Response(log()), scheduled: log };
`;

test('a database is migrated and a cron fires while the runtime logs more than anybody can read at once', async () => {
  let logged = 0;
  const steward = new Steward(() => miniflare);
  const d1Databases = { DB: 'noisy' };
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      port: 0,
      cf: false,
      log: new Log(LogLevel.NONE),
      handleStructuredLogs: () => {
        logged += 1;
      },
      workers: [
        {
          name: 'noisy',
          compatibilityDate,
          modules: [{ type: 'ESModule', path: 'noisy.js', contents: noisyWorker }],
          d1Databases,
        },
        steward.worker('noisy', d1Databases, 'files', compatibilityDate),
      ],
    }),
  );
  try {
    const requests = Array.from({ length: 4 }, () => miniflare.dispatchFetch('http://noisy/'));
    await expect.poll(() => logged).toBeGreaterThan(0);
    const { database } = steward;
    await database.prepare('CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT)').run();
    await database.batch([
      database.prepare('INSERT INTO notes (text) VALUES (?)').bind('first'),
      database.prepare('INSERT INTO notes (text) VALUES (?)').bind('second'),
    ]);
    await steward.fireCron('* * * * *');
    const { results } = await database.prepare('SELECT text FROM notes ORDER BY id').all();
    expect(results.map(({ text }) => text)).toEqual(['first', 'second']);
    await expect(database.prepare('SELECT nothing FROM notes').all()).rejects.toThrow('nothing');
    for (const answer of await Promise.all(requests)) expect(answer.status).toBe(200);
    await expect.poll(() => logged).toBe(5 * linesLogged);
  } finally {
    await miniflare.dispose();
  }
});

test('files are deleted by their age, as the rule of the platform deletes them', async () => {
  const steward = new Steward(() => miniflare);
  const d1Databases = { DB: 'quiet' };
  const quiet = { type: 'ESModule' as const, path: 'quiet.js', contents: 'export default {}' };
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      port: 0,
      cf: false,
      log: new Log(LogLevel.NONE),
      workers: [
        { name: 'quiet', compatibilityDate, modules: [quiet], d1Databases, r2Buckets: { FILES: 'files' } },
        steward.worker('quiet', d1Databases, 'files', compatibilityDate),
      ],
    }),
  );
  try {
    const files = await miniflare.getR2Bucket('FILES', 'quiet');
    for (const key of ['account/1/bytes', 'account/1/about']) await files.put(key, 'old');
    expect(await steward.sweepFiles(Date.now() - 60_000)).toBe(0);
    expect((await files.list()).objects).toHaveLength(2);
    expect(await steward.sweepFiles(Date.now() + 60_000)).toBe(2);
    expect((await files.list()).objects).toEqual([]);
  } finally {
    await miniflare.dispose();
  }
});

test('a cron that a runtime never answers, since it does not come up again, is over in time', async () => {
  const steward = new Steward(() => ({ unsafeGetDirectURL: () => new Promise(() => {}) }));
  await expect(steward.fireCron('* * * * *', 50)).rejects.toThrow('aborted due to timeout');
});
