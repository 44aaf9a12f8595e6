import { WorkerEntrypoint } from 'cloudflare:workers';
import type { EventEnvelope } from '../../../contract/events.ts';
import { countOfPast, erasedPast } from '../../../durable/event-log/archive/archived-lines.ts';
import type { SegmentKind } from '../../../durable/event-log/archive/segments.ts';
import {
  addressesOfErased,
  type EraseCalls,
  type ErasedPerson,
  eventWithout,
  fileIdsOf,
  isTheirMessage,
  mayName,
  mayNameFile,
  messageWithout,
} from '../../../durable/event-log/contacts/erasing/erased-person.ts';
import type { StoredMessage } from '../../../durable/event-log/messages/logged-message.ts';
import { changeSegment } from '../../archive.ts';
import { askAccount } from '../../object-calls.ts';

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

  async segment(
    kind: SegmentKind,
    key: string,
    person: ErasedPerson,
    fileIds: readonly string[],
  ): Promise<{ changed: number; fileIds: string[] }> {
    let erased = { changed: 0, fileIds: [] as string[] };
    await changeSegment(this.env.ARCHIVE, key, (text) => {
      const { lines, ...rest } = segmentWithout(kind, text ?? '', person, new Set(fileIds), Date.now());
      erased = rest;
      return erased.changed === 0 ? null : lines;
    });
    return erased;
  }
}

/** A segment of the archive without somebody; how many messages or events of it were about them, and the files of those. */
function segmentWithout(
  kind: SegmentKind,
  text: string,
  person: ErasedPerson,
  knownFiles: ReadonlySet<string>,
  now: number,
): { lines: string; changed: number; fileIds: string[] } {
  let changed = 0;
  const fileIds: string[] = [];
  const lines = text.split('\n').map((line) => {
    if (!mayName(line, person) && !mayNameFile(line, knownFiles)) return line;
    if (kind === 'messages') {
      const row: StoredMessage = JSON.parse(line);
      if (isTheirMessage(row, person)) {
        changed += 1;
        fileIds.push(...fileIdsOf(row));
        return JSON.stringify(messageWithout(row, now));
      }
      const receipts = receiptsWithout(row, person);
      if (receipts === null) return line;
      changed += 1;
      return JSON.stringify({ ...row, receipts });
    }
    // A line about a delivery holds ids, and what a receiver has answered.
    if (!line.startsWith('{"firstSeq"')) return line;
    const row: { bodies: EventEnvelope[] } = JSON.parse(line);
    const bodies = row.bodies.map((envelope) => eventWithout(envelope, person, knownFiles));
    changed += bodies.filter((envelope, index) => envelope !== row.bodies[index]).length;
    return JSON.stringify({ ...row, bodies });
  });
  return { lines: lines.join('\n'), changed, fileIds };
}

/** What the members of a group have confirmed, without them; null: they were none of them. */
function receiptsWithout({ receipts }: StoredMessage, person: ErasedPerson): string | null {
  if (!receipts) return null;
  const addresses = addressesOfErased(person);
  const all: { phoneNumber: string | null; lid: string | null }[] = JSON.parse(receipts);
  const others = all.filter(
    (one) =>
      !(one.phoneNumber !== null && addresses.includes(one.phoneNumber)) &&
      !(one.lid !== null && one.lid === person.lid),
  );
  return others.length === all.length ? null : JSON.stringify(others);
}
