import { LRUCache } from 'lru-cache';
import type { OutboundMessage, SendOutcome } from '../../../contract/bridge/bridge-frames.ts';
import type { JournalDatabase } from '../../journal/database.ts';
import type { FactLog } from '../../journal/facts.ts';
import type { OutboundJournal } from '../../journal/outbound.ts';
import type { Log } from '../../logging.ts';

const evidenceKept = 2_000;

/** A send as outcomes name it. */
export type SendName = Pick<SendOutcome, 'messageId' | 'handOver'>;

export interface SendLedgerOptions {
  numberId: string;
  db: JournalDatabase;
  outbound: OutboundJournal;
  facts: FactLog;
  log: Log;
}

/** What the journal knows about one number's sends, and what the edge is told: both in one change. */
export class SendLedger {
  readonly #options: SendLedgerOptions;
  /** Ids that the network was seen to have, for sends that are asked about later. */
  readonly #evidence = new LRUCache<string, true>({ max: evidenceKept });

  constructor(options: SendLedgerOptions) {
    this.#options = options;
  }

  /**
   * Takes a message over. Returns whether it may have left from here, and how often it was handed to the network. `settled`:
   * its outcome is known and was reported, again or for the first time.
   */
  accept(message: OutboundMessage): { mayHaveLeft: boolean; handOvers: number } | 'settled' {
    const { numberId, outbound } = this.#options;
    const { providerMessageId, messageId, handOver } = message;
    const row = outbound.find(numberId, providerMessageId);
    if (row?.state === 'resolved' && row.outcome) {
      this.#report({ ...row.outcome, handOver: Math.max(row.handOver, handOver) });
      return 'settled';
    }
    if (row?.state === 'returned' && handOver <= row.handOver) {
      this.#report({ outcome: 'returned', messageId, handOver: row.handOver });
      return 'settled';
    }
    outbound.accept(numberId, message);
    if (row?.state === 'seen' || this.#evidence.has(providerMessageId)) {
      this.resolve(providerMessageId, {
        outcome: 'sent',
        messageId,
        handOver,
        at: new Date().toISOString(),
      });
      return 'settled';
    }
    // A returned message starts again.
    const handOvers = row?.state === 'returned' ? 0 : (row?.networkHandOvers ?? 0);
    return { mayHaveLeft: row?.state === 'handing', handOvers };
  }

  /** It was handed over once more while it is held here. */
  renew({ providerMessageId, handOver }: OutboundMessage): void {
    this.#options.outbound.setHandOver(this.#options.numberId, providerMessageId, handOver);
  }

  /** It is handed to the network: from here on it may be there. */
  handing(providerMessageId: string): void {
    this.#options.outbound.setHanding(this.#options.numberId, providerMessageId, 1);
  }

  /** Another bridge may have handed it to the network. */
  doubted(providerMessageId: string): void {
    this.#options.outbound.setHanding(this.#options.numberId, providerMessageId, 0);
  }

  /** It certainly never left, and does not leave from here any more. */
  giveBack({ providerMessageId, messageId, handOver }: OutboundMessage): void {
    const { db, numberId, outbound, log } = this.#options;
    db.transaction(() => {
      outbound.setReturned(numberId, providerMessageId);
      this.#report({ outcome: 'returned', messageId, handOver });
    });
    log.info({ messageId, handOver }, 'send.returned');
  }

  /** `trace`: the trace of the message, if it has one; then the log has a line for it. */
  resolve(providerMessageId: string, outcome: SendOutcome, trace: { traceId?: string } = {}): void {
    const { db, numberId, outbound, log } = this.#options;
    db.transaction(() => {
      outbound.setResolved(numberId, providerMessageId, outcome);
      this.#report(outcome);
    });
    const line = { messageId: outcome.messageId, outcome: outcome.outcome, ...trace };
    if (trace.traceId === undefined) log.debug(line, 'send.resolved');
    else log.info(line, 'send.resolved');
  }

  /** A send whose outcome is still open, though it may be from before a restart. */
  openSend(providerMessageId: string): SendName | null {
    const row = this.#options.outbound.find(this.#options.numberId, providerMessageId);
    if (!row?.messageId || (row.state !== 'handing' && row.state !== 'accepted')) return null;
    return { messageId: row.messageId, handOver: row.handOver };
  }

  /** The network was seen to have a message; whether it is ours to ask about is not known yet. */
  noteEvidence(providerMessageId: string): void {
    this.#evidence.set(providerMessageId, true);
  }

  /** Our own phone has a copy of a message that nobody here knows: it may be asked about after a restart. */
  noteSeen(providerMessageId: string): void {
    this.#options.outbound.addSeen(this.#options.numberId, providerMessageId);
  }

  /** To whom a message of ours went, where the journal still knows it. */
  recipientOf(providerMessageId: string): string | null {
    return this.#options.outbound.find(this.#options.numberId, providerMessageId)?.recipient ?? null;
  }

  #report(outcome: SendOutcome): void {
    this.#options.facts.append({ type: 'send.outcomes', items: [outcome] });
  }
}
