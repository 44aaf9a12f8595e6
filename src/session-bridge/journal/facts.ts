import { frameBytesMax, type NumberFact } from '../../contract/bridge/bridge-frames.ts';
import type { Log } from '../logging.ts';
import type { JournalDatabase } from './database.ts';
import { FactFrames, isList, type MadeFrame } from './fact-frames.ts';
import { FactWindow, isRepeatedByNetwork, ParkedFacts, UnstoredFacts } from './facts-under-way.ts';
import { messageKinds } from './leases.ts';
import type { SendInterval } from './send-interval.ts';

/** With this many new facts, a number does not wait for others. */
const newFactsMax = 24;
/** What a frame has around its fact, at most. */
const envelopeBytesMax = 1024;

/** A fact as it travels: `seq` is acknowledged. */
export interface FactFrame {
  seq: number;
  after: number;
  fact: NumberFact;
}

/** How long a fact that is not complete holds up what is said to the network, at most. */
const incompleteHoldsMs = 250;

/** The link that carries facts. */
export interface FactCarrier {
  send(frame: FactFrame): void;
  /** Everything that stood in the journal when the link came up has been sent over it. */
  onCaughtUp(): void;
}

export interface FactLogOptions {
  db: JournalDatabase;
  numberId: string;
  epoch: number;
  /** Of the whole bridge. */
  interval: SendInterval;
  /** When the oldest frame that is not acknowledged is sent again. */
  repeatAfterMs: number;
  /** How long a fact holds up what is said to the network, at most, while the edge has not stored it. */
  holdNetworkMs: number;
  /** The lease is over: session, device and vault are another's business. */
  reportOnly?: boolean;
  log: Log;
  /** All vault entries written up to this row are stored at the edge. */
  onVaultStored: (row: number) => void;
}

/**
 * What the edge must learn about one number. What `append` takes is on disk before anything else leaves the process. It is
 * sent soon after, as far as the window allows, and repeated under the same sequence number until the edge has acknowledged
 * it.
 */
export class FactLog {
  readonly #options: FactLogOptions;
  readonly #window: FactWindow;
  readonly #frames: FactFrames;
  readonly #parked: ParkedFacts;
  readonly #unstored: UnstoredFacts;
  /** Which rows of the number are its business. */
  readonly #scope: string;
  /** Rows that are not complete yet. */
  readonly #held = new Set<number>();
  #carrier: FactCarrier | null = null;
  /** Frames that were made and have not been sent over this link. */
  #made: MadeFrame[] = [];
  /** The last row of which a frame was made, and how far the journal reached when the link came up. */
  #lastRow = 0;
  #caughtUpAtRow = 0;
  #isCaughtUp = false;
  #newFacts = 0;
  /** Something waits that the window had no room for. */
  #lacksRoom = false;
  #sendTimer: NodeJS.Timeout | undefined;
  #repeatTimer: NodeJS.Timeout | undefined;
  #waiters: (() => void)[] = [];

  constructor(options: FactLogOptions) {
    this.#options = options;
    this.#window = new FactWindow(options.repeatAfterMs);
    this.#parked = new ParkedFacts(options.db);
    this.#unstored = new UnstoredFacts(options.holdNetworkMs);
    this.#scope = options.reportOnly ? `number_id = ? AND kind IN ${messageKinds}` : 'number_id = ?';
    this.#frames = new FactFrames(options.db, options.numberId, this.#scope);
  }

  /** Journals a fact and sends it soon. Returns its row. */
  append(fact: NumberFact): number {
    const row = this.#insert(fact);
    this.#schedule();
    return row;
  }

  /**
   * Journals a fact that is not ready to be sent; {@link FactLog.complete} sends it. After a restart it is sent as it is. It
   * delays acknowledgements to the network only briefly, since completing it may take a query to the network.
   */
  hold(fact: NumberFact): number {
    const row = this.#insert(fact, Math.min(incompleteHoldsMs, this.#options.holdNetworkMs));
    this.#held.add(row);
    return row;
  }

  /** Sends a held fact in its final form. */
  complete(heldRow: number, fact: NumberFact): void {
    const { db } = this.#options;
    this.#held.delete(heldRow);
    db.transaction(() => {
      const { changes } = db.run('DELETE FROM facts WHERE seq = ? AND frame IS NULL', heldRow);
      if (changes === 1) this.#unstored.moved(heldRow, this.#write(fact));
    });
    this.#schedule();
  }

  /**
   * Runs the action once the edge has everything that the network would repeat without an acknowledgement, and after a limited
   * time in any case. Actions keep their order.
   */
  readonly afterStored = (action: () => void): void => this.#unstored.afterStored(action);

  /** A link is up: it carries everything that was not acknowledged, then what comes. */
  attach(carrier: FactCarrier): void {
    this.detach();
    const { db, numberId } = this.#options;
    db.writeDeferred();
    this.#carrier = carrier;
    this.#isCaughtUp = false;
    this.#lastRow = 0;
    const newest = db.get<{ row: number | null }>(
      `SELECT max(seq) AS row FROM facts WHERE ${this.#scope}`,
      numberId,
    );
    this.#caughtUpAtRow = newest?.row ?? 0;
    this.#made = this.#frames.madeBefore();
    this.#fill();
  }

  /** The link is gone: facts wait on disk. */
  detach(): void {
    clearTimeout(this.#sendTimer);
    clearTimeout(this.#repeatTimer);
    this.#sendTimer = undefined;
    this.#made = [];
    this.#newFacts = 0;
    this.#lacksRoom = false;
    this.#carrier = null;
    this.#window.clear();
  }

  /** The edge has settled everything up to `seq`. */
  acknowledge(seq: number): void {
    const { db, numberId, onVaultStored } = this.#options;
    const gone = db.changeReturning<{ row: number; kind: string }>(
      `DELETE FROM facts WHERE ${this.#scope} AND frame <= ? RETURNING seq AS row, kind`,
      numberId,
      seq,
    );
    const stored = gone.filter(({ kind }) => kind === 'vault.put').map(({ row }) => row);
    if (stored.length > 0) onVaultStored(Math.max(...stored));
    this.#unstored.stored(gone.map(({ row }) => row));
    this.#window.acknowledged(seq);
    this.#settled();
  }

  /** The edge can never take this frame. It is set aside, and holds up nothing behind it. */
  refuse(seq: number, reason: string): void {
    this.#park(seq, reason);
    this.#window.refused(seq);
    this.#settled();
  }

  /** Resolves when the edge has everything. */
  async drained(): Promise<void> {
    if (this.isEmpty) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiters.push(resolve);
    await promise;
  }

  get isEmpty(): boolean {
    const { db, numberId } = this.#options;
    db.writeDeferred();
    return !db.get(`SELECT 1 FROM facts WHERE ${this.#scope} LIMIT 1`, numberId);
  }

  #insert(fact: NumberFact, holdNetworkMs = this.#options.holdNetworkMs): number {
    const row = this.#write(fact);
    if (isRepeatedByNetwork(fact.type)) this.#unstored.heard(row, holdNetworkMs);
    return row;
  }

  #write(fact: NumberFact): number {
    const { db, numberId, epoch } = this.#options;
    // News of the session stand behind the keys that were written before them. Contacts stand before the version that brings
    // them, so that wherever a crash or the end of a lease cuts, who has the version has them.
    if (!isList(fact) && fact.type !== 'contacts.listed') db.writeDeferred();
    const { lastId } = db.run(
      'INSERT INTO facts (number_id, epoch, kind, body) VALUES (?, ?, ?, ?)',
      numberId,
      epoch,
      fact.type,
      JSON.stringify(fact),
    );
    return lastId;
  }

  #schedule(): void {
    if (!this.#carrier) return;
    this.#newFacts += 1;
    const waitMs = this.#options.interval.afterFact(performance.now());
    if (this.#newFacts === newFactsMax) {
      clearTimeout(this.#sendTimer);
      this.#sendTimer = undefined;
    }
    this.#sendTimer ??= setTimeout(() => this.#fill(), this.#newFacts < newFactsMax ? waitMs : 0);
  }

  /** The edge has answered: what it leaves room for goes out. */
  #settled(): void {
    this.#repeat();
    // New facts wait a moment for others; facts that only lacked room are sent at once. A report gets no notice of new facts
    // and has to look, since a session whose lease is over still writes while it ends.
    if (this.#lacksRoom || this.#options.reportOnly) this.#fill();
    this.#noteDrained();
  }

  /** Sends what the window has room for. What finds none waits in the journal, and goes in larger groups. */
  #fill(): void {
    clearTimeout(this.#sendTimer);
    this.#sendTimer = undefined;
    this.#newFacts = 0;
    this.#lacksRoom = false;
    while (this.#carrier) {
      const next = this.#made[0];
      this.#lacksRoom = !this.#window.hasRoomFor(next?.bytes ?? 0);
      if (this.#lacksRoom) break;
      if (next) {
        this.#made.shift();
        this.#send(next);
      } else if (!this.#makeFrames()) {
        break;
      }
    }
    this.#noteCaughtUp();
    this.#awaitRepeat();
  }

  #send({ seq, bytes, fact }: MadeFrame): void {
    if (bytes > frameBytesMax - envelopeBytesMax) {
      this.#park(seq, 'too_large');
      this.#noteDrained();
      return;
    }
    const after = this.#window.lastSeq;
    this.#window.sent(seq, bytes, performance.now());
    this.#carrier?.send({ seq, after, fact });
  }

  /** Makes frames of the next rows. False when there are none. */
  #makeFrames(): boolean {
    const { frames, lastRow } = this.#frames.makeNext(this.#held);
    this.#made.push(...frames);
    this.#lastRow = lastRow ?? this.#lastRow;
    return frames.length > 0;
  }

  #noteCaughtUp(): void {
    if (!this.#carrier || this.#isCaughtUp || this.#made.length > 0) return;
    if (this.#lacksRoom && this.#lastRow < this.#caughtUpAtRow) return;
    this.#isCaughtUp = true;
    this.#carrier.onCaughtUp();
  }

  #noteDrained(): void {
    if (this.#waiters.length > 0 && this.isEmpty) for (const resolve of this.#waiters.splice(0)) resolve();
  }

  #repeat(): void {
    const seq = this.#window.takeRepeat(performance.now());
    const [frame] = seq === null ? [] : this.#frames.madeBefore(seq);
    if (frame) {
      this.#options.log.debug({ seq }, 'fact.repeated');
      this.#carrier?.send({ seq: frame.seq, after: 0, fact: frame.fact });
    }
    this.#awaitRepeat();
  }

  #awaitRepeat(): void {
    clearTimeout(this.#repeatTimer);
    const dueAtMs = this.#window.repeatDueAtMs();
    if (dueAtMs === null) return;
    this.#repeatTimer = setTimeout(() => this.#repeat(), Math.max(1, dueAtMs - performance.now()));
  }

  #park(seq: number, reason: string): void {
    const { numberId, log } = this.#options;
    const { rows, kind } = this.#parked.park(numberId, seq, reason);
    if (rows > 0) log.error({ seq, kind, rows, reason }, 'fact.parked');
  }
}
