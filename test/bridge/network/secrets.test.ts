import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { NumberSeal } from '../../../src/session-bridge/vault/seal.ts';
import { VaultKeys } from '../../../src/session-bridge/vault/vault-keys.ts';
import type { FakeNumber } from '../fake-edge.ts';
import { bridgeToken, enrolmentToken } from '../fake-enrolment.ts';
import { newPhone, Stage, vaultKey } from '../stage.ts';

const texts = { out: 'the text that goes out', in: 'the text that comes in' };

const stage = Stage.open();
const filesAtDeath = new Map<string, Buffer>();
let number: FakeNumber;
let phones: string[];
let stdout: string;
/** Everything secret that the vault held at the end, in base64. */
let secrets: string[];

/** All binary values in an entry, wherever they stand; public keys are no secrets but are as good as a sign of a leak. */
function binaryValues(value: unknown): string[] {
  if (typeof value === 'string') return /^[A-Za-z0-9+/]{43}=$/.test(value) ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(binaryValues);
}

function isSession(key: string): boolean {
  return key.startsWith('session/') || key.startsWith('pre-key/') || key === 'creds';
}

/** Names of the files in a folder, those in folders of it too. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries.filter((it) => it.isFile()).map((it) => relative(folder, join(it.parentPath, it.name)));
}

beforeAll(async () => {
  const home = await stage.newHome();
  const first = await stage.spawnBridge(home);
  number = stage.edge.addNumber();
  phones = [newPhone(), newPhone()];
  const [phone = '', to = ''] = phones;
  number.pairByQr();
  stage.edge.grant(number, first.bridgeId);
  await stage.edge.until('a QR code', () => number.factsOf('pairing.qr').length > 0);
  // The edge takes nothing while the device is linked: all of its keys stand in the journal when the bridge dies.
  number.storesFacts = false;
  await stage.scan(number.factsOf('pairing.qr').at(-1)?.qr ?? '', phone);
  await stage.edge.until('it connects', () => stage.edge.received.join().includes('session.connected'));
  await first.kill();
  for (const file of await filesIn(home)) filesAtDeath.set(file, await readFile(join(home, file)));

  number.storesFacts = true;
  number.session = { type: 'session.start' };
  const second = await stage.spawnBridge(home);
  await stage.edge.until('it connects again', () => number.factsOf('session.connected').length > 1);
  const [message] = number.send({ to, text: texts.out });
  await stage.admin('POST', `phones/${to}/messages`, { to: phone, text: texts.in });
  await stage.edge.until('it is delivered', () => message && number.receiptsOf(message).length > 0);
  await stage.edge.until('it is received', () => number.inbound().length > 0);
  await second.terminate();
  stdout = stage.logLines.join('');
  const advertised = number.factsOf('pairing.qr').flatMap(({ qr }) => qr.split('#').at(1)?.split(',') ?? []);
  const seal = new NumberSeal(new VaultKeys(vaultKey), number.numberId);
  secrets = [...number.vault]
    .filter(([key]) => isSession(key))
    .flatMap(([key, sealed]) => binaryValues(JSON.parse(seal.open(key, sealed))))
    .filter((secret) => !advertised.includes(secret));
});

test('the vault holds the keys of a whole session', () => {
  expect(number.vault.size).toBeGreaterThan(800);
  expect(secrets.length).toBeGreaterThan(1600);
});

test('no key leaves the bridge other than sealed', () => {
  const frames = stage.edge.received.join('\n');
  expect(secrets.filter((secret) => frames.includes(secret))).toEqual([]);
});

test('no key is in the files of a bridge that died with all of them unacknowledged', () => {
  expect([...filesAtDeath.keys()]).toContain('journal.sqlite');
  expect(Buffer.concat([...filesAtDeath.values()]).includes('"pre-key/')).toBe(true);
  for (const [file, bytes] of filesAtDeath) {
    const found = secrets.filter(
      (secret) => bytes.includes(secret) || bytes.includes(Buffer.from(secret, 'base64')),
    );
    expect(found, file).toEqual([]);
  }
});

test('the output of the bridge is log lines alone, free of numbers, texts, keys and tokens', () => {
  const lines = stdout.split('\n').filter(Boolean);
  for (const line of lines) expect(() => JSON.parse(line)).not.toThrow();
  expect(lines.some((line) => line.includes('session.connected'))).toBe(true);
  const unspeakable = [
    ...phones,
    ...Object.values(texts),
    bridgeToken,
    enrolmentToken,
    vaultKey.toString('base64'),
    ...secrets,
  ];
  expect(unspeakable.filter((secret) => stdout.includes(secret))).toEqual([]);
});
