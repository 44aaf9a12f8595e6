import type { StoredMedia } from '../generated/api-types.ts';
import { Resource } from '../http/resource.ts';
import type { CallOptions } from '../http/transport.ts';

export interface UploadOptions extends CallOptions {
  /** The type of the bytes; left out, that of a `Blob`, or what the gateway sees in them. */
  type?: string;
  /** What the recipient sees as its name, of a document. */
  fileName?: string;
}

/** Files to send, and files that came. Take an API key or a token. */
export class Media extends Resource {
  /**
   * Stores a file for 30 days, to be sent by its `mediaId` to as many recipients as you like. It is not repeated by itself;
   * give a larger one more time with `timeoutMs`.
   */
  upload(
    bytes: Uint8Array<ArrayBuffer> | ArrayBuffer | Blob,
    { type, fileName, ...options }: UploadOptions = {},
  ): Promise<StoredMedia> {
    const own = bytes instanceof Blob ? bytes.type : '';
    const raw = { bytes, type: type ?? (own || 'application/octet-stream') };
    return this.ask('POST', [], { ...options, raw, query: { fileName } });
  }

  /** The bytes of a file as they come: read the stream to its end, or abort `signal`. */
  download(mediaId: string, { signal }: { signal?: AbortSignal } = {}): Promise<ReadableStream<Uint8Array>> {
    return this.open([mediaId], { query: {}, signal: signal ?? new AbortController().signal });
  }
}
