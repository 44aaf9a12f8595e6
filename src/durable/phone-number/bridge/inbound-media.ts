import type { InboundMessage, NumberDownFrame } from '../../../contract/bridge/bridge-frames.ts';
import { isFileContent } from '../../../contract/messages/content.ts';
import type { FileFacts } from '../../../contract/messages/media.ts';
import { earliest, isDue } from '../../due-times.ts';
import type { Fact } from '../../event-log/facts.ts';
import type { LogOutbox } from '../../hand-over/log-outbox.ts';
import { log } from '../../log.ts';
import { Tables } from '../../storage/rows.ts';
import type { DeviceStore } from '../device/device-store.ts';
import type { BridgeLink } from './bridge-link.ts';

/** So long a message waits for its file before it is told without it. */
const tellAfterMs = 10_000;
/** When the bridge is asked once more for a file of which nothing was heard. */
const firstRepeatMs = 60_000;
const repeatMsMax = 3_600_000;
/** The network forgets files, and phones do: after so long nobody has it. */
const giveUpMs = 3 * 24 * 3_600_000;

/** Files that the bridge is asked for at a time. */
const askedMax = 20;

type Row = {
  media_id: string;
  message: string;
  tell_at: number | null;
  attempts: number;
  received_at: number;
};

/** Whether the message waits for its file: the network has it, and nobody else does yet. */
export const awaitsFile = ({ content }: InboundMessage): boolean =>
  isFileContent(content) && content.media.status === 'pending';

export interface InboundMediaParts {
  sql: SqlStorage;
  outbox: LogOutbox;
  device: DeviceStore;
  link: BridgeLink;
}

/**
 * Messages whose file is still at the network. The bridge, whichever it is, is asked to bring the file to the edge until it
 * reports an outcome. The log gets the message when the file is there, or after ten seconds without it, and then the outcome
 * of the file separately.
 */
export class InboundMedia extends Tables {
  readonly #parts: InboundMediaParts;
  /** Undefined: to be read. */
  #nextAt: { tell: number | null; ask: number | null } | undefined;

  constructor(parts: InboundMediaParts) {
    super(parts.sql);
    this.#parts = parts;
  }

  /** Keeps a message until its file is there. Call inside a transaction; a repeat changes nothing. */
  hold(message: InboundMessage, now: number): void {
    const { content } = message;
    if (!isFileContent(content)) return;
    this.sql.exec(
      `INSERT OR IGNORE INTO inbound_media (media_id, message, tell_at, ask_at, attempts, received_at)
         VALUES (?, ?, ?, ?, 0, ?)`,
      ...[content.media.mediaId, JSON.stringify(message), now + tellAfterMs, now, now],
    );
    this.#nextAt = undefined;
  }

  /** The bridge has brought a file; null: it is not to be had. Call inside a transaction; a repeat changes nothing. */
  settle(mediaId: string, file: FileFacts | null): void {
    const row = this.queryFirst<Row>('SELECT * FROM inbound_media WHERE media_id = ?', mediaId);
    if (!row) return;
    const message = withFile(JSON.parse(row.message), file);
    this.#parts.outbox.add([
      this.#factOf(row.tell_at === null ? 'message.media' : 'message.received', message),
    ]);
    this.sql.exec('DELETE FROM inbound_media WHERE media_id = ?', mediaId);
    this.#nextAt = undefined;
  }

  /** A bridge begins to drive the number: what another one was asked for, it is asked for now. */
  linkReady(): void {
    this.sql.exec('UPDATE inbound_media SET ask_at = 0, attempts = 0');
    this.#nextAt = undefined;
  }

  /** When something is to be told, or the bridge asked; null when nothing is. */
  dueAt(): number | null {
    const { tell, ask } = this.#next();
    return earliest([tell, this.#parts.link.ready ? ask : null]);
  }

  /** Tells what has waited for long enough. Call inside a transaction, and flush the outbox after it. */
  tell(now: number): void {
    if (!isDue(this.#next().tell, now)) return;
    const rows = this.queryAll<Row>('SELECT * FROM inbound_media WHERE tell_at <= ?', now);
    this.#parts.outbox.add(rows.map(({ message }) => this.#factOf('message.received', JSON.parse(message))));
    this.sql.exec('UPDATE inbound_media SET tell_at = NULL WHERE tell_at <= ?', now);
    this.#nextAt = undefined;
  }

  /**
   * Tells at once of messages to which something is done: the log is to know them first. Call inside a transaction, and
   * flush the outbox after it.
   */
  tellFirst(providerMessageIds: ReadonlySet<string>): void {
    const held = this.queryAll<Row>('SELECT * FROM inbound_media WHERE tell_at IS NOT NULL');
    for (const { media_id: mediaId, message: json } of held) {
      const message = JSON.parse(json) as InboundMessage;
      if (!providerMessageIds.has(message.providerMessageId)) continue;
      this.#parts.outbox.add([this.#factOf('message.received', message)]);
      this.sql.exec('UPDATE inbound_media SET tell_at = NULL WHERE media_id = ?', mediaId);
      this.#nextAt = undefined;
    }
  }

  /**
   * What it is time to ask the bridge for; what has waited for days is given up. Call inside a transaction, and send the
   * frames after it.
   */
  toAsk(now: number): NumberDownFrame[] {
    const frames: NumberDownFrame[] = [];
    if (!this.#parts.link.ready || !isDue(this.#next().ask, now)) return frames;
    const query = 'SELECT * FROM inbound_media WHERE ask_at <= ? ORDER BY media_id LIMIT ?';
    for (const row of this.queryAll<Row>(query, now, askedMax)) {
      if (row.received_at + giveUpMs <= now) {
        log('media.given_up', { numberId: this.#parts.device.known.numberId, attempts: row.attempts });
        this.settle(row.media_id, null);
        continue;
      }
      frames.push({ type: 'media.fetch', message: withoutSecret(JSON.parse(row.message)) });
      const waitMs = Math.min(firstRepeatMs * 2 ** row.attempts, repeatMsMax);
      const change = 'UPDATE inbound_media SET attempts = attempts + 1, ask_at = ? WHERE media_id = ?';
      this.sql.exec(change, now + waitMs, row.media_id);
    }
    this.#nextAt = undefined;
    return frames;
  }

  /** After a transaction that was rolled back. */
  reload(): void {
    this.#nextAt = undefined;
  }

  #next(): { tell: number | null; ask: number | null } {
    this.#nextAt ??= this.queryOne<{ tell: number | null; ask: number | null }>(
      'SELECT min(tell_at) AS tell, min(ask_at) AS ask FROM inbound_media',
    );
    return this.#nextAt;
  }

  #factOf(kind: 'message.received' | 'message.media', message: InboundMessage): Fact {
    const { numberId, phoneNumber } = this.#parts.device.known;
    return { kind, numberId, to: phoneNumber ?? '', message };
  }
}

/** A bridge needs no secret for a file, and an older one would not take the frame. */
function withoutSecret({ content: { secret: _, ...content }, ...message }: InboundMessage): InboundMessage {
  return { ...message, content };
}

/** What the network said of the file stands, as far as the stored file does not say it better. */
function withFile(message: InboundMessage, file: FileFacts | null): InboundMessage {
  const { content } = message;
  if (!isFileContent(content)) return message;
  const { source: _, status: __, ...media } = content.media;
  const { fileName, ...known } = media;
  const settled = file === null ? { ...known, status: 'unavailable' as const } : { ...known, ...file };
  return {
    ...message,
    content: { ...content, media: { ...settled, ...(fileName !== undefined && { fileName }) } },
  };
}
