import { List, type Page } from './list.ts';
import type { Call, CallOptions, Transport } from './transport.ts';

export interface ListOptions extends CallOptions {
  /** Items a page, 1 to 200. */
  limit?: number;
  /** Where to start: the `nextCursor` of a page. */
  cursor?: string;
}

/** What resources have in common: where they are, and how they are asked. */
export class Resource {
  readonly #transport: Transport;
  readonly #path: string;

  constructor(transport: Transport, path: string) {
    this.#transport = transport;
    this.#path = path;
  }

  protected async ask<Answer>(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    segments: readonly string[],
    options: CallOptions & Pick<Call, 'idempotencyKey' | 'traceparent' | 'query' | 'raw'>,
    body?: unknown,
  ): Promise<Answer> {
    return (await this.#transport.call({ ...options, method, path: this.#at(segments), body })) as Answer;
  }

  /** A `GET` whose answer is read as it comes, to its end or until `signal` aborts. */
  protected open(
    segments: readonly string[],
    { signal = new AbortController().signal, ...options }: Pick<Call, 'query' | 'signal' | 'accept'>,
  ): Promise<ReadableStream<Uint8Array>> {
    return this.#transport.open({ ...options, signal, method: 'GET', path: this.#at(segments) });
  }

  protected listOf<Item>(
    segments: readonly string[],
    { limit, cursor: start, ...options }: ListOptions,
    filter: Record<string, string | undefined> = {},
  ): List<Item> {
    const path = this.#at(segments);
    return new List(async (cursor) => {
      const query = { ...filter, limit, cursor };
      return (await this.#transport.call({ ...options, method: 'GET', path, query })) as Page<Item>;
    }, start);
  }

  #at(segments: readonly string[]): string {
    return [this.#path, ...segments.map(encodeURIComponent)].join('/');
  }
}

/** A time as the gateway takes it. */
export const time = (at: Date | string | undefined): string | undefined =>
  at instanceof Date ? at.toISOString() : at;
