import type { FileContent } from '../../contract/messages/content.ts';
import type { JournalDatabase } from '../journal/database.ts';
import type { Preview } from './previews/preview.ts';

/** The network keeps what was uploaded for longer; a file that it has forgotten would reach nobody. */
const keptMs = 3 * 24 * 3_600_000;

/** Where the network has a file of ours, and what opens it: enough to send it to anybody. */
export interface UploadTicket {
  url: string;
  directPath: string;
  /** Base64, as the two that follow but for `sha256`, which is lower-case hex. */
  mediaKey: string;
  encSha256: string;
  sha256: string;
  /** Length of the file, as the network has it. */
  bytes: number;
  /** Milliseconds since 1970. */
  uploadedAt: number;
  /** What phones show before they have the file. Older tickets do not have it. */
  preview?: Preview;
}

/** What a file was given as. A voice note is other bytes than the sound that it was made of. */
export type TicketKind = FileContent['type'] | 'voice';

export const ticketKind = ({ type, media }: FileContent): TicketKind => (media.voice ? 'voice' : type);

type Row = { ticket: string };

/** The uploads of the last days, by number and file: the next recipients of the same file get the same one. */
export class UploadTickets {
  readonly #db: JournalDatabase;

  constructor(db: JournalDatabase) {
    this.#db = db;
  }

  /** `sha256` is that of the file as it was given, here and in {@link keep}. */
  find(numberId: string, kind: TicketKind, sha256: string): UploadTicket | null {
    const row = this.#db.get<Row>(
      'SELECT ticket FROM uploads WHERE number_id = ? AND kind = ? AND sha256 = ? AND at > ?',
      numberId,
      kind,
      sha256,
      Date.now() - keptMs,
    );
    return row ? JSON.parse(row.ticket) : null;
  }

  keep(numberId: string, kind: TicketKind, sha256: string, ticket: UploadTicket): void {
    this.#db.run(
      'INSERT OR REPLACE INTO uploads (number_id, kind, sha256, at, ticket) VALUES (?, ?, ?, ?, ?)',
      numberId,
      kind,
      sha256,
      ticket.uploadedAt,
      JSON.stringify(ticket),
    );
  }

  /** Drops what is too old to be used. */
  prune(): void {
    this.#db.run('DELETE FROM uploads WHERE at <= ?', Date.now() - keptMs);
  }
}
