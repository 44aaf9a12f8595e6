import { execFileSync } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin';
import { defineConfig } from 'vitest/config';

const secrets = {
  JWT_PRIVATE_KEY: JSON.stringify(generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })),
  WEBHOOK_SEALING_KEY: randomBytes(32).toString('base64'),
  BRIDGE_TOKEN: randomBytes(24).toString('base64url'),
  BOOTSTRAP_TOKEN: randomBytes(24).toString('base64url'),
};

// The Worker does not start without its static files.
execFileSync(process.execPath, ['scripts/build-assets.js']);

const migrations = await readD1Migrations('./migrations');

export default defineConfig({
  test: {
    silent: 'passed-only',
    // By default one core is left free, which on two cores means one file after the other.
    maxWorkers: 2,
    projects: [
      {
        // Pure cores, in Node: no clock, no network, no storage but what the test passes in.
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts', 'test/contract/**/*.test.ts', 'test/sdk/**/*.test.ts'],
        },
      },
      {
        // Objects, queues and routes, in workerd.
        plugins: [
          cloudflareTest({
            wrangler: { configPath: './wrangler.toml' },
            miniflare: {
              bindings: {
                ...secrets,
                WEBHOOK_TARGETS: 'loopback',
                MIGRATIONS: migrations,
              },
            },
          }),
        ],
        test: {
          name: 'edge',
          include: ['test/durable/**/*.test.ts', 'test/worker/**/*.test.ts'],
          setupFiles: ['test/edge-setup.ts'],
          // A mail server and an identity provider, in Node.
          globalSetup: ['test/worker/identity-servers.ts'],
          testTimeout: 20_000,
        },
      },
      {
        // The simulator and the bridge, over the real wire, in Node.
        test: {
          name: 'wire',
          include: ['test/simulator/**/*.test.ts', 'test/bridge/**/*.test.ts'],
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
      {
        // The whole path, with the processes that run in production.
        test: {
          name: 'journeys',
          include: ['test/journeys/**/*.test.ts'],
          exclude: ['test/journeys/sender-pool.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
      {
        // Mostly waiting (a link is down for a minute), so beside the other journeys and not behind them.
        test: {
          name: 'pool',
          include: ['test/journeys/sender-pool.test.ts'],
          testTimeout: 300_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
