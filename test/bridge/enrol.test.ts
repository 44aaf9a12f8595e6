import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { readConfig } from '../../src/session-bridge/config.ts';
import { Credential, EnrolmentRefused } from '../../src/session-bridge/edge/enrolment.ts';
import { EnrolError, enrolBridge } from '../../src/session-bridge/enrol.ts';
import { JournalDatabase } from '../../src/session-bridge/journal/database.ts';
import { makeLog } from '../../src/session-bridge/logging.ts';
import { FakeEdge } from './fake-edge.ts';
import { bridgeToken, enrolmentToken, fleetRegion, operatorToken } from './fake-enrolment.ts';

let edge: FakeEdge;
let folder: string;
let homes = 0;

beforeAll(async () => {
  edge = await FakeEdge.start();
  folder = await mkdtemp(join(tmpdir(), 'bridge-enrol-'));
});

afterAll(async () => {
  await edge.close();
  await rm(folder, { recursive: true });
});

const url = () => edge.url.replace('ws', 'http');
const neverAsked = () => expect.fail('the operator was asked');

function newHome(): string {
  homes += 1;
  return join(folder, `home ${homes}`);
}

function storedIn(home: string): { bridgeId: string; token: string | null } {
  const db = new JournalDatabase(home, () => undefined);
  try {
    return { bridgeId: db.bridgeId, token: db.meta('token') };
  } finally {
    db.close();
  }
}

test('a bridge is let in with its one-time token, keeps its credential for its owner alone, and says how to start it', async () => {
  const home = newHome();
  const env = { BRIDGE_ENROLMENT_TOKEN: enrolmentToken };
  const said = await enrolBridge(['--url', url(), '--home', home], env, neverAsked);
  const { bridgeId, token } = storedIn(home);
  expect(token).toBe(bridgeToken);
  expect((await stat(home)).mode & 0o777).toBe(0o700);
  expect((await stat(join(home, 'journal.sqlite'))).mode & 0o777).toBe(0o600);
  expect(said).toContain(bridgeId);
  expect(said).toContain(`GATEWAY_URL=${url()} BRIDGE_HOME='${home}' `);
  for (const secret of [bridgeToken, enrolmentToken]) expect(said).not.toContain(secret);
  // Once more: nothing is asked of anybody, and nothing changes.
  const again = await enrolBridge(['--url', 'http://127.0.0.1:1', '--home', home], {}, neverAsked);
  expect(again).toContain(`let in before, as ${bridgeId}`);
  expect(storedIn(home)).toEqual({ bridgeId, token });
});

test('the token is asked for where the environment has none', async () => {
  const home = newHome();
  const asked: string[] = [];
  await enrolBridge([], { GATEWAY_URL: url(), BRIDGE_HOME: home }, async (question) => {
    asked.push(question);
    return enrolmentToken;
  });
  expect(asked).toHaveLength(1);
  expect(storedIn(home).token).toBe(bridgeToken);
});

const somewhere = ['--url', 'http://gateway', '--home', '/nowhere'];

test.each([
  ['no folder', ['--url', 'http://gateway'], {}, /--home/],
  ['no gateway', ['--home', '/nowhere'], {}, /--url/],
  ['an address that is none', ['--url', 'gateway', '--home', '/nowhere'], {}, /^--url must be an http/],
  [
    'a name that comes too late',
    ['--url', 'http://gateway', '--home', '/nowhere', '--name', 'x'],
    {},
    /BOOTSTRAP_TOKEN/,
  ],
  ['a region that is none', [...somewhere, '--region', 'moon'], {}, /^--region must be one of wnam, .*weur/],
  ['a region that comes too late', [...somewhere, '--region', 'weur'], {}, /^--region needs BOOTSTRAP_TOKEN/],
  ['an option that is not known', ['--colour', 'red'], {}, /colour.*--url <gateway>/s],
])('with %s it says what is wrong, in a sentence', async (_, args, env, sentence) => {
  const failed = enrolBridge(args, env, neverAsked);
  await expect(failed).rejects.toThrow(EnrolError);
  await expect(failed).rejects.toThrow(sentence);
});

test('where nobody answers the question for the token, it says how to give one, and ends', async () => {
  const home = newHome();
  const command = ['src/session-bridge/enrol-main.ts', '--url', url(), '--home', home];
  const env = { ...process.env, BRIDGE_ENROLMENT_TOKEN: '', BOOTSTRAP_TOKEN: '' };
  const child = spawn(process.execPath, command, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect(said).toMatch(/Without a token no bridge is let in: set BRIDGE_ENROLMENT_TOKEN.*\n$/);
  expect(code).toBe(1);
});

test('the bridge is of the region that it is let into, and one that the gateway does not have is named', async () => {
  const home = newHome();
  const enrol = (region: string) =>
    enrolBridge(
      ['--url', url(), '--home', home, '--region', region],
      { BOOTSTRAP_TOKEN: operatorToken },
      neverAsked,
    );
  const refused = enrol('apac');
  await expect(refused).rejects.toThrow(EnrolError);
  await expect(refused).rejects.toThrow(
    `${url()} has no fleet in apac: its FLEET_REGIONS does not name that region.`,
  );
  expect(storedIn(home).token).toBeNull();
  await enrol(fleetRegion);
  expect(storedIn(home).token).toBe(bridgeToken);
});

test('a token that lets nobody in, a gateway that is not there and a folder that holds something else leave nothing behind', async () => {
  const home = newHome();
  const args = ['--url', url(), '--home', home];
  await expect(enrolBridge(args, { BRIDGE_ENROLMENT_TOKEN: 'wrong' }, neverAsked)).rejects.toThrow(
    'The enrolment token lets no bridge in',
  );
  await expect(enrolBridge(args, {}, async () => '')).rejects.toThrow('Without a token');
  const away = ['--url', 'http://127.0.0.1:1', '--home', home];
  await expect(enrolBridge(away, { BRIDGE_ENROLMENT_TOKEN: 'x' }, neverAsked)).rejects.toThrow(
    /^http:\/\/127\.0\.0\.1:1 did not let it in: .*(ECONNREFUSED|bad port)/,
  );
  expect(storedIn(home).token).toBeNull();
  await writeFile(join(folder, 'file'), '');
  const inFile = ['--url', url(), '--home', join(folder, 'file')];
  await expect(enrolBridge(inFile, {}, neverAsked)).rejects.toThrow('cannot be used');
});

/** A new bridge, and the edge that is to let it in. */
async function newBridgeAt(answer: (response: ServerResponse) => void): Promise<Credential> {
  const server = createServer((request, response) => {
    request.resume();
    answer(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const home = newHome();
  const db = new JournalDatabase(home, () => undefined);
  const config = readConfig({
    GATEWAY_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    BRIDGE_ENROLMENT_TOKEN: 'a token',
    VAULT_KEY: Buffer.from('0123456789abcdefghijklmnopqrstuv').toString('base64'),
    BRIDGE_HOME: home,
    RECONNECT_BASE_MS: '20',
  });
  onTestFinished(() => {
    db.close();
    server.closeAllConnections();
    server.close();
  });
  return new Credential(config, db, makeLog('silent'));
}

test.each([401, 403])('an edge that answers %d lets a bridge in never, and is asked once', async (status) => {
  let asked = 0;
  const credential = await newBridgeAt((response) => {
    asked += 1;
    response.writeHead(status).end();
  });
  await expect(credential.enrol(new AbortController().signal)).rejects.toThrow(EnrolmentRefused);
  expect([asked, credential.isKnown]).toEqual([1, false]);
});

test('an edge that does not answer in time, or not as it should, is asked again', async () => {
  const isLate = new AbortController();
  const limits = vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(isLate.signal);
  onTestFinished(() => limits.mockRestore());
  let asked = 0;
  const credential = await newBridgeAt((response) => {
    asked += 1;
    if (asked === 1) isLate.abort();
    else if (asked === 2) response.writeHead(503).end();
    else response.end(JSON.stringify(asked === 3 ? { token: '' } : { token: bridgeToken }));
  });
  await credential.enrol(new AbortController().signal);
  expect([asked, credential.token]).toEqual([4, bridgeToken]);
});

test.each(['BOOTSTRAP_TOKEN', 'BRIDGE_ENROLMENT_TOKEN'])(
  'a %s with a character that fits into no header is refused in words, and not shown',
  async (name) => {
    const home = newHome();
    const refused = enrolBridge(['--url', url(), '--home', home], { [name]: 'hbe_copied…badly' }, neverAsked);
    await expect(refused).rejects.toThrow(/ has a character that no token has: copy it once more\.$/);
    await expect(refused).rejects.not.toThrow(/badly/);
  },
);
