import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runningAt } from '../../../src/backup/running-gateway.ts';

test('a gateway that is too busy to answer is not taken for one that does not run', async () => {
  const home = mkdtempSync(join(tmpdir(), 'heliograph-home-'));
  let isBusy = false;
  const server = createServer((_, response) => void (isBusy || response.end('{}')));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    expect(await runningAt(home)).toBeNull();
    writeFileSync(join(home, 'local.json'), JSON.stringify({ baseUrl }));
    expect(await runningAt(home)).toBe(baseUrl);
    isBusy = true;
    await expect(runningAt(home, 50)).rejects.toThrow(`The gateway at ${baseUrl} runs, and does not answer`);
  } finally {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
  expect(await runningAt(home)).toBeNull();
  writeFileSync(join(home, 'local.json'), '{"baseUrl":');
  expect(await runningAt(home)).toBeNull();
  rmSync(home, { recursive: true });
});
