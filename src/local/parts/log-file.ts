import { closeSync, fstatSync, openSync, renameSync, writeSync } from 'node:fs';

/** One generation of a log file; one older generation is kept beside it. */
const logBytesMax = 16 * 1024 * 1024;

/**
 * A log of lines, bounded in size: at the limit it continues in a fresh file. Every run goes on where the one before has
 * ended, since what a run has said last is what a person looks for after it.
 */
export class LogFile {
  readonly path: string;
  #descriptor: number;
  #bytes: number;

  constructor(path: string) {
    this.path = path;
    this.#descriptor = openSync(path, 'a', 0o600);
    this.#bytes = fstatSync(this.#descriptor).size;
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
