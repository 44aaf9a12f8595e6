/* `npm run backup` and `npm run restore`: see docs/operating/backup.md. */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseArgs, parseEnv } from 'node:util';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { release } from '../contract/release.ts';
import { writePrivateJson } from '../local/home/private-file.ts';
import { StartProblem } from '../local/settings.ts';
import { isTokenText, noTokenText } from '../settings/secrets.ts';
import { identityOf, recipientOf } from './backup-key.ts';
import { openEmptyHome, openLocalGateway } from './local-home.ts';
import { fetchKept, makeBackup } from './make-backup.ts';
import type { HomeCopy } from './manifest.ts';
import { OperatorClient } from './operator-client.ts';
import { BackupProblem } from './problem.ts';
import { readWhole, restoreBackup } from './restore-backup.ts';
import { BackupReader, BackupWriter } from './sealed-folder.ts';
import { deploymentSecrets, unfitSecret } from './secret-names.ts';

const say = (line: string) => console.log(`  ${line}`);

try {
  const [command, ...rest] = process.argv.slice(2);
  if (command === 'backup') await backUp(rest);
  else await restore(rest);
  process.exit(0);
} catch (error) {
  const isExpected =
    error instanceof BackupProblem ||
    error instanceof StartProblem ||
    (error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS');
  console.error(isExpected ? (error as Error).message : error);
  process.exit(1);
}

async function backUp(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      to: { type: 'string' },
      gateway: { type: 'string' },
      secrets: { type: 'string' },
      'new-key': { type: 'boolean' },
      fetch: { type: 'boolean' },
    },
  });
  if (values['new-key']) {
    const key = await generateX25519Identity();
    console.log(key);
    console.error(`Its public half, which is enough to make backups: ${await identityToRecipient(key)}`);
    return;
  }
  if (values.to === undefined) throw new BackupProblem('Say where to: npm run backup -- --to DIR');
  if (values.fetch) {
    if (values.gateway === undefined)
      throw new BackupProblem('--fetch is of a deployment: say --gateway URL.');
    const path = await fetchKept(new OperatorClient(values.gateway, operatorToken()), resolve(values.to));
    console.log(`The newest backup of the gateway's own is in ${path}.`);
    return;
  }
  const recipient = await recipientOf(process.env.BACKUP_KEY);
  const source = values.gateway === undefined ? await openLocalGateway() : null;
  const client = source?.client ?? new OperatorClient(values.gateway ?? '', operatorToken());
  try {
    const madeAt = new Date();
    const writer = new BackupWriter(resolve(values.to), recipient, madeAt);
    const home = source?.home ?? homeOfSecrets(values.secrets);
    try {
      await makeBackup({
        ...{ client, writer, madeAt, home, say },
        kind: source === null ? 'deployment' : 'local',
        release,
      });
    } catch (error) {
      writer.discard();
      throw error;
    }
    console.log(`The backup is complete: ${writer.path}`);
    if (home === null)
      console.log(
        'It holds no secrets: keep those of the deployment and its bridges beside it, or say --secrets FILE.',
      );
  } finally {
    await source?.close();
  }
}

async function restore(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      from: { type: 'string' },
      gateway: { type: 'string' },
      secrets: { type: 'string' },
      'secrets-to': { type: 'string' },
      'nothing-sent-since': { type: 'boolean' },
    },
  });
  if (values.from === undefined) throw new BackupProblem('Say where from: npm run restore -- --from DIR');
  const reader = await BackupReader.open(resolve(values.from), identityOf(process.env.BACKUP_KEY));
  const whole = await readWhole(reader);
  const home = homeOfSecrets(values.secrets) ?? whole.home;
  const goesOn = values['nothing-sent-since'] ?? false;
  if (values['secrets-to'] !== undefined) {
    if (home === null) throw new BackupProblem('The backup holds no secrets.');
    mkdirSync(dirname(resolve(values['secrets-to'])), { recursive: true, mode: 0o700 });
    writePrivateJson(resolve(values['secrets-to']), deploymentSecrets(home.secrets));
    console.log(`The secrets are in ${resolve(values['secrets-to'])}. Nothing was restored.`);
    return;
  }
  if (values.gateway !== undefined) {
    await restoreBackup(new OperatorClient(values.gateway, operatorToken()), whole, goesOn, say);
    console.log('Everything is there. Deploy the gateway again: from then on it goes on.');
    return;
  }
  if (home === null) throw new BackupProblem('The backup holds no secrets: say --secrets FILE.');
  const target = await openEmptyHome({ ...home, account: whole.home?.account ?? null });
  try {
    await restoreBackup(target.client, whole, goesOn, say);
  } catch (error) {
    await target.drop();
    throw error;
  }
  await target.keep();
  console.log(`Everything is in ${target.path}. Start the gateway: from then on it goes on.`);
}

function operatorToken(): string {
  const token = process.env.BOOTSTRAP_TOKEN;
  if (!token) throw new BackupProblem("BOOTSTRAP_TOKEN is not set: the operator's token of that gateway.");
  if (!isTokenText(token)) throw new BackupProblem(`BOOTSTRAP_TOKEN ${noTokenText}.`);
  return token;
}

/** A file as `wrangler deploy --secrets-file` takes it: JSON, or lines of NAME=value. */
function homeOfSecrets(path: string | undefined): HomeCopy | null {
  if (path === undefined) return null;
  if (!existsSync(path)) throw new BackupProblem(`There is no file ${path}.`);
  const secrets = readSecrets(path);
  // What is sealed under a key that no bridge takes would be found out when the first one starts.
  const unfit = unfitSecret(secrets);
  if (unfit !== null) throw new BackupProblem(`The file ${path} has a secret that is none: ${unfit}`);
  return { secrets, account: null, simulator: {} };
}

function readSecrets(path: string): HomeCopy['secrets'] {
  try {
    const text = readFileSync(path, 'utf8');
    return text.trimStart().startsWith('{') ? JSON.parse(text) : parseEnv(text);
  } catch {
    throw new BackupProblem(`The file ${path} is neither JSON nor lines of NAME=value.`);
  }
}
