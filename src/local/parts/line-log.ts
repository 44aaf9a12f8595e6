import { closeSync, fstatSync, openSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import type { LocalSettings } from '../settings.ts';

/** Longer lines are handed on in pieces, so that output without line feeds cannot fill the memory. */
const lineCharactersMax = 64 * 1024;

/** Cuts a byte stream into lines. */
export class LineSplitter {
  readonly #onLine: (line: string) => void;
  readonly #decoder = new StringDecoder('utf8');
  #rest = '';

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  push(chunk: Buffer): void {
    const lines = (this.#rest + this.#decoder.write(chunk)).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#onLine(line);
    if (this.#rest.length > lineCharactersMax) {
      this.#onLine(this.#rest);
      this.#rest = '';
    }
  }

  /** Hands on a last line that no line feed ended. */
  end(): void {
    const rest = this.#rest + this.#decoder.end();
    this.#rest = '';
    if (rest !== '') this.#onLine(rest);
  }
}

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

/** Where the lines of a part go. */
export interface LineLog {
  /** Appends text that ends in a line feed. */
  write(text: string): void;
  close(): void;
}

/** The log of a part, or of the supervisor (`local`): a file under the home, or lines on standard output. */
export const openLog = (logs: string, name: string, logTo: LocalSettings['logTo']): LineLog =>
  logTo === 'files' ? new LogFile(join(logs, `${name}.log`)) : new StandardOutput(name);

/** Every line is one of JSON: what a runtime says in words of its own is put into one, cut at a length that collectors take. */
class StandardOutput implements LineLog {
  readonly #part: string;

  constructor(part: string) {
    this.#part = part;
  }

  write(text: string): void {
    if (text.trim() === '') return;
    process.stdout.write(isJson(text) ? text : `${this.#wrapped(text.trimEnd())}\n`);
  }

  close(): void {}

  #wrapped(text: string): string {
    const said = text.slice(0, wordsMax);
    return JSON.stringify({
      level: 30,
      time: new Date().toISOString(),
      event: 'part.said',
      part: this.#part,
      said,
    });
  }
}

/** Characters. */
const wordsMax = 2000;

function isJson(text: string): boolean {
  if (!text.startsWith('{')) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
