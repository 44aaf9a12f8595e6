import type { MediaKind } from '../../contract/messages/media-kinds.ts';
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
  /** Length of the file. */
  bytes: number;
  /** Milliseconds since 1970. */
  uploadedAt: number;
  /** What phones show of it before they have it. Missing in tickets from before there were any. */
  preview?: Preview;
}

type Row = { ticket: string };

/** The uploads of the last days, by number and file: the next recipients of the same file get the same one. */
export class UploadTickets {
  readonly #db: JournalDatabase;

  constructor(db: JournalDatabase) {
    this.#db = db;
  }

  find(numberId: string, kind: MediaKind, sha256: string): UploadTicket | null {
    const row = this.#db.get<Row>(
      'SELECT ticket FROM uploads WHERE number_id = ? AND kind = ? AND sha256 = ? AND at > ?',
      numberId,
      kind,
      sha256,
      Date.now() - keptMs,
    );
    return row ? JSON.parse(row.ticket) : null;
  }

  keep(numberId: string, kind: MediaKind, ticket: UploadTicket): void {
    this.#db.run(
      'INSERT OR REPLACE INTO uploads (number_id, kind, sha256, at, ticket) VALUES (?, ?, ?, ?, ?)',
      numberId,
      kind,
      ticket.sha256,
      ticket.uploadedAt,
      JSON.stringify(ticket),
    );
  }

  /** Drops what is too old to be used. */
  prune(): void {
    this.#db.run('DELETE FROM uploads WHERE at <= ?', Date.now() - keptMs);
  }
}
