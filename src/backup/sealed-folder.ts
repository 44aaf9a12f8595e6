import { createHash, randomUUID } from 'node:crypto';
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { open, readdir, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Duplex, Readable, Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { Decrypter, Encrypter } from 'age-encryption';
import type { SealedFile } from './manifest.ts';
import { nodeStream, webStream } from './operator-client.ts';
import { BackupProblem, fileProblem } from './problem.ts';

const manifestName = 'manifest.age';
/** Of one that is not complete: never taken for a backup. */
const unfinished = '.unfinished';

/**
 * Writes one backup under `root`: sealed files in a folder that has another name until the last of them, the manifest, is on
 * disk. So what looks like a backup is one, whatever happened. Files of customers lie beside all backups, under a name made of
 * their content's: a later backup needs only those that are new.
 */
export class BackupWriter {
  readonly path: string;
  readonly #root: string;
  readonly #draft: string;
  readonly #recipient: string;

  constructor(root: string, recipient: string, madeAt: Date) {
    this.#root = root;
    this.#recipient = recipient;
    const name = madeAt.toISOString().slice(0, 19).replaceAll(':', '-');
    this.path = join(root, name);
    this.#draft = join(root, `${name}-${randomUUID().slice(0, 8)}${unfinished}`);
    try {
      if (existsSync(this.path))
        throw new BackupProblem(`There is a backup of this second already: ${this.path}.`);
      mkdirSync(join(this.#draft, 'objects'), { recursive: true, mode: 0o700 });
      mkdirSync(join(root, 'files'), { recursive: true, mode: 0o700 });
    } catch (error) {
      throw error instanceof BackupProblem
        ? error
        : fileProblem(error, `No backup can be written to ${root}`);
    }
  }

  /** Seals lines of text, compressed. */
  lines(file: string, lines: AsyncIterable<string> | Iterable<string>): Promise<SealedFile> {
    return this.#seal(join(this.#draft, file), file, through(Readable.from(lines), createGzip()));
  }

  /** Seals a file of a customer; null where an earlier backup has it. `name` follows from its content. */
  async customerFile(name: string, read: () => Promise<Readable>): Promise<SealedFile> {
    const file = join('files', `${name}.age`);
    const path = join(this.#root, file);
    if (existsSync(path)) return { file, ...(await checksum(path)) };
    const draft = `${path}-${randomUUID().slice(0, 8)}${unfinished}`;
    try {
      const sealed = await this.#seal(draft, file, await read());
      await rename(draft, path);
      return sealed;
    } catch (error) {
      rmSync(draft, { force: true });
      throw error;
    }
  }

  /** From here on it is a backup. */
  async finish(manifest: string): Promise<void> {
    await this.lines(manifestName, [manifest]);
    try {
      renameSync(this.#draft, this.path);
      await sync(this.#root);
    } catch (error) {
      throw fileProblem(error, `The backup ${this.path} cannot be completed`);
    }
  }

  /** Nothing of it is kept, but for files of customers: the next backup needs these anyway. */
  discard(): void {
    rmSync(this.#draft, { recursive: true, force: true });
  }

  async #seal(path: string, file: string, plain: Readable): Promise<SealedFile> {
    const encrypter = new Encrypter();
    encrypter.addRecipient(this.#recipient);
    const meter = new Meter();
    try {
      const sealed = await encrypter.encrypt(webStream(plain));
      await pipeline(nodeStream(sealed), meter, createWriteStream(path, { mode: 0o600, flush: true }));
      await sync(dirname(path));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code?.startsWith('E') && 'syscall' in (error as object))
        throw fileProblem(error, `The backup cannot be written to ${this.#root}`);
      throw error;
    }
    return { file, sha256: meter.sha256, bytes: meter.bytes };
  }
}

class Meter extends Transform {
  bytes = 0;
  readonly #hash = createHash('sha256');

  get sha256(): string {
    return this.#hash.digest('hex');
  }

  override _transform(chunk: Buffer, _encoding: string, done: (error: null, chunk: Buffer) => void): void {
    this.bytes += chunk.length;
    this.#hash.update(chunk);
    done(null, chunk);
  }
}

/** A pipe that also passes on what has failed before it. */
function through<Stream extends Duplex>(source: Readable, stream: Stream): Stream {
  source.once('error', (error) => stream.destroy(error));
  return source.pipe(stream);
}

/** What was written into a folder is there after a loss of power. */
async function sync(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}

async function checksum(path: string): Promise<{ sha256: string; bytes: number }> {
  const meter = new Meter();
  await pipeline(createReadStream(path), meter, new Writable({ write: (_chunk, _encoding, done) => done() }));
  return { sha256: meter.sha256, bytes: meter.bytes };
}

/** Reads one backup: a folder with a manifest, or the newest of those in a folder. */
export class BackupReader {
  readonly path: string;
  readonly #root: string;
  readonly #identity: string;

  private constructor(path: string, identity: string) {
    this.path = path;
    this.#root = dirname(path);
    this.#identity = identity;
  }

  static async open(from: string, identity: string): Promise<BackupReader> {
    if (existsSync(join(from, manifestName))) return new BackupReader(from, identity);
    const names = existsSync(from) && statSync(from).isDirectory() ? await readdir(from) : [];
    const newest = names
      .filter((name) => !name.endsWith(unfinished) && existsSync(join(from, name, manifestName)))
      .sort()
      .at(-1);
    if (newest === undefined) throw new BackupProblem(`There is no complete backup in ${from}.`);
    return new BackupReader(join(from, newest), identity);
  }

  manifest(): Promise<string> {
    return this.text({ file: manifestName });
  }

  /** All its lines. */
  async text(sealed: Pick<SealedFile, 'file'>): Promise<string> {
    const lines: string[] = [];
    for await (const line of this.lines(sealed)) lines.push(line);
    return lines.join('\n');
  }

  /** Refuses what is not as it was written. */
  async check({ file, sha256 }: SealedFile): Promise<void> {
    const path = this.#pathOf(file);
    if (!existsSync(path))
      throw new BackupProblem(`The backup ${this.path} is incomplete: ${file} is missing.`);
    if ((await checksum(path)).sha256 !== sha256)
      throw new BackupProblem(`The backup ${this.path} is damaged: ${file} is not as it was written.`);
  }

  async *lines({ file }: Pick<SealedFile, 'file'>): AsyncGenerator<string> {
    const plain = through(await this.bytes({ file }), createGunzip());
    plain.setEncoding('utf8');
    try {
      // A line may be megabytes long.
      let begun: string[] = [];
      for await (const chunk of plain) {
        const [end = '', ...others] = String(chunk).split('\n');
        begun.push(end);
        if (others.length === 0) continue;
        yield begun.join('');
        yield* others.slice(0, -1);
        begun = [others.at(-1) ?? ''];
      }
      const last = begun.join('');
      if (last !== '') yield last;
    } catch (error) {
      if (error instanceof BackupProblem) throw error;
      throw new BackupProblem(`The backup ${this.path} is damaged: ${file} cannot be read.`);
    }
  }

  async bytes({ file }: Pick<SealedFile, 'file'>): Promise<Readable> {
    const decrypter = new Decrypter();
    decrypter.addIdentity(this.#identity);
    try {
      const sealed = webStream(createReadStream(this.#pathOf(file)));
      const plain = await decrypter.decrypt(sealed);
      return nodeStream(plain);
    } catch (error) {
      if (/no identity matched/.test((error as Error).message))
        throw new BackupProblem(`The backup ${this.path} was sealed for another key than BACKUP_KEY.`);
      throw new BackupProblem(`The backup ${this.path} is damaged: ${file} cannot be read.`);
    }
  }

  #pathOf(file: string): string {
    return file.startsWith('files/') ? join(this.#root, file) : join(this.path, file);
  }
}
