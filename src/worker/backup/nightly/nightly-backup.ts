import { release } from '../../../contract/release.ts';
import type {
  ExportAnswer,
  ExportedTable,
  ExportStep,
  ImportStep,
} from '../../../durable/backup/exported.ts';
import { log, logFault } from '../../../durable/log.ts';
import { registryNameOf } from '../../../durable/phone-registry/registry-name.ts';
import { settingsOf } from '../../../settings/worker-settings.ts';
import { sendMail } from '../../mail/mailer.ts';
import { copyDatabase, databaseSteps } from '../database-copy.ts';
import { type KeptObject, keptObjects, knownSteps, objectToCopy } from '../kept-objects.ts';
import { secretMarks } from '../secret-marks.ts';
import { forgetOldBackups } from './kept-backups.ts';
import {
  type BackupRun,
  backupsPrefix,
  type Claim,
  claimNightlyState,
  type ObjectCopy,
  readNightlyState,
  releaseNightlyState,
  type SealedFile,
} from './nightly-state.ts';

/** A format that older releases refuse: objects in several files. */
const piecesFormat = 2;
/** What one call takes of objects: answers, most of them of a small table, and their text. The cron may compute for 30 s. */
const answersMax = 2_000;
const charactersMax = 64_000_000;
const wallMs = 40_000;
const failuresMax = 10;
/**
 * Minutes after the hour at which the operators are told that the bucket does not answer. Failures cannot be counted then: the
 * count is in the bucket.
 */
const bucketPatienceMinutes = 10;
/** How long an object records its changes while it is copied. */
const runMs = 6 * 3_600_000;

/**
 * Makes a backup each night, in as many runs of the cron as it takes. The database and all objects go into the bucket of the
 * archive, sealed for `BACKUP_RECIPIENT`; without that setting there is no backup. Customers' files are not copied. The operators
 * get a mail about a failure, once a night.
 */
export async function backUpNightly(env: Env, now: number, max = answersMax): Promise<void> {
  const { BACKUP_RECIPIENT: recipient, BACKUP_HOUR: hour } = settingsOf(env);
  if (recipient === undefined) return;
  try {
    await goOnTonight(env, now, recipient, max);
  } catch (error) {
    const at = new Date(now);
    if (at.getUTCHours() === hour && at.getUTCMinutes() === bucketPatienceMinutes)
      await tellOfFailure(env, error, at.toISOString().slice(0, 10), 'could not begin');
    throw error;
  }
}

/** Throws where the bucket cannot be read or written; whatever else fails is counted there. */
async function goOnTonight(env: Env, now: number, recipient: string, max: number): Promise<void> {
  const { BACKUP_HOUR: hour, BACKUPS_KEPT: kept } = settingsOf(env);
  const known = await readNightlyState(env);
  if (known !== null && known.state.run === null && !isDue(known.state.day, now, hour)) return;
  const claim = await claimNightlyState(env, now, known);
  if (claim === null) return;
  const { state } = claim;
  if (state.run === null && !isDue(state.day, now, hour)) return releaseNightlyState(env, claim);
  try {
    state.run ??= begun(now);
    state.day = dayOf(state.run.beganAt);
    if (await goOn(env, state.run, recipient, budgetOf(max))) {
      const { name, objects, beganAt } = state.run;
      state.completedAt = now;
      state.run = null;
      log('backup.completed', { name, objects: objects.length, tookMs: Date.now() - beganAt });
      await forgetOldBackups(env, kept);
    } else state.run.failures = 0;
  } catch (error) {
    await noteFailure(env, claim, error, now);
  }
  await releaseNightlyState(env, claim);
}

const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);
const isDue = (day: string | null, now: number, hour: number) =>
  day !== dayOf(now) && new Date(now).getUTCHours() >= hour;

function budgetOf(max: number): Budget {
  let [left, characters] = [max, charactersMax];
  const until = Date.now() + wallMs;
  return {
    take: () => {
      left -= 1;
      return left >= 0 && characters > 0 && Date.now() < until;
    },
    spend: (read) => {
      characters -= read;
    },
  };
}

const begun = (now: number): BackupRun => ({
  name: new Date(now).toISOString().slice(0, 19).replaceAll(':', '-'),
  beganAt: now,
  listed: null,
  objects: [],
  copy: null,
  restarts: 0,
  phones: [],
  database: null,
  phonesAreListed: false,
  failures: 0,
});

/** Goes on as far as the budget goes; true: it is complete. The order is that of `npm run backup`. */
async function goOn(env: Env, run: BackupRun, recipient: string, budget: Budget): Promise<boolean> {
  const seal = (file: string, text: string) => putSealed(env, recipient, run.name, file, text);
  run.listed ??= await keptObjects(env);
  const { listed } = run;
  for (;;) {
    while (run.objects.length < listed.length) {
      if (!budget.take()) return false;
      await copyNextObject(env, run, budget, seal);
    }
    if (!budget.take()) return false;
    if (!run.phonesAreListed) {
      run.database = await seal('database.age', JSON.stringify(await copyDatabase(env.DB)));
      // What was made while the others were copied stands in it too.
      const isKnown = new Set(listed.map(({ kind, name }) => `${kind} ${name}`));
      const more = (await keptObjects(env)).filter(({ kind, name }) => !isKnown.has(`${kind} ${name}`));
      run.phonesAreListed = more.length === 0;
      const registries = run.phones.map(
        (phone): KeptObject => ({ kind: 'PHONE_REGISTRY', name: registryNameOf(phone), accountId: null }),
      );
      listed.push(...(more.length === 0 ? registries : more));
      continue;
    }
    const { objects, database, beganAt } = run;
    const manifest = {
      format: piecesFormat,
      release,
      madeAt: new Date(beganAt).toISOString(),
      kind: 'deployment',
      steps: { ...knownSteps(), DB: await databaseSteps(env.DB) },
      marks: secretMarks(env),
      objects,
      database,
      files: [],
      home: null,
    };
    // Last: from here on it is a backup.
    await seal('manifest.age', JSON.stringify(manifest));
    return true;
  }
}

async function noteFailure(env: Env, { state }: Claim, error: unknown, now: number): Promise<void> {
  logFault('backup.interrupted', error);
  const { run } = state;
  if (run === null) return;
  run.copy = null;
  run.failures += 1;
  if (run.failures < failuresMax && now - run.beganAt < runMs) return;
  state.run = null;
  await tellOfFailure(env, error, run.name, 'was given up');
}

async function tellOfFailure(env: Env, error: unknown, name: string, what: string): Promise<void> {
  logFault('backup.failed', error, { name });
  for (const to of settingsOf(env).OPERATOR_EMAILS)
    await sendMail(env, failedLetter(to, `The backup ${name} ${what}.`), `backup:${name}`);
}

const failedLetter = (to: string, what: string) => ({
  kind: 'backup_failed' as const,
  to,
  subject: 'The nightly backup of the gateway has failed',
  text: `${what} The log says why, as backup.interrupted or backup.failed. The next one is made tomorrow; make one at once with npm run backup.\n`,
});

const hex = (bytes: ArrayBuffer) => Buffer.from(bytes).toString('hex');

/** Seals text, compressed, for the key of which `recipient` is the public half, as a file of the backup `name`. */
async function putSealed(
  env: Env,
  recipient: string,
  name: string,
  file: string,
  text: string,
): Promise<SealedFile> {
  // Loaded when the first backup is made.
  const { Encrypter } = await import('age-encryption');
  const zipped = new Response(new Blob([text]).stream().pipeThrough(new CompressionStream('gzip')));
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  const sealed = await encrypter.encrypt(new Uint8Array(await zipped.arrayBuffer()));
  const bytes = new Uint8Array(sealed);
  await env.ARCHIVE.put(`${backupsPrefix}${name}/${file}`, bytes);
  return { file, sha256: hex(await crypto.subtle.digest('SHA-256', bytes)), bytes: bytes.length };
}

/** Text of one sealed file. */
const pieceCharacters = 4_000_000;
/** An object that drops and makes tables all the time is none of ours. */
const restartsMax = 10;

/** How much one call may do. */
interface Budget {
  /** Takes one answer of an object; false: it is used up. */
  take(): boolean;
  /** So many characters were read. */
  spend(characters: number): void;
}

/** Seals a piece of the backup under this name. */
type Seal = (file: string, text: string) => Promise<SealedFile>;

const line = (step: ImportStep) => `${JSON.stringify(step)}\n`;

/**
 * Copies the next object as far as the budget goes, as it was in one moment: see object-export.ts. What is read is sealed before this
 * returns, so the next call goes on behind it. Throws where its tables change all the time.
 */
async function copyNextObject(env: Env, run: BackupRun, budget: Budget, seal: Seal): Promise<void> {
  const object = run.listed?.[run.objects.length];
  if (object === undefined) return;
  const ask = (step: ExportStep): Promise<ExportAnswer> =>
    objectToCopy(env, object.kind, object.name).backUp(step) as Promise<ExportAnswer>;
  let lines: string[] = [];
  let characters = 0;
  const add = (text: string) => {
    lines.push(text);
    characters += text.length;
    budget.spend(text.length);
  };
  const copy = run.copy ?? (await begunCopy(ask));
  if (run.copy === null) add(line({ do: 'begin', schema: copy.schema }));
  run.copy = copy;
  const flush = async () => {
    if (lines.length === 0) return;
    const file = `objects/${run.objects.length}-${copy.pieces.length}.age`;
    copy.pieces.push(await seal(file, lines.join('')));
    lines = [];
    characters = 0;
  };
  for (;;) {
    if (!budget.take()) return flush();
    if (characters > pieceCharacters) await flush();
    const table = copy.schema.tables[copy.table];
    const answer: ExportAnswer = await ask(
      table === undefined
        ? { do: 'end', until: copy.until }
        : { do: 'rows', table: table.name, after: copy.after },
    );
    if (answer.is === 'rows' && table !== undefined) {
      copy.rows += answer.rows.length;
      if (object.kind === 'PHONE_NUMBER') notePhones(table, answer.rows, run);
      if (answer.rows.length > 0) add(line({ do: 'rows', table, rows: answer.rows }));
      copy.after = answer.next;
      if (answer.next === null) copy.table += 1;
      continue;
    }
    if (answer.is !== 'changes') {
      restart(run);
      return;
    }
    const { changes, rest } = answer;
    if (changes.length > 0) add(line({ do: 'changes', tables: copy.schema.tables, changes }));
    if (rest === null) continue;
    add(line({ do: 'finish', schema: copy.schema, rest }));
    await flush();
    const [first] = copy.pieces;
    if (first !== undefined) run.objects.push({ ...object, ...first, pieces: copy.pieces, rows: copy.rows });
    run.copy = null;
    run.restarts = 0;
    return;
  }
}

async function begunCopy(ask: (step: ExportStep) => Promise<ExportAnswer>): Promise<ObjectCopy> {
  const answer = await ask({ do: 'begin' });
  if (answer.is !== 'begun') throw new Error(`an object did not begin its copy: ${answer.is}`);
  return { schema: answer.schema, until: answer.until, table: 0, after: null, pieces: [], rows: 0 };
}

function restart(run: BackupRun): void {
  run.copy = null;
  run.restarts += 1;
  if (run.restarts >= restartsMax) throw new Error('an object changes its tables all the time');
}

function notePhones(
  { name, columns }: ExportedTable,
  rows: readonly unknown[][],
  { phones }: BackupRun,
): void {
  if (name !== 'device') return;
  for (const row of rows) {
    const { phoneNumber } = JSON.parse(String(row[columns.indexOf('json')])) as {
      phoneNumber: string | null;
    };
    if (phoneNumber !== null && !phones.includes(phoneNumber)) phones.push(phoneNumber);
  }
}
