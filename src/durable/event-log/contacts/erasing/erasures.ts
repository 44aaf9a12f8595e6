import type { EventEnvelope } from '../../../../contract/events.ts';
import type { MessageContent } from '../../../../contract/messages/content.ts';
import { endOfWait } from '../../../due-times.ts';
import { log, logFault } from '../../../log.ts';
import { newUuid } from '../../../new-ids.ts';
import { Tables } from '../../../storage/rows.ts';
import type { ArchivedPasts } from '../../archive/archived-pasts.ts';
import type { Segments } from '../../archive/segments.ts';
import type { EventDraft } from '../../events/event-draft.ts';
import type { StoredMessage } from '../../messages/logged-message.ts';
import type { MessageWords } from '../../messages/message-words.ts';
import type { ContactRows } from '../contact-rows.ts';
import type { ErasedConversations } from './erased-conversations.ts';
import {
  addressesOfErased,
  type EraseCalls,
  type ErasedPerson,
  erasedContent,
  eventWithout,
  fileIdsOf,
  mayName,
  mayNameFile,
  messageWithout,
} from './erased-person.ts';
import { type ErasedCounts, type Erasure, type ErasureRows, erasureStages } from './erasure-rows.ts';

/** One turn of the timer: steps, and others have their turn between any two. */
const turnMs = 5_000;
const pauseMs = 50;
const retryMs = 60_000;
/** What one step looks at: a few milliseconds. */
const rowsForgottenAtOnce = 300;
const messagesAtOnce = 100;
const receiptsAtOnce = 2_000;
const eventRowsAtOnce = 200;
const eventCharactersAtOnce = 500_000;

interface ErasuresParts {
  storage: DurableObjectStorage;
  accountId: string;
  rows: ErasureRows;
  contacts: ContactRows;
  words: MessageWords;
  segments: Segments;
  pasts: ArchivedPasts;
  calls: EraseCalls;
  conversations: ErasedConversations;
  /** Forgets what else is known under an address, at most so many rows of a kind; true: nothing is left. In the transaction. */
  forget: (address: string, rowsMax: number) => boolean;
  /** Makes a change in one transaction with its events, and tells whoever listens. */
  commit: (change: (now: number) => EventDraft[]) => void;
  /** After a transaction that was rolled back. */
  reload: () => void;
}

type Progress = Pick<Erasure, 'place'> & { isOver: boolean; counts: Partial<ErasedCounts> };

/**
 * Erases people: what they wrote and what was written to them, in the log and in its archive, step by step. The existence,
 * time and status of a message stay. The progress is stored with each step, so a crash loses nothing.
 */
export class Erasures extends Tables {
  readonly #parts: ErasuresParts;
  /** Whether one goes on; null: not looked up. */
  #isRunning: boolean | null = null;
  #restUntil = 0;

  constructor(parts: ErasuresParts) {
    super(parts.storage.sql);
    this.#parts = parts;
  }

  /**
   * Null: there is no such contact. Otherwise the contact is deleted at once, with as many conversations as one step can
   * delete; the rest follows. Call inside a transaction.
   */
  begin(
    id: string,
    campaignRecipients: number,
    now: number,
  ): { erasure: Erasure; drafts: EventDraft[] } | null {
    const { rows, contacts } = this.#parts;
    const contact = contacts.find(id);
    if (contact === null) return null;
    const { contactId, phoneNumber, lid } = contact;
    const formerIds = contacts.idsOf(contactId).slice(1);
    const dialled = contacts.digitsOf({ phoneNumber, lid: null }).filter((digits) => digits !== phoneNumber);
    const person: ErasedPerson = {
      ...{ contactId, phoneNumber, lid },
      ...(dialled.length > 0 && { dialled }),
      ...(formerIds.length > 0 && { formerIds }),
    };
    for (const address of addressesOfErased(person)) {
      this.sql.exec(
        'DELETE FROM contact_merges WHERE instr(kept, ?1) > 0 OR instr(merged, ?1) > 0',
        `"${address}"`,
      );
    }
    contacts.remove(contact);
    const counts = { messages: 0, files: 0, events: 0, archived: 0, conversations: 0, notes: 0 };
    const erasure: Erasure = {
      erasureId: newUuid(),
      person,
      stage: 'conversations',
      place: null,
      counts: { ...counts, campaignRecipients },
      begunAt: now,
      finishedAt: null,
    };
    const drafts = this.#conversations(erasure, person, now);
    this.#isRunning = true;
    this.#restUntil = 0;
    return { erasure: rows.find(erasure.erasureId) ?? erasure, drafts };
  }

  dueAt(): number | null {
    this.#isRunning ??= this.#parts.rows.next() !== null;
    return this.#isRunning ? Math.max(1, endOfWait(this.#restUntil, retryMs)) : null;
  }

  async run(now: number): Promise<void> {
    // While this runs.
    this.#restUntil = now + retryMs;
    try {
      const endsAt = Date.now() + turnMs;
      while (Date.now() < endsAt && (await this.#step())) await scheduler.wait(0);
      this.#restUntil = Date.now() + pauseMs;
    } catch (error) {
      this.#parts.reload();
      logFault('contacts.erasure_stopped', error);
      this.#restUntil = Date.now() + retryMs;
    }
  }

  async #step(): Promise<boolean> {
    const { storage, rows } = this.#parts;
    const erasure = rows.next();
    this.#isRunning = erasure !== null;
    if (erasure === null || erasure.person === null) return false;
    const { person, stage, place, begunAt } = erasure;
    switch (stage) {
      case 'conversations':
        this.#parts.commit((now) => this.#conversations(erasure, person, now));
        return true;
      case 'messages': {
        const messages = this.#messages(person, begunAt);
        const mediaIds = messages.flatMap(receivedFile);
        if (mediaIds.length > 0) await this.#parts.calls.files(this.#parts.accountId, mediaIds);
        storage.transactionSync(() => {
          for (const message of messages) this.#eraseMessage(message);
          rows.addFiles(erasure, messages.flatMap(fileIdsOf));
          const counts = { messages: messages.length, files: mediaIds.length };
          this.#move(erasure, { place, isOver: messages.length < messagesAtOnce, counts });
        });
        return true;
      }
      case 'receipts':
        storage.transactionSync(() => this.#move(erasure, this.#receipts(person, place)));
        return true;
      case 'events':
        storage.transactionSync(() => this.#move(erasure, this.#events(erasure, person)));
        return true;
      case 'archive': {
        const erased = await this.#parts.pasts.erase((keys) => this.#parts.calls.pasts(keys));
        if (erased !== null) {
          const counts = { archived: erased };
          storage.transactionSync(() => this.#move(erasure, { place, isOver: false, counts }));
          return true;
        }
        const [kind = 'messages', from = '0'] = place?.split(' ') ?? [];
        if (kind !== 'messages' && kind !== 'events') throw new Error('an erasure is nowhere');
        const segment = this.#parts.segments.from(kind, Number(from))[0];
        const knownFiles = kind === 'events' ? rows.files(erasure) : [];
        const { changed: archived, fileIds } =
          segment === undefined
            ? { changed: 0, fileIds: [] }
            : await this.#parts.calls.segment(kind, segment.key, person, knownFiles);
        const next = segment === undefined ? 'events 0' : `${kind} ${segment.last + 1}`;
        const isOver = segment === undefined && kind === 'events';
        storage.transactionSync(() => {
          rows.addFiles(erasure, fileIds);
          this.#move(erasure, { place: next, isOver, counts: { archived } });
        });
        return true;
      }
      case 'done':
        return false;
    }
  }

  #conversations(erasure: Erasure, person: ErasedPerson, now: number): EventDraft[] {
    const { conversations, forget } = this.#parts;
    const forgotten = addressesOfErased(person).map((address) => forget(address, rowsForgottenAtOnce));
    const { counts, isOver, drafts } = conversations.erase(person, erasure.begunAt, now);
    this.#move(erasure, { place: null, isOver: isOver && !forgotten.includes(false), counts });
    return drafts;
  }

  /** Messages with them that were there when the erasure began. What they write afterwards is news. */
  #messages(person: ErasedPerson, begunAt: number): StoredMessage[] {
    return addressesOfErased(person)
      .flatMap((peer) =>
        this.queryAll<StoredMessage>(
          'SELECT * FROM messages WHERE peer = ? AND id < ? ORDER BY id LIMIT ?',
          ...[peer, (begunAt + 1) * 1000, messagesAtOnce],
        ),
      )
      .slice(0, messagesAtOnce);
  }

  #eraseMessage(row: StoredMessage): void {
    const after = messageWithout(row, Date.now());
    this.#parts.words.replace(row.id, JSON.parse(row.content) as MessageContent, erasedContent);
    this.sql.exec(
      `UPDATE messages SET peer = ?, peer_lid = NULL, dialled = NULL, content = ?, client_reference = NULL, error_message = ?,
         reactions = NULL, votes = NULL, failed_actions = NULL, deleted_at = ? WHERE id = ?`,
      ...[after.peer, after.content, after.error_message, after.deleted_at ?? null, row.id],
    );
    // What a list shows of a group that they were the last to write in.
    if (row.group_id === null) return;
    this.sql.exec(
      `UPDATE conversations SET last = json_set(last, '$.text', '')
       WHERE number_id = ? AND group_id = ? AND last_message = ? AND last IS NOT NULL`,
      ...[row.number_id, row.group_id, row.id],
    );
  }

  /** What they have confirmed in groups. */
  #receipts(person: ErasedPerson, place: string | null): Progress {
    const from = Number(place ?? 0);
    const { last, n } = this.queryOne<{ last: number | null; n: number }>(
      `SELECT max(message) AS last, count(*) AS n FROM
         (SELECT message FROM member_receipts WHERE message >= ? ORDER BY message LIMIT ?)`,
      ...[from, receiptsAtOnce],
    );
    if (last === null) return { place: null, isOver: true, counts: {} };
    this.sql.exec(
      `DELETE FROM member_receipts WHERE message BETWEEN ?1 AND ?2 AND 
         (member IN (SELECT value FROM json_each(?3)) OR phone IN (SELECT value FROM json_each(?3)) OR lid = ?4)`,
      ...[from, last, JSON.stringify(addressesOfErased(person)), person.lid ?? ''],
    );
    return { place: String(last + 1), isOver: n < receiptsAtOnce, counts: {} };
  }

  #events(erasure: Erasure, person: ErasedPerson): Progress {
    const fileIds = new Set(this.#parts.rows.files(erasure));
    const rows: { first_seq: number; bodies: string }[] = [];
    let characters = 0;
    for (const row of this.sql.exec<{ first_seq: number; bodies: string }>(
      'SELECT first_seq, bodies FROM events WHERE first_seq > ? ORDER BY first_seq LIMIT ?',
      ...[Number(erasure.place ?? 0), eventRowsAtOnce],
    )) {
      rows.push(row);
      characters += row.bodies.length;
      if (characters >= eventCharactersAtOnce) break;
    }
    let events = 0;
    for (const { first_seq, bodies } of rows) {
      if (!mayName(bodies, person) && !mayNameFile(bodies, fileIds)) continue;
      const before: EventEnvelope[] = JSON.parse(bodies);
      const after = before.map((envelope) => eventWithout(envelope, person, fileIds));
      const changed = after.filter((envelope, index) => envelope !== before[index]).length;
      if (changed === 0) continue;
      events += changed;
      this.sql.exec('UPDATE events SET bodies = ? WHERE first_seq = ?', JSON.stringify(after), first_seq);
    }
    const last = rows.at(-1)?.first_seq;
    return last === undefined
      ? { place: null, isOver: true, counts: {} }
      : { place: String(last), isOver: false, counts: { events } };
  }

  #move(erasure: Erasure, { place, isOver, counts }: Progress): void {
    const { rows } = this.#parts;
    const summed = { ...erasure.counts };
    for (const [name, count] of Object.entries(counts)) summed[name as keyof ErasedCounts] += count;
    if (!isOver) {
      rows.put({ ...erasure, place, counts: summed });
      return;
    }
    const stage = erasureStages[erasureStages.indexOf(erasure.stage) + 1] ?? 'done';
    const isDone = stage === 'done';
    rows.put({
      ...erasure,
      stage,
      place: null,
      counts: summed,
      ...(isDone && { person: null, finishedAt: Date.now() }),
    });
    if (isDone) log('contacts.erased', { erasureId: erasure.erasureId, ...summed });
  }
}

/** A file that came in with the message; one that was sent is the account's own. */
const receivedFile = (message: StoredMessage): string[] =>
  message.direction === 'inbound' ? fileIdsOf(message) : [];
