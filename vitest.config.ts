import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { chromiumPath } from './test/browser/stage/chromium.ts';
import { testBindings } from './test/test-bindings.ts';
import { cloudflareTest, readD1Migrations } from './test/vitest-plugin.ts';

// The Worker does not start without its static files.
execFileSync(process.execPath, ['scripts/build/assets.js']);

const migrations = await readD1Migrations('./migrations');

// `.ci/run` sets it, and has installed a browser: there nothing is left out.
const needsBrowser = process.env.BROWSER_TESTS === 'required';
if (chromiumPath === null) {
  const missing =
    'There is no Chromium on this machine (apt-get install chromium-headless-shell, or set CHROMIUM_PATH)';
  if (needsBrowser) throw new Error(`${missing}.`);
  console.warn(`${missing}: the tests of the dashboard in a browser are SKIPPED.`);
}

/** What the Worker imports from packages. One that is missing here only makes the tests start more slowly. */
const bundledLibraries = [
  '@ai-sdk/openai-compatible',
  '@zxcvbn-ts/language-common',
  'age-encryption',
  'ai',
  'content-disposition',
  'drizzle-orm',
  'drizzle-orm/batch',
  'drizzle-orm/d1',
  'drizzle-orm/errors',
  'drizzle-orm/sqlite-core',
  'file-type',
  'hono',
  'hono/cookie',
  'hono/cors',
  'hono/route',
  'hono/secure-headers',
  'image-size',
  'ipaddr.js',
  'jose',
  'jose/errors',
  'libphonenumber-js/min',
  'lru-cache',
  'marked',
  'mime',
  'otpauth',
  'papaparse',
  'unpdf',
  're2js',
  'uqr',
  'uuid',
  'workers-ai-provider',
  'zod',
];

/**
 * Loads with its file what the Worker imports when it is needed first. In tests such an import is a question to Vitest, which
 * waits for its answer at the end, for ever where whoever asked is gone by then: a queue's batch that a test left behind.
 */
const eagerImports: Plugin = {
  name: 'eager-imports',
  enforce: 'pre',
  transform: {
    filter: { id: /\/src\/worker\/.*\.ts$/, code: /await import\(/ },
    handler(code) {
      const imports: string[] = [];
      const eager = code.replaceAll(/await import\(('[^']+')\)/g, (_, from: string) => {
        imports.push(`import * as eager${imports.length} from ${from};`);
        return `eager${imports.length - 1}`;
      });
      return { code: `${imports.join('')}${eager}`, map: null };
    },
  },
};

/** Of those that run at once: whose files take long, and begin with the rest still behind them. */
const longFirst = ['journeys', 'browser', 'wire'];

/**
 * Longest first, as measured by the last run (before there was one: by size), and project after project. A runtime that files
 * share is kept only while the next file in the queue is of the same project: to start a workerd anew, with all that the Worker
 * imports, takes longer than most files.
 */
class ProjectByProject extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const longestFirst = await super.sort(files);
    const place = ({ project: { name } }: TestSpecification) => `${longFirst.indexOf(name)} ${name}`;
    return longestFirst.sort((a, b) => place(a).localeCompare(place(b)));
  }
}

/*
 * No test is about speed: these limits end what hangs, and leave room for one core that runs everything. Whoever needs more
 * has too much in one test.
 */
const polls = { poll: { timeout: 60_000 } };
const unitMs = 30_000;
const testMs = 120_000;
/** Parts are killed, started again and waited for; one bridge is frozen for half a minute. */
const journeyMs = 300_000;

/*
 * Two groups, one after the other, each with as many workers as keep two cores busy, or one. Journeys and the bridge's tests wait
 * for other processes much of the time, and pages of a browser for the gateway. Each worker of `edge` has a workerd of its own.
 */
const cores = Math.min(2, availableParallelism());
const waiting = { maxWorkers: 5 * cores - 3, sequence: { groupOrder: 0 } };
const computing = { maxWorkers: cores + 1, sequence: { groupOrder: 1 } };

/** Node loads and strips the sources by itself, and keeps what it made of them: nothing here is mocked or renamed. */
const nativeModules = (...setupFiles: string[]) => ({
  experimental: { viteModuleRunner: false, nodeLoader: false },
  setupFiles: ['test/in-node/native-setup.ts', ...setupFiles],
});

/** The same with the Worker, or its objects alone, hosted in Node: what the runtime provides comes from `test/in-node/`. */
const hostedInNode = (host: 'objects' | 'worker') => ({
  ...nativeModules('test/shown-logs.ts', `test/in-node/${host}/setup.ts`),
  env: { HELIOGRAPH_HOSTED: host },
  disableConsoleIntercept: true,
});

export default defineConfig({
  test: {
    silent: 'passed-only',
    // A worker stops the gateway that its files had.
    teardownTimeout: testMs,
    sequence: { sequencer: ProjectByProject },
    projects: [
      {
        // Pure cores, in Node: no clock, no network, no storage but what the test passes in.
        test: {
          name: 'unit',
          // Some look at the Worker's routes.
          ...nativeModules('scripts/build/outside-workerd.js'),
          ...computing,
          expect: polls,
          testTimeout: unitMs,
          isolate: false,
          include: ['test/unit/**/*.test.ts', 'test/contract/**/*.test.ts', 'test/sdk/**/*.test.ts'],
        },
      },
      {
        // Objects, hosted in Node over `node:sqlite`: what is SQL and rules alone.
        test: {
          name: 'objects',
          ...hostedInNode('objects'),
          ...computing,
          expect: polls,
          testTimeout: testMs,
          hookTimeout: testMs,
          isolate: false,
          include: ['test/durable/**/*.test.ts'],
          exclude: ['test/durable/**/*.workerd.test.ts'],
        },
      },
      {
        // The Worker with its objects and queues, hosted in Node in the same way: what its routes make of a request.
        test: {
          name: 'worker',
          ...hostedInNode('worker'),
          ...computing,
          expect: polls,
          testTimeout: testMs,
          hookTimeout: testMs,
          isolate: false,
          include: ['test/worker/**/*.test.ts'],
          exclude: ['test/worker/**/*.workerd.test.ts'],
          // A mail server, an identity provider, and the server of a model.
          globalSetup: ['test/worker/people/identity-servers.ts', 'test/worker/model-server-setup.ts'],
        },
      },
      {
        // Objects, queues and routes, in workerd: what depends on the runtime.
        plugins: [
          eagerImports,
          cloudflareTest({
            wrangler: { configPath: './wrangler.toml' },
            miniflare: {
              bindings: {
                ...testBindings(),
                MIGRATIONS: migrations,
              },
              // Vectorize has no local simulation: a stand-in over RPC, as far as this project uses it.
              serviceBindings: { VECTORIZE: { name: 'vectorize-stand-in', entrypoint: 'VectorizeStandIn' } },
              workers: [
                {
                  name: 'vectorize-stand-in',
                  modules: true,
                  scriptPath: 'test/vectorize/vectorize-stand-in.js',
                  compatibilityDate: '2026-09-15',
                },
              ],
            },
          }),
        ],
        test: {
          name: 'edge',
          ...computing,
          expect: polls,
          // Files share a workerd and what it has loaded: to start one takes longer than most files. Each file begins with
          // nothing stored all the same (edge-setup.ts).
          isolate: false,
          disableConsoleIntercept: true,
          // A workerd fetches module by module: a library bundled is one.
          deps: { optimizer: { ssr: { enabled: true, include: bundledLibraries } } },
          include: ['test/**/*.workerd.test.ts'],
          setupFiles: ['test/edge-mocks.ts', 'test/shown-logs.ts', 'test/edge-setup.ts'],
          // A mail server, an identity provider, and the server of a model, in Node.
          globalSetup: ['test/worker/people/identity-servers.ts', 'test/worker/model-server-setup.ts'],
          testTimeout: testMs,
        },
      },
      {
        // The simulator and the bridge, over the real wire, in Node.
        test: {
          name: 'wire',
          // As the bridge's process has it: before the client of the network.
          ...nativeModules('src/session-bridge/network/client/fast-signatures.ts'),
          ...waiting,
          expect: polls,
          isolate: false,
          include: ['test/simulator/**/*.test.ts', 'test/bridge/**/*.test.ts', 'test/deploy/**/*.test.ts'],
          testTimeout: testMs,
          hookTimeout: testMs,
        },
      },
      {
        // The whole path, with the processes that run in production.
        test: {
          name: 'journeys',
          ...nativeModules(),
          ...waiting,
          expect: polls,
          isolate: false,
          include: ['test/journeys/**/*.test.ts'],
          globalSetup: ['test/journeys/stage/built-worker.ts'],
          testTimeout: journeyMs,
          hookTimeout: journeyMs,
        },
      },
      {
        // The dashboard in Chromium, before the gateway and the simulator that run in production.
        test: {
          name: 'browser',
          ...nativeModules(),
          ...waiting,
          expect: polls,
          isolate: false,
          include: chromiumPath === null ? [] : ['test/browser/**/*.test.ts'],
          globalSetup: ['test/browser/stage/shared-stage.ts'],
          testTimeout: testMs,
          hookTimeout: testMs,
        },
      },
    ],
  },
});
