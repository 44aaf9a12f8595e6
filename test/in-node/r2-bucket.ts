import { createHash, randomUUID } from 'node:crypto';

interface Stored {
  bytes: Uint8Array<ArrayBuffer>;
  etag: string;
  uploaded: Date;
  httpMetadata: object;
  customMetadata: Record<string, string>;
}

type Body = string | ArrayBuffer | ArrayBufferView | Blob | ReadableStream | null;
interface Condition {
  etagMatches?: string;
  etagDoesNotMatch?: string;
}

/** A bucket of R2 in memory, as far as the product uses one. */
export class R2Bucket {
  readonly #stored = new Map<string, Stored>();

  clear(): void {
    this.#stored.clear();
  }

  async head(key: string) {
    const found = this.#stored.get(key);
    return found === undefined ? null : about(key, found);
  }

  async get(key: string, { range }: { range?: { offset?: number; length?: number } } = {}) {
    const found = this.#stored.get(key);
    if (found === undefined) return null;
    const offset = range?.offset ?? 0;
    const bytes = found.bytes.slice(offset, range?.length === undefined ? undefined : offset + range.length);
    const response = new Response(bytes);
    return Object.assign(about(key, found), {
      range: range && { offset, length: bytes.byteLength },
      get body() {
        return response.body;
      },
      get bodyUsed() {
        return response.bodyUsed;
      },
      arrayBuffer: () => response.arrayBuffer(),
      bytes: () => response.bytes(),
      text: () => response.text(),
      json: () => response.json(),
      blob: () => response.blob(),
    });
  }

  /** Null where its condition is not met. */
  async put(
    key: string,
    body: Body,
    options: {
      onlyIf?: Condition | Headers;
      httpMetadata?: object;
      customMetadata?: Record<string, string>;
    } = {},
  ) {
    const bytes = new Uint8Array(await new Response(body as BodyInit).arrayBuffer());
    const { onlyIf, httpMetadata = {}, customMetadata = {} } = options;
    if (onlyIf !== undefined && !meets(this.#stored.get(key), onlyIf)) return null;
    const etag = createHash('md5').update(bytes).digest('hex');
    const stored = { bytes, etag, uploaded: new Date(), httpMetadata, customMetadata };
    this.#stored.set(key, stored);
    return about(key, stored);
  }

  async delete(keys: string | string[]): Promise<void> {
    for (const key of [keys].flat()) this.#stored.delete(key);
  }

  async list(options: { prefix?: string; delimiter?: string; limit?: number; cursor?: string } = {}) {
    const { prefix = '', delimiter, limit = 1000, cursor = '' } = options;
    const keys = [...this.#stored.keys()].filter((key) => key.startsWith(prefix)).toSorted();
    const prefixes = new Set<string>();
    const objects: ReturnType<typeof about>[] = [];
    for (const key of keys) {
      const end = delimiter === undefined ? -1 : key.indexOf(delimiter, prefix.length);
      if (end >= 0) prefixes.add(key.slice(0, end + 1));
      else if (key > cursor) objects.push(about(key, this.#stored.get(key) as Stored));
    }
    const page = objects.slice(0, limit);
    const truncated = objects.length > limit;
    return {
      objects: page,
      delimitedPrefixes: [...prefixes],
      truncated,
      ...(truncated && { cursor: page.at(-1)?.key }),
    };
  }

  async createMultipartUpload(key: string) {
    const parts = new Map<number, ArrayBuffer>();
    return {
      key,
      uploadId: randomUUID(),
      uploadPart: async (partNumber: number, body: Body) => {
        parts.set(partNumber, await new Response(body as BodyInit).arrayBuffer());
        return { partNumber, etag: String(partNumber) };
      },
      complete: (uploaded: { partNumber: number }[]) =>
        this.put(key, new Blob(uploaded.map(({ partNumber }) => parts.get(partNumber) as ArrayBuffer))),
      abort: async () => parts.clear(),
    };
  }
}

const about = (key: string, { bytes, etag, uploaded, httpMetadata, customMetadata }: Stored) => ({
  key,
  version: etag,
  size: bytes.byteLength,
  etag,
  httpEtag: `"${etag}"`,
  uploaded,
  httpMetadata,
  customMetadata,
});

function meets(stored: Stored | undefined, condition: Condition | Headers): boolean {
  if (condition instanceof Headers) {
    if (condition.get('If-None-Match') !== '*') throw new Error('This condition is not known here');
    return stored === undefined;
  }
  const { etagMatches, etagDoesNotMatch } = condition;
  if (etagMatches !== undefined) return stored?.etag === etagMatches;
  return stored?.etag !== etagDoesNotMatch;
}
