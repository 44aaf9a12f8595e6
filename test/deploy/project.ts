import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, stringify } from 'smol-toml';
import type { Surroundings } from '../../src/deploy/surroundings.ts';
import type { WranglerConfig } from '../../src/deploy/wanted/worker-config.ts';

export const realRoot = fileURLToPath(new URL('../..', import.meta.url));

/** A project that deploys as this one does, by the same `wrangler.toml`, with a Worker that is built in no time. */
export function newProject(): string {
  const root = mkdtempSync(join(tmpdir(), 'heliograph-deploy-'));
  const config = parse(readFileSync(join(realRoot, 'wrangler.toml'), 'utf8'));
  const { build: _, ...rest } = config;
  writeFileSync(
    join(root, 'wrangler.toml'),
    stringify({
      ...rest,
      main: 'worker.js',
      assets: { directory: 'assets', binding: 'ASSETS' },
    }),
  );
  const classes = (config.migrations as { new_sqlite_classes?: string[] }[]).flatMap(
    (step) => step.new_sqlite_classes ?? [],
  );
  writeFileSync(
    join(root, 'worker.js'),
    `import { DurableObject } from 'cloudflare:workers';
${classes.map((name) => `export class ${name} extends DurableObject {}`).join('\n')}
export default { fetch: () => new Response(), queue() {}, scheduled() {} };
`,
  );
  mkdirSync(join(root, 'assets'));
  writeFileSync(join(root, 'assets', 'page.txt'), 'a page');
  writeFileSync(join(root, 'package.json'), '{"name": "heliograph", "version": "0.1.0", "type": "module"}');
  cpSync(join(realRoot, 'migrations'), join(root, 'migrations'), { recursive: true });
  return root;
}

/** Plays the deployed gateway, as somebody outside sees it. */
export class GatewayStandIn {
  /** Who has signed up. */
  readonly people = new Set<string>();
  isBridgeLinked = false;
  refusesAll = false;
  readonly asked: string[] = [];
  readonly operatorToken: () => string | undefined;

  constructor(operatorToken: () => string | undefined) {
    this.operatorToken = operatorToken;
  }

  readonly fetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(String(input));
    const { pathname } = url;
    this.asked.push(`${init.method ?? 'GET'} ${url.href}`);
    if (this.refusesAll)
      return Response.json(
        {
          error: {
            code: 'INTERNAL',
            message: 'A setting of this gateway is wrong. Its log names the variable.',
          },
        },
        { status: 500 },
      );
    if (pathname === '/healthz') return Response.json({ status: 'ok' });
    const isOperator =
      new Headers(init.headers).get('Authorization') === `Bearer ${this.operatorToken()}` &&
      this.operatorToken() !== undefined;
    if (pathname === '/readyz') {
      const checks = { database: true, queue: true, bridges: this.isBridgeLinked };
      return Response.json(isOperator ? { status: 'ready', checks } : { status: 'ready' });
    }
    if (!isOperator)
      return Response.json({ error: { code: 'UNAUTHENTICATED', message: 'No.' } }, { status: 401 });
    if (pathname === '/v1/operator/bridges')
      return Response.json(
        { token: `hbe_${this.asked.length}`, expiresAt: '2026-12-01T00:00:00.000Z' },
        { status: 201 },
      );
    const { email } = JSON.parse(String(init.body));
    if (this.people.has(email))
      return Response.json({ error: { code: 'CONFLICT', message: 'There is one.' } }, { status: 409 });
    const link = `${url.origin}/sign-up/verify#token=${this.asked.length}`;
    return Response.json({ status: 'verification_sent', link }, { status: 202 });
  };
}

/** A terminal of which everything is kept. */
export function recordingTerminal(isRead: boolean) {
  const lines: string[] = [];
  const terminal: Surroundings['terminal'] = {
    isRead,
    title: (text) => void lines.push(text),
    heading: (text) => void lines.push(text),
    row: (name, value) => void lines.push(`${name}: ${value}`),
    text: (text) => void lines.push(text),
    ok: (name, value) => void lines.push(`✓ ${name}: ${value}`),
    warn: (text) => void lines.push(`! ${text}`),
  };
  return { terminal, lines, said: () => lines.join('\n') };
}

export const configWritten = (root: string, env = 'production'): WranglerConfig & Record<string, unknown> =>
  JSON.parse(readFileSync(join(root, `wrangler.${env}.json`), 'utf8'));
export const secretsKept = (root: string, env = 'production'): Record<string, string> =>
  JSON.parse(readFileSync(join(root, '.cloudflare', 'private', `${env}.secrets.json`), 'utf8'));
