import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, mkdirSync, type ReadStream, readdirSync, renameSync, statSync } from 'node:fs';
import { link, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

const pathPattern = /^\/v\/t62\/([0-9a-f]{64}(?:-[0-9a-f]{8})?)$/;
const goneSuffix = '.gone';

/** A file that was put: where it can be fetched, and the hash of its bytes. */
type Put = { path: string; hash: Buffer };

/** Encrypted media as files, named by the hash of their bytes. */
export class MediaStore {
  readonly #folder: string;
  /** What uploads have to show; another one after a restart, so a client has to ask anew. */
  readonly auth = randomBytes(16).toString('base64url');

  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true });
  }

  /** Keeps a body as it comes, where `isWanted` likes its hash; null where not. Throws what the body throws. */
  async put(
    body: AsyncIterable<Uint8Array>,
    isWanted: (hash: Buffer) => boolean = () => true,
  ): Promise<Put | null> {
    const hashing = createHash('sha256');
    // A half-written file must never be found under its name.
    const draft = join(this.#folder, `draft-${randomBytes(8).toString('hex')}`);
    try {
      const file = await open(draft, 'wx');
      try {
        for await (const chunk of body) {
          hashing.update(chunk);
          await file.writeFile(chunk);
        }
      } finally {
        await file.close();
      }
      const hash = hashing.digest();
      if (!isWanted(hash)) return null;
      const name = hash.toString('hex');
      await rename(draft, join(this.#folder, name));
      return { path: `/v/t62/${name}`, hash };
    } finally {
      await rm(draft, { force: true });
    }
  }

  /** What is kept under a path: `gone` for what the network has forgotten, undefined for what never was. */
  find(
    path: string,
  ): { sizeBytes: number; stream: (first: number, last: number) => ReadStream } | 'gone' | undefined {
    const name = pathPattern.exec(path)?.[1];
    if (!name) return undefined;
    const file = join(this.#folder, name);
    const found = statSync(file, { throwIfNoEntry: false });
    if (found) {
      return { sizeBytes: found.size, stream: (start, end) => createReadStream(file, { start, end }) };
    }
    return statSync(file + goneSuffix, { throwIfNoEntry: false }) ? 'gone' : undefined;
  }

  /** The network forgets everything that was uploaded; phones still have it. Answers how many files that were. */
  forgetAll(): number {
    const names = readdirSync(this.#folder).filter((name) => pathPattern.test(`/v/t62/${name}`));
    for (const name of names) renameSync(join(this.#folder, name), join(this.#folder, name + goneSuffix));
    return names.length;
  }

  /** A phone uploads again what it has sent under this path; the new path, or null where the phone never had it. */
  async putAgain(path: string): Promise<string | null> {
    const name = pathPattern.exec(path)?.[1];
    if (!name) return null;
    const again = `${name.slice(0, 64)}-${randomBytes(4).toString('hex')}`;
    for (const from of [name + goneSuffix, name]) {
      const linked = await link(join(this.#folder, from), join(this.#folder, again)).then(
        () => true,
        () => false,
      );
      if (linked) return `/v/t62/${again}`;
    }
    return null;
  }
}
