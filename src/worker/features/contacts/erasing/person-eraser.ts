import { WorkerEntrypoint } from 'cloudflare:workers';
import { countOfPast, erasedPast } from '../../../../durable/event-log/archive/pasts/past-lines.ts';
import type { SegmentKind } from '../../../../durable/event-log/archive/segments/segments.ts';
import type { EraseCalls, ErasedPerson } from '../../../../durable/event-log/contacts/erasing/erase-calls.ts';
import { changeSegment } from '../../../archive/segment-file.ts';
import { askAccount } from '../../../object-calls.ts';
import { segmentWithout } from './segment-without.ts';

/** Deletes files, and writes segments of the archive anew, for erasures. Keeps nothing itself. */
export class PersonEraser extends WorkerEntrypoint<Env> implements EraseCalls {
  async files(accountId: string, mediaIds: readonly string[]): Promise<void> {
    const keys = mediaIds.flatMap((mediaId) =>
      ['about', 'bytes'].map((part) => `${accountId}/${mediaId}/${part}`),
    );
    await this.env.MEDIA.delete(keys);
    await askAccount(this.env, accountId, (account) => account.giveBackFiles(mediaIds));
  }

  async pasts(keys: readonly string[]): Promise<number> {
    let rows = 0;
    for (const key of keys) {
      let count = 0;
      await changeSegment(this.env.ARCHIVE, key, (text) => {
        count = countOfPast(text ?? '');
        return erasedPast;
      });
      rows += count;
    }
    return rows;
  }

  async segment(kind: SegmentKind, key: string, person: ErasedPerson): Promise<number> {
    let count = 0;
    await changeSegment(this.env.ARCHIVE, key, (text) => {
      const { lines, changed } = segmentWithout(kind, text ?? '', person, Date.now());
      count = changed;
      return changed === 0 ? null : lines;
    });
    return count;
  }
}
