import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Files of one direction that are on their way at a time, all numbers together. */
const atOnceMax = 4;

interface Waiting {
  bytes: number;
  begin: () => void;
}

/** Limits how many files are transferred at a time, and how much disk they use. First come, first served. */
export class Transfers {
  readonly #folder: string;
  readonly #diskBytesMax: number;
  #underWay = 0;
  #diskBytes = 0;
  readonly #waiting: Waiting[] = [];

  /** `folder` is this object's own: what an earlier life has left there goes. */
  constructor(folder: string, diskBytesMax: number) {
    this.#folder = folder;
    this.#diskBytesMax = diskBytesMax;
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }

  /** Does `work` when there is room for it: `bytes` on disk, at a path of its own, which is removed afterwards. */
  async withFile<Result>(bytes: number, work: (path: string) => Promise<Result>): Promise<Result> {
    const path = join(this.#folder, randomUUID());
    return this.#inTurn(bytes, async () => {
      try {
        return await work(path);
      } finally {
        await rm(path, { force: true });
      }
    });
  }

  /** The same for what needs no disk. */
  passing<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#inTurn(0, work);
  }

  async #inTurn<Result>(bytes: number, work: () => Promise<Result>): Promise<Result> {
    if (this.#waiting.length > 0 || !this.#hasRoom(bytes)) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#waiting.push({ bytes, begin: resolve });
      await promise;
    } else {
      this.#reserve(bytes);
    }
    try {
      return await work();
    } finally {
      this.#underWay -= 1;
      this.#diskBytes -= bytes;
      this.#beginNext();
    }
  }

  /** One that is larger than all the disk may be has to be alone. */
  #hasRoom(bytes: number): boolean {
    if (this.#underWay >= atOnceMax) return false;
    return this.#diskBytes === 0 || this.#diskBytes + bytes <= this.#diskBytesMax;
  }

  #reserve(bytes: number): void {
    this.#underWay += 1;
    this.#diskBytes += bytes;
  }

  #beginNext(): void {
    for (let next = this.#waiting[0]; next && this.#hasRoom(next.bytes); next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#reserve(next.bytes);
      next.begin();
    }
  }
}
