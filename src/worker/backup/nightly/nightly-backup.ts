import { release } from '../../../contract/release.ts';
import { log, logFault } from '../../../durable/log.ts';
import { registryNameOf } from '../../../durable/phone-registry/registry-name.ts';
import { settingsOf } from '../../../settings/worker-settings.ts';
import { sendMail } from '../../mail/mailer.ts';
import { copyDatabase, databaseSteps } from '../database-copy.ts';
import { type KeptObject, keptObjects, knownSteps } from '../kept-objects.ts';
import { secretMarks } from '../secret-marks.ts';
import { forgetOldBackups } from './kept-backups.ts';
import {
  type BackupRun,
  type Claim,
  claimNightlyState,
  readNightlyState,
  releaseNightlyState,
} from './nightly-state.ts';
import { type Budget, copyNextObject } from './object-copy.ts';
import { putSealed } from './sealed-file.ts';

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
 * archive, sealed for `BACKUP_RECIPIENT`; without that setting there is no backup. Customers' files are not copied. The
 * operators get an e-mail about a failure, once a night.
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
    admit: () => {
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
      if (!budget.admit()) return false;
      await copyNextObject(env, run, budget, seal);
    }
    if (!budget.admit()) return false;
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
