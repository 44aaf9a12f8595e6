import { WorkerEntrypoint } from 'cloudflare:workers';
import type { SegmentKind } from '../../../durable/event-log/archive/segments/segments.ts';
import type { EraseCalls, ErasedPerson } from '../../../durable/event-log/contacts/erasing/erase-calls.ts';
import { segmentWithout } from './segment-without.ts';

/** Deletes files, and writes segments of the archive anew, for erasures. Keeps nothing itself. */
export class PersonEraser extends WorkerEntrypoint<Env> implements EraseCalls {
  async files(accountId: string, mediaIds: readonly string[]): Promise<void> {
    const keys = mediaIds.flatMap((mediaId) =>
      ['about', 'bytes'].map((part) => `${accountId}/${mediaId}/${part}`),
    );
    await this.env.MEDIA.delete(keys);
  }

  async segment(kind: SegmentKind, key: string, person: ErasedPerson): Promise<number> {
    const found = await this.env.ARCHIVE.get(key);
    if (found === null) return 0;
    const text = await new Response(found.body.pipeThrough(new DecompressionStream('gzip'))).text();
    const { lines, changed } = segmentWithout(kind, text, person, Date.now());
    if (changed === 0) return 0;
    const compressed = await new Response(
      new Blob([lines]).stream().pipeThrough(new CompressionStream('gzip')),
    ).arrayBuffer();
    await this.env.ARCHIVE.put(key, compressed, { httpMetadata: { contentType: 'application/gzip' } });
    return changed;
  }
}
