import type { Pacing } from '../../../contract/numbers/sender-settings.ts';
import { withinDeadline } from '../../deadline.ts';
import { earliest, endOfWait } from '../../due-times.ts';
import type { Health, NewsTaken, NumberNews } from '../../hand-over/number-news.ts';
import { nextDayIn, nextQuietChange } from '../../local-time/zone-time.ts';
import { logFault } from '../../log.ts';
import { type Device, deviceRecord } from '../device/device.ts';
import type { DeviceStore } from '../device/device-store.ts';
import { isSameHealth } from '../health/health.ts';
import type { SenderHealth } from '../health/sender-health.ts';
import type { NumberState } from '../number-state.ts';
import { dayLimit, ratePerMinute } from '../pacing/pacing.ts';
import type { SenderPace } from '../pacing/sender-pace.ts';
import type { Batches, Capacity } from '../queue/capacity.ts';
import type { Returns } from '../queue/returns.ts';
import type { AccountNotes } from './account-notes.ts';

/** Between attempts to tell the account something. */
const retryMs = 2_000;
const notesPerCall = 100;
/** How long the account may take to answer. */
const answerMsMax = 20_000;
/** An object that dies while it tells its account is woken after that long. */
const wakeAfterMs = 30_000;

/** What the present revision stands for. */
interface Noticed extends SenderFacts {
  /** When the clock alone changes it. */
  changesAt: number | null;
}

interface AccountNewsParts {
  device: DeviceStore;
  state: NumberState;
  pace: SenderPace;
  health: SenderHealth;
  capacity: Capacity;
  batches: Batches;
  returns: Returns;
  notes: AccountNotes;
  hear: (accountId: string, news: NumberNews) => Promise<NewsTaken>;
}

/**
 * Tells the account the number's state, that it has room again, which messages it returns, and who wrote to it. Each is
 * repeated until the account has it. This runs only from alarms and after frames of a bridge, since the account calls this
 * object too.
 */
export class AccountNews {
  readonly #parts: AccountNewsParts;
  #noticed: Noticed | null = null;
  #retryAt = 0;
  #telling: Promise<void> | null = null;
  #tellingBeganAt = 0;

  constructor(parts: AccountNewsParts) {
    this.#parts = parts;
    this.reload();
  }

  /** After a transaction that was rolled back, and at the beginning of a life. */
  reload(): void {
    this.#noticed = this.#parts.state.get<Noticed>('outlook');
  }

  /** Looks whether there is anything new about the sender; a new revision stands for what is to be told. */
  notice(now: number): void {
    const device = this.#parts.device.current;
    if (!device) return;
    const { pace, health, state } = this.#parts;
    health.observe(device, now);
    const facts = this.#facts(device, now);
    const isDue = this.#noticed?.changesAt != null && this.#noticed.changesAt <= now;
    if (this.#noticed && !isDue && !isWorthTelling(this.#noticed, facts)) return;
    const pairedAt = device.pairedAt ?? device.connectedAt;
    this.#noticed = { ...facts, changesAt: factsChangeAt(pace.pacing, pairedAt, now) };
    state.put('outlook', this.#noticed);
    this.#parts.device.note({ ...device, revision: device.revision + 1 });
  }

  /** Settings have changed: the next look is told. */
  forgetNoticed(): void {
    this.#noticed = null;
  }

  /** When the clock alone changes what there is to tell; null when it does not. */
  changesAt(): number | null {
    return earliest([this.#noticed?.changesAt, this.#parts.health.changesAt()]);
  }

  /** When the account is to be told; null when it knows everything. */
  dueAt(now: number): number | null {
    if (this.isTold(now)) return null;
    if (this.#telling === null) return endOfWait(this.#retryAt, retryMs, now);
    return endOfWait(this.#tellingBeganAt + wakeAfterMs, wakeAfterMs, now);
  }

  isTold(now: number): boolean {
    const { notes, batches, capacity, device } = this.#parts;
    const { current } = device;
    if (!current) return true;
    if (current.reportedRevision < current.revision || !notes.isEmpty) return false;
    return !batches.isRoomOwed || capacity.room(current, now) * 2 < capacity.limit(now);
  }

  /** Tells what there is to tell, until there is nothing or an attempt fails. Never throws. */
  tell(): Promise<void> {
    if (this.#telling === null) this.#tellingBeganAt = Date.now();
    this.#telling ??= this.#tell().finally(() => {
      this.#telling = null;
    });
    return this.#telling;
  }

  async #tell(): Promise<void> {
    while (!this.isTold(Date.now())) {
      try {
        await this.#attempt();
      } catch (error) {
        this.#retryAt = Date.now() + retryMs;
        logFault('account.not_told', error, { numberId: this.#parts.device.known.numberId });
        return;
      }
    }
  }

  async #attempt(): Promise<void> {
    const { device, capacity, batches, notes, returns, hear } = this.#parts;
    const now = Date.now();
    const { accountId, revision } = device.known;
    const { numberId, ...record } = deviceRecord(device.known);
    const room = capacity.room(device.known, now);
    const waiting = notes.first(notesPerCall);
    const batchesTaken = batches.takenUpTo;
    const told = hear(accountId, {
      numberId,
      report: { ...record, ...this.#facts(device.known, now), room, takenUpTo: batchesTaken },
      notes: waiting,
    });
    const { takenUpTo, rerouteAfterMs } = await withinDeadline(told, answerMsMax);
    // A batch that came meanwhile was answered with what is left now.
    if (batches.takenUpTo === batchesTaken) batches.noteRoomTold(room);
    returns.configure(rerouteAfterMs);
    const last = waiting.at(-1)?.seq ?? 0;
    if (takenUpTo < (waiting[0]?.seq ?? 0)) throw new Error('the account took no note');
    if (last > 0 && takenUpTo > last) notes.jumpAbove(takenUpTo);
    else if (last > 0) notes.forget(takenUpTo);
    if (device.known.reportedRevision < revision)
      device.note({ ...device.known, reportedRevision: revision });
  }

  #facts(device: Device, now: number): SenderFacts {
    const { pace, health, capacity } = this.#parts;
    return {
      health: health.shown(device, now),
      dailyRemaining: capacity.dailyRemaining(device, now),
      perMinute: ratePerMinute(pace.pacing, health.at(now).isOnTrial, now),
    };
  }
}

/** What a number knows of itself: its account decides by it what may leave, and weighs its senders by it. */
export interface SenderFacts {
  health: Health;
  /** Messages that it can still take today, what waits already taken off; null without a limit. */
  dailyRemaining: number | null;
  /** Messages a minute that it can send now. */
  perMinute: number;
}

/**
 * Whether the account must be told, under a new revision. Of the daily limit, only its existence and whether it is used up
 * count: the account subtracts messages itself. So all reports of one revision agree about which messages may leave, and a
 * late report undoes nothing.
 */
export function isWorthTelling(told: SenderFacts, facts: SenderFacts): boolean {
  return (
    !isSameHealth(told.health, facts.health) ||
    told.perMinute !== facts.perMinute ||
    stateOfDay(told) !== stateOfDay(facts)
  );
}

const stateOfDay = ({ dailyRemaining }: SenderFacts) =>
  dailyRemaining === null ? 'unlimited' : dailyRemaining === 0 ? 'used up' : 'open';

/** When they change by the clock alone; null when they do not. */
export function factsChangeAt(pacing: Pacing, pairedAt: number | null, now: number): number | null {
  const { quietHours, timeZone } = pacing;
  return earliest([
    quietHours && nextQuietChange(quietHours, timeZone, now),
    dayLimit(pacing, pairedAt, now).limit === null ? null : nextDayIn(timeZone, now),
  ]);
}
