import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { generateX25519Identity } from 'age-encryption';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Manifest } from '../../src/backup/manifest.ts';
import { BackupReader } from '../../src/backup/sealed-folder.ts';
import { projectRoot } from '../../src/local/project-root.ts';
import { waitUntil } from '../wait-until.ts';
import { type AcceptedMessage, Customer } from './stage/customer.ts';
import { GatewayProcess } from './stage/gateway-process.ts';
import { RestoringDeployment } from './stage/restoring-deployment.ts';

let gateway: GatewayProcess;
let customer: Customer;
let backups: string;
let BACKUP_KEY: string;
/** Variables of the next commands. */
let more: Record<string, string> = {};
/** What the gateway has done before it was lost. */
let revokedKey: string;
let contactId: string;
let before: AcceptedMessage;
let accepted: AcceptedMessage[];
let told: EventPage['data'];

beforeAll(async () => {
  backups = mkdtempSync(join(tmpdir(), 'heliograph-backups-'));
  gateway = await GatewayProcess.start({
    WEBHOOK_RETRY_SECONDS: '1,1,1,1,1,1,1,1',
    KEY_RATE_PER_SECOND: '1000',
    KEY_RATE_BURST: '1000',
  });
  customer = await Customer.join(gateway);
  BACKUP_KEY = await generateX25519Identity();
});

afterAll(async () => {
  await customer?.leave();
  await gateway?.discard();
  rmSync(backups, { recursive: true, force: true });
});

function run(command: 'backup' | 'restore', ...args: string[]) {
  const env = { ...process.env, ...gateway.environment, ...(BACKUP_KEY && { BACKUP_KEY }), ...more };
  return promisify(execFile)(process.execPath, ['scripts/backup.js', command, ...args], {
    cwd: projectRoot,
    env,
  });
}

const failure = async (work: Promise<unknown>): Promise<string> => {
  const error = await work.then(
    () => new Error('it did not fail'),
    (it: Error & { stderr?: string }) => it,
  );
  return 'stderr' in error ? String(error.stderr) : error.message;
};

interface EventPage {
  data: { cursor: string; id: string; event: string; data: { messageId?: string } }[];
  nextCursor: string;
}
interface Message {
  messageId: string;
  status: string;
  errorCode: string | null;
  text: string;
}
interface MessagePage {
  data: Message[];
}

const events = (after?: string) =>
  customer.get<EventPage>(`/v1/events?limit=200${after === undefined ? '' : `&after=${after}`}`);

/** Everything behind a cursor. */
async function allEvents(after?: string): Promise<EventPage['data']> {
  const found: EventPage['data'] = [];
  let page = await events(after);
  while (page.data.length > 0) {
    found.push(...page.data);
    page = await events(page.nextCursor);
  }
  return found;
}

test('a backup is made of a gateway under load, and nobody feels it', async () => {
  const { key, id } = await customer.admin<{ key: string; id: string }>('POST', '/v1/auth/api-keys', {
    name: 'Old server',
  });
  revokedKey = key;
  await customer.admin('DELETE', `/v1/auth/api-keys/${id}`);
  const person = { phoneNumber: customer.recipient, name: 'Ana Backup' };
  ({ contactId } = await customer.admin<{ contactId: string }>('POST', '/v1/contacts', person));
  before = await customer.send('before everything');
  await waitUntil('The first message was not read', async () =>
    (await customer.get<Message>(`/v1/messages/${before.messageId}`)).status === 'read' ? true : null,
  );
  // Some are there before the backup, and others come all the while that it is made.
  accepted = await customer.sendMany(30);
  let isMade = false;
  const sender = async () => {
    while (!isMade && accepted.length < 300) {
      const text = `meanwhile ${randomUUID()}`;
      const response = await customer.sendOnce({ to: customer.recipient, text }, randomUUID());
      // A backup is felt by nobody.
      expect(response.status).toBe(202);
      const { messageId } = (await response.json()) as { messageId: string };
      accepted.push({ messageId, numberId: customer.numberId, to: customer.recipient, text });
      // The next when this one is read: there is always one under way, and the copy does not wait for a machine that is busy with it.
      await waitUntil('A message is not read', async () =>
        (await customer.get<Message>(`/v1/messages/${messageId}`)).status === 'read' ? true : null,
      );
    }
  };
  const sending = sender();
  await run('backup', '--to', backups).finally(() => {
    isMade = true;
  });
  await sending;
  await waitUntil('Not everything was read', async () => {
    const open = ['queued', 'sent', 'delivered'].map((status) =>
      customer.get<MessagePage>(`/v1/messages?status=${status}&limit=1`),
    );
    return (await Promise.all(open)).every(({ data }) => data.length === 0) ? true : null;
  });
  told = await allEvents();
});

test('restored into an empty folder, it goes on as the same gateway', async () => {
  await gateway.stop();
  // The network goes on; the gateway is lost with all that it had.
  const network = mkdtempSync(join(tmpdir(), 'heliograph-network-'));
  cpSync(join(gateway.home, 'simulator'), network, { recursive: true });
  for (const name of readdirSync(gateway.home)) rmSync(join(gateway.home, name), { recursive: true });

  const own = BACKUP_KEY;
  BACKUP_KEY = (await run('backup', '--new-key')).stdout.trim();
  expect(await failure(run('restore', '--from', backups))).toContain('was sealed for another key');
  BACKUP_KEY = own;
  expect(readdirSync(gateway.home)).toEqual([]);
  cpSync(network, join(gateway.home, 'simulator'), { recursive: true });
  rmSync(network, { recursive: true });
  await run('restore', '--from', backups);
  expect(await failure(run('restore', '--from', backups))).toContain('There is a gateway in');
  await gateway.start();

  // The same number speaks, without a new pairing.
  const { token } = await customer.admin<{ token: string }>('POST', '/v1/auth/login', {
    email: customer.email,
    password: customer.password,
  });
  customer.token = token;
  const after = await customer.send('after the restore');
  expect(after.numberId).toBe(customer.numberId);
  await waitUntil('The number does not speak', async () =>
    (await customer.get<Message>(`/v1/messages/${after.messageId}`)).status === 'read' ? true : null,
  );
  await customer.receiveMany(1, []);

  // What was revoked is; what was known is known.
  expect((await customer.sendOnce({ to: customer.recipient, text: 'x' }, 'k', revokedKey)).status).toBe(401);
  expect(await customer.admin('GET', `/v1/contacts/${contactId}`)).toMatchObject({ name: 'Ana Backup' });
  const listed = await customer.get<{ data: { url: string }[] }>('/v1/webhooks').catch(() => null);
  expect(listed === null || listed.data.length === 1).toBe(true);

  // Each message that the restored log knows has ended, and none has left twice.
  await waitUntil('Messages are under way for ever', async () =>
    (await customer.get<MessagePage>('/v1/messages?status=queued&limit=1')).data.length === 0 ? true : null,
  );
  const { data: failed } = await customer.get<MessagePage>('/v1/messages?status=failed&limit=200');
  expect(failed.filter(({ errorCode }) => errorCode !== 'unknown_outcome')).toEqual([]);
  for (const { messageId } of [before, ...accepted.slice(0, 30)])
    expect(await customer.get(`/v1/messages/${messageId}`)).toMatchObject({ messageId });
  const arrived = await customer.arrived();
  expect(arrived.filter(({ count }) => count !== 1)).toEqual([]);
  expect(arrived).toHaveLength(accepted.length + 2);

  // Events: a reader goes on from where it was in the backup; what came behind that is not taken for something else.
  const restored = await allEvents();
  const common = told.filter(({ id }, index) => restored[index]?.id === id);
  expect(common.length).toBeGreaterThan(60);
  const last = common.at(-1);
  const onwards = await allEvents(last?.cursor);
  expect(onwards.map(({ id }) => id)).toEqual(restored.slice(common.length).map(({ id }) => id));
  expect(onwards.some(({ data }) => data.messageId === after.messageId)).toBe(true);
  const beyond = told.at(-1);
  if (common.length < told.length) expect(await failure(events(beyond?.cursor))).toContain('CURSOR_EXPIRED');
});

test('it is copied as a deployment is, by its address and with the secrets that its operator keeps, and restored into an empty one', async () => {
  const secretsFile = join(backups, 'secrets.json');
  await run('restore', '--from', backups, '--secrets-to', secretsFile);
  const secrets = JSON.parse(readFileSync(secretsFile, 'utf8')) as Record<string, string>;
  const elsewhere = mkdtempSync(join(tmpdir(), 'heliograph-backups-'));
  const gatewayUrl = gateway.local.baseUrl;
  more = { BOOTSTRAP_TOKEN: secrets.BOOTSTRAP_TOKEN ?? '' };
  await run('backup', '--to', elsewhere, '--gateway', gatewayUrl, '--secrets', secretsFile);

  // It answers nobody else meanwhile.
  const home = join(elsewhere, 'home');
  const deployment = await RestoringDeployment.start(home, secrets);
  const into = ['restore', '--from', elsewhere, '--gateway', deployment.url] as const;
  try {
    expect((await fetch(`${deployment.url}/v1/messages`)).status).toBe(503);
    more = { BOOTSTRAP_TOKEN: 'of another gateway' };
    expect(await failure(run(...into))).toContain("does not know this operator's token");
    more = { BOOTSTRAP_TOKEN: secrets.BOOTSTRAP_TOKEN ?? '' };
    await run(...into, '--nothing-sent-since');
    expect(await failure(run(...into))).toContain('The gateway has accounts already');
  } finally {
    await deployment.stop();
  }

  // The gateway itself on that state has what the first has; and what is not running is copied too.
  for (const name of ['secrets.json', 'layout']) cpSync(join(gateway.home, name), join(home, name));
  more = { HELIOGRAPH_HOME: home };
  await run('backup', '--to', elsewhere);
  const names = readdirSync(elsewhere).filter((name) => existsSync(join(elsewhere, name, 'manifest.age')));
  const [ofGateway, ofRestored] = await Promise.all(
    names.sort().map(async (name) => {
      const reader = await BackupReader.open(join(elsewhere, name), BACKUP_KEY);
      const { objects, files } = JSON.parse(await reader.manifest()) as Manifest;
      return {
        objects: objects.map((object) => `${object.kind} ${object.name}`).sort(),
        files: files.map(({ bucket, key, sha256 }) => `${bucket} ${key} ${sha256}`).sort(),
      };
    }),
  );
  expect(ofRestored).toEqual(ofGateway);
  expect(ofRestored?.objects.length).toBeGreaterThan(4);
  rmSync(elsewhere, { recursive: true });
});
