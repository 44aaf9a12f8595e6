import { createHash } from 'node:crypto';
import { createWriteStream, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type {
  ExportAnswer,
  ExportedSchema,
  ExportedTable,
  ExportStep,
  ImportStep,
} from '../durable/backup/exported.ts';
import { registryNameOf } from '../durable/phone-registry/registry-name.ts';
import type { HomeCopy, Manifest } from './manifest.ts';
import type { OperatorClient } from './operator-client.ts';
import { BackupProblem } from './problem.ts';
import type { BackupWriter } from './sealed-folder.ts';

/** All files that the gateway lists there, page after page. */
async function* filesAt<File>(client: OperatorClient, path: string): AsyncGenerator<File> {
  let cursor: string | null = null;
  do {
    const query: string = cursor === null ? '' : `?cursor=${encodeURIComponent(cursor)}`;
    const page: { files: File[]; cursor: string | null } = await client.json(`${path}${query}`);
    yield* page.files;
    cursor = page.cursor;
  } while (cursor !== null);
}

/** Brings the newest backup that the gateway has made by itself into a folder of its own under `root`; resolves that folder. */
export async function fetchKept(client: OperatorClient, root: string): Promise<string> {
  const { backups } = await client.json<{ backups: string[] }>('/operator/backup/kept');
  const [name] = backups;
  if (name === undefined || !/^[\d-]+T[\d-]+$/.test(name))
    throw new BackupProblem(
      'The gateway has made no backup by itself yet: see BACKUP_RECIPIENT in docs/operating/backup.md.',
    );
  const path = join(root, name);
  if (existsSync(path)) throw new BackupProblem(`The newest one is here already: ${path}.`);
  const draft = resolve(root, `${name}.unfinished`);
  rmSync(draft, { recursive: true, force: true });
  const kept = filesAt<{ file: string; key: string }>(client, `/operator/backup/kept/${name}`);
  for await (const { file, key } of kept) {
    const target = resolve(draft, file);
    if (!target.startsWith(draft + sep))
      throw new BackupProblem('The gateway names a file that is none of a backup.');
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
    const got = await client.file(`/operator/backup/files/archive/${key}`);
    if (got === null) throw new BackupProblem(`The backup ${name} was deleted meanwhile: run this again.`);
    await pipeline(got.body, createWriteStream(target, { mode: 0o600, flush: true }));
  }
  renameSync(draft, path);
  return path;
}

/** An object that drops and makes tables all the time is none of ours. */
const attemptsMax = 10;

interface KeptObject {
  kind: string;
  name: string;
  accountId: string | null;
}

interface Source {
  objects: KeptObject[];
  steps: Record<string, string[]>;
  marks: Record<string, string>;
}

export interface BackupOptions {
  client: OperatorClient;
  writer: BackupWriter;
  kind: Manifest['kind'];
  release: string;
  madeAt: Date;
  home: HomeCopy | null;
  say: (line: string) => void;
}

/**
 * Copies a gateway that goes on working. Each object is copied as it was in one moment, and those that give before those that
 * take: what is handed over meanwhile is with both, and whoever takes it again knows it. Files come behind the logs that name
 * them, and the configuration last: what was revoked meanwhile is revoked in the copy.
 */
export async function makeBackup(options: BackupOptions): Promise<Manifest> {
  const { client, writer, say } = options;
  const objects: Manifest['objects'] = [];
  const phones = new Set<string>();
  const copyNew = async (listed: readonly KeptObject[]) => {
    const known = new Set(objects.map(({ kind, name }) => `${kind} ${name}`));
    for (const object of listed) {
      if (known.has(`${object.kind} ${object.name}`)) continue;
      objects.push(await copyObject(options, object, objects.length, phones));
    }
  };
  let source = await client.json<Source>('/operator/backup');
  await copyNew(source.objects);
  say(`${objects.length} objects`);
  const files = [...(await copyFiles(options, 'archive')), ...(await copyFiles(options, 'media'))];
  say(`${files.length} files`);
  let database: string;
  for (;;) {
    database = JSON.stringify(await client.json('/operator/backup/database'));
    // What was made while the others were copied stands in it too.
    source = await client.json<Source>('/operator/backup');
    const before = objects.length;
    await copyNew(source.objects);
    if (objects.length === before) break;
  }
  await copyNew(
    [...phones].map((phone) => ({ kind: 'PHONE_REGISTRY', name: registryNameOf(phone), accountId: null })),
  );
  const manifest: Manifest = {
    // What older releases read too.
    format: 1,
    release: options.release,
    madeAt: options.madeAt.toISOString(),
    kind: options.kind,
    steps: source.steps,
    marks: source.marks,
    objects,
    database: await writer.lines('database.age', [database]),
    files,
    home: options.home && (await writer.lines('home.age', [JSON.stringify(options.home)])),
  };
  await writer.finish(JSON.stringify(manifest));
  return manifest;
}

async function copyObject(
  options: BackupOptions,
  object: KeptObject,
  index: number,
  phones: Set<string>,
): Promise<Manifest['objects'][number]> {
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const tally = { rows: 0 };
    try {
      const lines = linesOf(options.client, object, tally, phones);
      const sealed = await options.writer.lines(`objects/${index}.age`, lines);
      return { ...object, ...sealed, rows: tally.rows };
    } catch (error) {
      if (!(error instanceof Outdated)) throw error;
    }
  }
  throw new BackupProblem(`An object changes its tables all the time and cannot be copied: ${object.kind}.`);
}

class Outdated extends Error {}

/** The steps by which the object is made again, each a line of JSON. */
async function* linesOf(
  client: OperatorClient,
  { kind, name }: KeptObject,
  tally: { rows: number },
  phones: Set<string>,
): AsyncGenerator<string> {
  const ask = (step: ExportStep) =>
    client.json<ExportAnswer>('/operator/backup/objects', { kind, name, step });
  const line = (step: ImportStep) => `${JSON.stringify(step)}\n`;
  const begun = await ask({ do: 'begin' });
  if (begun.is !== 'begun') throw new Outdated();
  const { schema, until } = begun;
  yield line({ do: 'begin', schema });
  for (const table of schema.tables) {
    let after: Extract<ExportStep, { do: 'rows' }>['after'] = null;
    do {
      const answer: ExportAnswer = await ask({ do: 'rows', table: table.name, after });
      if (answer.is !== 'rows') throw new Outdated();
      tally.rows += answer.rows.length;
      if (kind === 'PHONE_NUMBER') notePhones(table, answer.rows, phones);
      if (answer.rows.length > 0) yield line({ do: 'rows', table, rows: answer.rows });
      after = answer.next;
    } while (after !== null);
  }
  yield* changesOf(ask, schema, until, line);
}

async function* changesOf(
  ask: (step: ExportStep) => Promise<ExportAnswer>,
  schema: ExportedSchema,
  until: number,
  line: (step: ImportStep) => string,
): AsyncGenerator<string> {
  for (;;) {
    const answer = await ask({ do: 'end', until });
    if (answer.is !== 'changes') throw new Outdated();
    const { changes, rest } = answer;
    if (changes.length > 0) yield line({ do: 'changes', tables: schema.tables, changes });
    if (rest === null) continue;
    yield line({ do: 'finish', schema, rest });
    return;
  }
}

function notePhones({ name, columns }: ExportedTable, rows: readonly unknown[][], phones: Set<string>): void {
  if (name !== 'device') return;
  for (const row of rows) {
    const { phoneNumber } = JSON.parse(String(row[columns.indexOf('json')])) as {
      phoneNumber: string | null;
    };
    if (phoneNumber !== null) phones.add(phoneNumber);
  }
}

async function copyFiles({ client, writer }: BackupOptions, bucket: string): Promise<Manifest['files']> {
  const found: Manifest['files'] = [];
  const files = filesAt<{ key: string; etag: string }>(client, `/operator/backup/files/${bucket}`);
  for await (const { key, etag } of files) {
    const name = createHash('sha256').update(`${bucket}\n${key}\n${etag}`).digest('hex');
    try {
      const read = () => readFile(client, bucket, key);
      found.push({ bucket, key, etag, ...(await writer.customerFile(name, read)) });
    } catch (error) {
      if (!(error instanceof Gone)) throw error;
    }
  }
  return found;
}

/** It was deleted meanwhile. */
class Gone extends Error {}

/** A line of what is said about it, then its bytes. */
async function readFile(client: OperatorClient, bucket: string, key: string): Promise<Readable> {
  const path = key.split('/').map(encodeURIComponent).join('/');
  const file = await client.file(`/operator/backup/files/${bucket}/${path}`);
  if (file === null) throw new Gone();
  return Readable.from(
    (async function* () {
      yield Buffer.from(`${file.about}\n`);
      yield* file.body;
    })(),
  );
}
