import { StringDecoder } from 'node:string_decoder';

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
