import { Readable } from 'node:stream';
import { BackupProblem } from './problem.ts';

/** Node and the platform have types of their own for the same streams. */
export const webStream = (stream: Readable): ReadableStream<Uint8Array> =>
  Readable.toWeb(stream) as unknown as ReadableStream<Uint8Array>;

export const nodeStream = (stream: ReadableStream<Uint8Array>): Readable =>
  Readable.fromWeb(stream as unknown as Parameters<typeof Readable.fromWeb>[0]);

const attemptsMax = 4;
const firstWaitMs = 500;
const answerWithinMs = 300_000;

/** The operator's routes of one gateway. What it asks may be asked again, so what fails for a moment is. */
export class OperatorClient {
  readonly #origin: string;
  readonly #token: string;
  readonly #whenUnknown: string;

  /** `whenUnknown`: what helps where the gateway does not know the token. */
  constructor(origin: string, token: string, whenUnknown = 'set BOOTSTRAP_TOKEN to its own') {
    this.#origin = origin.replace(/\/+$/, '');
    this.#token = token;
    this.#whenUnknown = whenUnknown;
  }

  async json<Answer>(path: string, body?: unknown): Promise<Answer> {
    const request =
      body === undefined
        ? {}
        : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    return (await this.#ask(path, request)).json() as Promise<Answer>;
  }

  /** Null: it is gone. */
  async file(path: string): Promise<{ about: string; body: Readable } | null> {
    const response = await this.#ask(path, {}, [404]);
    if (response.status === 404 || response.body === null) {
      await response.body?.cancel();
      return null;
    }
    const about = response.headers.get('x-file-about') ?? '';
    return { about, body: nodeStream(response.body) };
  }

  async put(path: string, about: string, bytes: Uint8Array): Promise<void> {
    const headers = { 'x-file-about': about, 'content-type': 'application/octet-stream' };
    await this.#ask(path, { method: 'PUT', headers, body: bytes as Uint8Array<ArrayBuffer> });
  }

  async #ask(path: string, request: RequestInit, fine: number[] = []): Promise<Response> {
    for (let attempt = 1; ; attempt += 1) {
      const last = attempt === attemptsMax;
      try {
        const response = await fetch(`${this.#origin}${path}`, {
          ...request,
          redirect: 'error',
          headers: { ...request.headers, authorization: `Bearer ${this.#token}` },
          signal: AbortSignal.timeout(answerWithinMs),
        });
        if (response.ok || fine.includes(response.status)) return response;
        const text = await response.text();
        if (last || (response.status < 500 && response.status !== 429))
          throw this.#refusal(response.status, text);
      } catch (error) {
        if (error instanceof BackupProblem) throw error;
        if (last)
          throw new BackupProblem(
            `The gateway at ${this.#origin} does not answer: ${(error as Error).message}.`,
          );
      }
      await new Promise((resolve) => setTimeout(resolve, firstWaitMs * 2 ** attempt));
    }
  }

  #refusal(status: number, text: string): BackupProblem {
    if (status === 401)
      return new BackupProblem(
        `The gateway at ${this.#origin} does not know this operator's token: ${this.#whenUnknown}.`,
      );
    let message = text.slice(0, 200);
    try {
      message = (JSON.parse(text) as { error: { message: string } }).error.message;
    } catch {
      // It is no answer of a gateway.
    }
    return new BackupProblem(`The gateway at ${this.#origin} answered ${status}: ${message}`);
  }
}
