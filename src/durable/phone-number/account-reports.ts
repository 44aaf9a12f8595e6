import { logFault } from '../log.ts';
import type { Device } from './device.ts';
import type { DeviceRecord } from './device-record.ts';
import type { GiveBacks } from './give-backs.ts';
import type { InboundNotes } from './inbound-notes.ts';
import type { Outbox } from './outbox.ts';
import { dayLimit } from './pacing.ts';
import type { Reroute } from './reroute.ts';
import type { SenderHealth } from './sender-health.ts';
import { isWorthTelling, outlookChangesAt, type SenderOutlook, senderOutlook } from './sender-outlook.ts';
import type { SenderPace } from './sender-pace.ts';
import type { SenderState } from './sender-state.ts';

/** Between attempts to tell the account something. */
const retryMs = 5_000;
const itemsPerCall = 500;

/** The outlook that the present revision stands for. */
interface Noticed extends SenderOutlook {
  /** When the clock alone changes it. */
  changesAt: number | null;
}

export interface AccountReportsParts {
  device: DeviceRecord;
  state: SenderState;
  pace: SenderPace;
  health: SenderHealth;
  outbox: Outbox;
  reroute: Reroute;
  giveBacks: GiveBacks;
  inboundNotes: InboundNotes;
  account: (accountId: string) => ReturnType<Env['ACCOUNT']['getByName']>;
}

/** Tells the account how this sender is, what it need not count and who wrote in; again until the account knows. */
export class AccountReports {
  readonly #parts: AccountReportsParts;
  #noticed: Noticed | null = null;
  #lastAttemptAt = 0;
  #lastStamp = 0;
  #isReporting = false;

  constructor(parts: AccountReportsParts) {
    this.#parts = parts;
    this.reload();
  }

  /** After a transaction that was rolled back, and at the beginning of a life. */
  reload(): void {
    this.#noticed = this.#parts.state.get<Noticed>('noticed');
  }

  /** Looks whether there is anything new about the sender; a new revision stands for what is to be told. */
  notice(now: number): void {
    const device = this.#parts.device.current;
    if (!device) return;
    const { pace, health, state } = this.#parts;
    health.observe(device, now);
    const pairedAt = device.pairedAt ?? device.connectedAt;
    const outlook = this.#outlook(device, now);
    const isDue = this.#noticed?.changesAt != null && this.#noticed.changesAt <= now;
    if (this.#noticed && !isDue && !isWorthTelling(this.#noticed, outlook)) return;
    this.#noticed = { ...outlook, changesAt: outlookChangesAt(pace.pacing, pairedAt, now) };
    state.put('noticed', this.#noticed);
    this.#parts.device.note({ ...device, revision: device.revision + 1 });
  }

  /** Rises with each call, also over evictions while the clock does: what was taken and told is put in order by it. */
  stamp(now: number): number {
    this.#lastStamp = Math.max(this.#lastStamp + 1, now * 1000);
    return this.#lastStamp;
  }

  /** Settings have changed, or messages that waited do so no more: the next look is told. */
  forgetNoticed(): void {
    this.#noticed = null;
  }

  /** When the clock alone changes what there is to tell; null when it does not. */
  changesAt(): number | null {
    const times = [this.#noticed?.changesAt, this.#parts.health.changesAt()].filter((at) => at != null);
    return times.length > 0 ? Math.min(...times) : null;
  }

  /** When the next attempt is due; null when the account knows everything. */
  dueAt(): number | null {
    return this.isTold || this.#isReporting ? null : this.#lastAttemptAt + retryMs;
  }

  get isTold(): boolean {
    const device = this.#parts.device.current;
    if (!device) return true;
    return (
      device.reportedRevision >= device.revision &&
      this.#parts.giveBacks.isEmpty &&
      this.#parts.inboundNotes.isEmpty
    );
  }

  /** Tells what there is to tell, until there is nothing or an attempt fails. Never throws. */
  async tell(): Promise<void> {
    if (this.#isReporting || this.isTold) return;
    this.#isReporting = true;
    try {
      while (!this.isTold && (await this.#attempt()));
    } finally {
      this.#isReporting = false;
    }
  }

  async #attempt(): Promise<boolean> {
    const { device, giveBacks, inboundNotes } = this.#parts;
    const { accountId, numberId, state, phoneNumber, revision, reportedRevision } = device.known;
    this.#lastAttemptAt = Date.now();
    try {
      const account = this.#parts.account(accountId);
      if (reportedRevision < revision) {
        if (!this.#noticed) return false;
        const { health, perMinute } = this.#noticed;
        // As of now: since the last look messages may have come in.
        const { dailyRemaining } = this.#outlook(device.known, this.#lastAttemptAt);
        const answer = await account.reportSender({
          numberId,
          state,
          phoneNumber,
          revision,
          health,
          dailyRemaining,
          asOf: this.stamp(this.#lastAttemptAt),
          perMinute,
        });
        this.#parts.reroute.configure(answer.rerouteAfterMs);
        if (device.current) device.note({ ...device.current, reportedRevision: revision });
      }
      const unsent = giveBacks.first(itemsPerCall);
      if (unsent.length > 0) {
        await account.giveBack(unsent, numberId);
        giveBacks.forget(unsent);
      }
      const { items, through } = inboundNotes.first(itemsPerCall);
      if (items.length > 0) {
        await account.noteInbound({ numberId, items });
        inboundNotes.forget(through);
      }
      return true;
    } catch (error) {
      logFault('sender.report_failed', error, { numberId });
      return false;
    }
  }

  #outlook(device: Device, now: number): SenderOutlook {
    const { pace, health, outbox } = this.#parts;
    const pairedAt = device.pairedAt ?? device.connectedAt;
    const { limit } = dayLimit(pace.pacing, pairedAt, now);
    return senderOutlook({
      health: health.shown(device, now),
      isOnTrial: health.at(now).isOnTrial,
      pacing: pace.pacing,
      pace: pace.at(now),
      pairedAt,
      waiting: limit === null ? 0 : outbox.uncountedWaiting,
      now,
    });
  }
}
