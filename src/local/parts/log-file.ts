import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';

/** One generation of a log file; one older generation is kept beside it. */
const logBytesMax = 16 * 1024 * 1024;

/** A log of lines, started anew by every run and bounded in size: at the limit it continues in a fresh file. */
export class LogFile {
  readonly path: string;
  #descriptor: number;
  #bytes = 0;

  constructor(path: string) {
    this.path = path;
    rmSync(`${path}.1`, { force: true });
    this.#descriptor = openSync(path, 'w', 0o600);
  }

  /** Appends text that ends in a line feed. */
  write(text: string): void {
    const bytes = Buffer.from(text);
    if (this.#bytes > 0 && this.#bytes + bytes.length > logBytesMax) {
      closeSync(this.#descriptor);
      renameSync(this.path, `${this.path}.1`);
      this.#descriptor = openSync(this.path, 'w', 0o600);
      this.#bytes = 0;
    }
    try {
      this.#bytes += writeSync(this.#descriptor, bytes);
    } catch {
      // A full disk costs lines of the log, not the gateway.
    }
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}
