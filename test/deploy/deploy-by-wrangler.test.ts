import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { wranglerIn } from '../../src/deploy/platform/wrangler.ts';
import { runDeploy } from '../../src/deploy/run-deploy.ts';
import { runRotate } from '../../src/rotate/run-rotate.ts';
import { CloudflareStandIn } from './cloudflare-stand-in.ts';
import {
  configWritten,
  GatewayStandIn,
  newProject,
  realRoot,
  recordingTerminal,
  secretsKept,
} from './project.ts';

// Each start of wrangler takes a second or two: what it does is shown once here, and everything else in deploy.test.ts.
test('by the real wrangler: a run that was cut off is finished by the next, a third changes nothing, and a secret is replaced', async () => {
  const platform = await CloudflareStandIn.start();
  const root = newProject();
  try {
    const environment = {
      ...process.env,
      CLOUDFLARE_API_BASE_URL: platform.url,
      CLOUDFLARE_API_TOKEN: 'a token',
      CLOUDFLARE_ACCOUNT_ID: '',
      CI: '',
      WRANGLER_SEND_METRICS: 'false',
      WRANGLER_WRITE_LOGS: 'false',
    };
    let isSaidByWrangler = true;
    const run = async (name: string, ...args: string[]) => {
      const gateway = new GatewayStandIn(() => platform.workers.get(name)?.secrets.get('BOOTSTRAP_TOKEN'));
      const { terminal, said } = recordingTerminal(true);
      const before = platform.changes.length;
      const around = {
        ...{ projectRoot: root, terminal, ask: null, fetch: gateway.fetch },
        // Once as somebody who is signed in with wrangler.
        environment: isSaidByWrangler ? { ...environment, CLOUDFLARE_API_TOKEN: '' } : environment,
        wrangler: wranglerIn(root, environment, join(realRoot, 'node_modules')),
        resolves: async () => false,
        wait: async () => {},
        now: Date.now,
      };
      await runDeploy(['--yes', '--admin', 'ada@example.com', ...args], around);
      return { said: said(), changes: platform.changes.slice(before) };
    };

    platform.refuse = (method, path) =>
      method === 'PUT' && path.endsWith('/schedules')
        ? { status: 400, error: { code: 1, message: 'cut off' } }
        : null;
    const domain = ['--domain', 'gateway.example.com'];
    await expect(run('heliograph', ...domain)).rejects.toThrow('cut off');
    const first = new Map(platform.workers.get('heliograph')?.secrets);
    expect(Object.fromEntries(first)).toEqual(secretsKept(root));
    platform.refuse = () => null;
    isSaidByWrangler = false;

    const second = await run('heliograph', ...domain);
    expect(second.said).toContain('an earlier run was not finished');
    expect(second.said).toContain('#token=');
    expect(platform.workers.get('heliograph')).toMatchObject({
      crons: ['* * * * *'],
      secrets: first,
      migrationTag: expect.any(String),
    });
    expect(platform.buckets.get('heliograph-media')?.rules).toHaveLength(1);
    expect(platform.queues).toHaveLength(configWritten(root).queues.producers.length);
    for (const { name, consumers } of platform.queues) expect(consumers, name).toHaveLength(1);
    expect(platform.domains).toMatchObject([{ hostname: 'gateway.example.com', service: 'heliograph' }]);

    const everything = structuredClone(platform.everything);
    // On a machine that remembers nothing of it.
    rmSync(join(root, '.cloudflare', 'production.json'));
    const third = await run('heliograph');
    expect(third.changes).toEqual([]);
    expect(platform.everything).toEqual(everything);

    const token = platform.workers.get('heliograph')?.secrets.get('BOOTSTRAP_TOKEN');
    const { terminal } = recordingTerminal(true);
    await runRotate(['BOOTSTRAP_TOKEN', '--env', 'production'], {
      ...{ projectRoot: root, terminal, ask: null, environment, fetch, now: Date.now },
      wrangler: wranglerIn(root, environment, join(realRoot, 'node_modules')),
      resolves: async () => false,
      wait: async () => {},
    });
    const replaced = platform.workers.get('heliograph')?.secrets;
    expect(replaced?.get('BOOTSTRAP_TOKEN')).not.toBe(token);
    expect(secretsKept(root)).toMatchObject(Object.fromEntries(replaced ?? []));
    expect(platform.unknown).toEqual([]);
  } finally {
    await platform.stop();
    rmSync(root, { recursive: true });
  }
});
