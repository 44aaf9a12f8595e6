import type { ExportedRow, ExportedSchema } from '../../../durable/backup/exported.ts';
import { openSecret, sealSecret } from '../../../durable/sealed-secret.ts';
import type { KeptObject } from '../kept-objects.ts';

/** Where backups are in the bucket of the archive, each in a folder that is named by its time. */
export const backupsPrefix = 'backups/';
const stateKey = `${backupsPrefix}state`;
const owner = 'nightly backup';
/** So long nobody else goes on, should a call end in the middle. */
const claimMs = 15 * 60_000;

/** A file of a backup, as its manifest names it. */
export interface SealedFile {
  file: string;
  sha256: string;
  bytes: number;
}

/** An object that is copied: what of it is sealed already. */
export interface ObjectCopy {
  schema: ExportedSchema;
  until: number;
  /** The place of the table that is read, and the row behind which it goes on. */
  table: number;
  after: ExportedRow | null;
  pieces: SealedFile[];
  rows: number;
}

export interface BackupRun {
  /** The name of its folder. */
  name: string;
  beganAt: number;
  objects: (KeptObject & SealedFile & { pieces: SealedFile[]; rows: number })[];
  /** What is to be copied; null: the database was not asked yet. */
  listed: KeptObject[] | null;
  copy: ObjectCopy | null;
  /** Of the object that is copied: how often its tables changed meanwhile. */
  restarts: number;
  phones: string[];
  database: SealedFile | null;
  phonesAreListed: boolean;
  /** Calls in a row that failed. */
  failures: number;
}

export interface NightlyState {
  /** The day (UTC) on which a run began last. */
  day: string | null;
  run: BackupRun | null;
  /** Milliseconds since 1970; null: none yet. */
  completedAt: number | null;
  /** When nightly backups were asked for first. */
  since: number;
  claimedUntil: number;
}

/** A state that this call alone may change. */
export interface Claim {
  state: NightlyState;
  etag: string | null;
}

/** What is known of the nightly backups; null: nothing. It names objects and numbers, so it is sealed as secrets are. */
export async function readNightlyState(env: Env): Promise<Claim | null> {
  const found = await env.ARCHIVE.get(stateKey);
  if (found === null) return null;
  return { state: JSON.parse(await openSecret(env, owner, await found.text())), etag: found.etag };
}

/** Makes it this call's alone; null where another one is at it. One that was cut off has lost the object that it was copying. */
export async function claimNightlyState(env: Env, now: number, known: Claim | null): Promise<Claim | null> {
  const state = known?.state ?? { day: null, run: null, completedAt: null, since: now, claimedUntil: 0 };
  if (state.claimedUntil > now) return null;
  if (state.claimedUntil > 0 && state.run !== null) state.run.copy = null;
  return write(env, { ...state, claimedUntil: now + claimMs }, known?.etag ?? null);
}

/** Gives it back, for the next call. */
export async function releaseNightlyState(env: Env, { state, etag }: Claim): Promise<void> {
  await write(env, { ...state, claimedUntil: 0 }, etag);
}

async function write(env: Env, state: NightlyState, etag: string | null): Promise<Claim | null> {
  const sealed = await sealSecret(env, owner, JSON.stringify(state));
  const onlyIf = etag === null ? new Headers({ 'If-None-Match': '*' }) : { etagMatches: etag };
  const put = await env.ARCHIVE.put(stateKey, sealed, { onlyIf });
  return put === null ? null : { state, etag: put.etag };
}
