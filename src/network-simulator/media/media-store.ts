import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, existsSync, mkdirSync, type ReadStream, statSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const pathPattern = /^\/v\/t62\/([0-9a-f]{64})$/;

/** Encrypted media as files, named by the hash of their bytes. */
export class MediaStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true });
  }

  /** Keeps a body; answers the path under which it can be downloaded. */
  async put(body: Uint8Array): Promise<string> {
    const hash = createHash('sha256').update(body).digest('hex');
    const file = join(this.#folder, hash);
    if (!existsSync(file)) {
      // A half-written file must never be found under its name.
      const draft = `${file}.${randomBytes(4).toString('hex')}`;
      try {
        await writeFile(draft, body);
        await rename(draft, file);
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      }
    }
    return `/v/t62/${hash}`;
  }

  /** The body kept under a path; undefined when there is none. */
  open(path: string): { sizeBytes: number; stream: () => ReadStream } | undefined {
    const hash = pathPattern.exec(path)?.[1];
    if (!hash) return undefined;
    const file = join(this.#folder, hash);
    const found = statSync(file, { throwIfNoEntry: false });
    return found && { sizeBytes: found.size, stream: () => createReadStream(file) };
  }
}
