import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** The files of all numbers at the fake edge, in memory. */
export class FakeFiles {
  readonly stored = new Map<string, Buffer>();
  /** Answers this status to whoever stores something, while it is set. */
  refusesWith: number | null = null;
  /** Whoever has stored something hears of it after that. */
  answersAfter: Promise<void> = Promise.resolve();
  reads = 0;
  /** What was said of files that were stored last. */
  readonly described = new Map<string, Record<string, string>>();

  add(mediaId: string, bytes: Buffer): void {
    this.stored.set(mediaId, bytes);
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://edge');
    const mediaId = /^\/bridge\/numbers\/[0-9a-f-]{36}\/media\/([0-9a-f-]{36})$/.exec(url.pathname)?.[1];
    if (mediaId === undefined) {
      response.writeHead(404).end();
    } else if (request.method === 'PUT') {
      if (this.refusesWith !== null) {
        request.resume();
        response.writeHead(this.refusesWith).end();
        return;
      }
      // A body that breaks off is no file.
      const bytes = await buffer(request).catch(() => null);
      if (bytes === null) return;
      this.add(mediaId, bytes);
      this.described.set(mediaId, Object.fromEntries(url.searchParams));
      const facts = {
        mediaId,
        mimetype: request.headers['content-type'],
        bytes: bytes.length,
        sha256: createHash('sha256').update(bytes).digest('hex'),
      };
      await this.answersAfter;
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(facts));
    } else {
      this.reads += 1;
      const bytes = this.stored.get(mediaId);
      response.writeHead(bytes ? 200 : 404).end(bytes);
    }
  }
}
