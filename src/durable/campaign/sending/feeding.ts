import type { CampaignHold, CampaignReason } from '../../../contract/campaigns/campaign.ts';
import { isOpen, opensAt, type RecipientZones } from '../audience/open-hours.ts';
import type { CampaignPorts } from '../ports.ts';
import type { Progress } from '../progress.ts';
import { winnerOf } from '../recipient.ts';
import type { RecipientRows } from '../recipient-rows.ts';
import type { CampaignStore } from '../store.ts';
import { allowedNow, type Batches } from './batches.ts';
import { roomOf } from './room.ts';

/** How often the campaign asks whether numbers have room again. */
export const lookEveryMs = 1_000;

interface FeedingParts {
  store: CampaignStore;
  rows: RecipientRows;
  zones: RecipientZones;
  ports: CampaignPorts;
  batches: Batches;
  /** How long what was sent may take to arrive. */
  arrivesWithinMs: number;
  /** Shows why nothing is sent for now, and until when. */
  hold: (reason: CampaignHold, until: number | null) => void;
  /** Call inside a transaction. */
  stop: (progress: Progress, reason: CampaignReason) => void;
}

/** Decides to which recipients the next messages of a running campaign go, or what it waits for. */
export class Feeding {
  readonly #parts: FeedingParts;
  readonly #arrivals: ArrivalWatch;

  constructor(parts: FeedingParts) {
    this.#parts = parts;
    this.#arrivals = new ArrivalWatch(parts.rows, parts.arrivesWithinMs);
  }

  /**
   * Gives the account as many messages as the numbers have room for. Returns for how many milliseconds it can wait then; null:
   * there is more to give; `done`: every recipient has an outcome.
   */
  async feed(now: number): Promise<number | 'done' | null> {
    const { store, ports, rows, batches, stop, hold } = this.#parts;
    const { definition, progress } = store.known;
    const { pending, held, queued } = progress.tally.states;
    if (pending === 0 && held > 0) return this.#decide(now);
    if (pending === 0) return queued > 0 ? lookEveryMs : 'done';
    if (this.#arrivals.seesBlocks(progress, now)) {
      store.change((current) => stop(current, 'undelivered'));
      return null;
    }
    const outlook = await ports.outlook(definition.numberIds);
    if (store.known.progress.status !== 'running') return null;
    if (outlook.numbers.length === 0) {
      store.change((current) => stop(current, 'numbers_gone'));
      return null;
    }
    if (outlook.quotaLeft === 0) return this.#quotaEnded(outlook.quotaResetAt, now);
    const { room, why } = roomOf(outlook.numbers, rows.underWay());
    if (why !== null) {
      // Its own messages keep them busy: that is no news.
      if (why !== 'busy' || queued === 0) hold(why, null);
      return lookEveryMs;
    }
    const allowed = allowedNow(progress.rateNextAt, definition.ratePerHour, now);
    if (allowed === 0) {
      hold('rate', progress.rateNextAt);
      return Math.min(lookEveryMs * 30, Math.max(100, progress.rateNextAt - now));
    }
    const { open, opensNextAt } = this.#openZones(now);
    const limit = Math.min(room, allowed ?? room, outlook.quotaLeft ?? room);
    const recipients = rows.next(open, limit);
    if (recipients.length > 0) {
      batches.form(recipients, now);
      return null;
    }
    hold('window', opensNextAt);
    return Math.min(60_000, Math.max(lookEveryMs, (opensNextAt ?? now) - now));
  }

  /** The zones in which it may send now, of those that somebody waits in; and when the next one opens. */
  #openZones(now: number): { open: number[]; opensNextAt: number | null } {
    const { window } = this.#parts.store.known.definition;
    const waiting = this.#parts.rows.zonesWaiting();
    if (window === null) return { open: waiting, opensNextAt: null };
    const open: number[] = [];
    let opensNextAt: number | null = null;
    for (const id of waiting) {
      const zones = this.#parts.zones.of(id);
      if (isOpen(window, zones, now)) open.push(id);
      else {
        const at = opensAt(window, zones, now) ?? now + 86_400_000;
        opensNextAt = Math.min(opensNextAt ?? at, at);
      }
    }
    return { open, opensNextAt };
  }

  /** The texts were tried: which one is better is told by the answers, once there was time for them. */
  #decide(now: number): number | null {
    const { store } = this.#parts;
    const { definition, progress } = store.known;
    if (progress.tally.states.queued > 0) return lookEveryMs;
    const waitMs = (definition.winner?.afterMinutes ?? 0) * 60_000;
    const decidedAt = (progress.testedAt ?? now) + waitMs;
    if (progress.testedAt !== null && decidedAt <= now) {
      store.change((current) => {
        current.winner ??= winnerOf(current.tally);
        current.sweeps.push({ kind: 'release' });
        current.hold = null;
      });
      return null;
    }
    store.change((current) => {
      current.testedAt ??= now;
      current.hold = { reason: 'winner', until: decidedAt };
    });
    return Math.min(30_000, decidedAt - now);
  }

  #quotaEnded(resetAt: number, now: number): number | null {
    const { store } = this.#parts;
    if (store.known.definition.whenQuotaEnds === 'end') {
      store.change((progress) => {
        progress.sweeps.push({ kind: 'quota_ended' });
        progress.reason = 'quota';
      });
      return null;
    }
    this.#parts.hold('quota', resetAt);
    return Math.min(60_000, Math.max(lookEveryMs, resetAt - now));
  }
}

/** So often it is looked whether what was sent has arrived, at most. */
const lookEveryMsMax = 60_000;
/** So many at least, and the share of them that has to arrive. */
const sentMin = 50;
const arrivedShareMin = 0.5;

/** The network does not tell who has blocked a number: what is sent to them never arrives. */
class ArrivalWatch {
  readonly #rows: RecipientRows;
  /** So long a message has for its way. */
  readonly #arrivesWithinMs: number;
  #lookedAt = 0;
  /** The last look has found too little. One alone may only have come before the receipts. */
  #isSuspicious = false;

  constructor(rows: RecipientRows, arrivesWithinMs: number) {
    this.#rows = rows;
    this.#arrivesWithinMs = arrivesWithinMs;
  }

  /** Too little of what had time to arrive has arrived, at two looks in a row. */
  seesBlocks({ startedAt, resumedAt }: Pick<Progress, 'startedAt' | 'resumedAt'>, now: number): boolean {
    const everyMs = Math.min(lookEveryMsMax, this.#arrivesWithinMs / 10);
    if (now < this.#lookedAt + everyMs) return false;
    this.#lookedAt = now;
    const { sent, arrived } = this.#rows.arrivals(resumedAt ?? startedAt ?? 0, now - this.#arrivesWithinMs);
    const wasSuspicious = this.#isSuspicious;
    this.#isSuspicious = sent >= sentMin && arrived < sent * arrivedShareMin;
    return wasSuspicious && this.#isSuspicious;
  }
}
