import { join } from 'node:path';
import type { LocalSettings } from '../settings.ts';
import { LogFile } from './log-file.ts';

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
