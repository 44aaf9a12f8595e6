import type { HealthStatus } from '../../contract/numbers/sender-settings.ts';
import type { DeviceRecord } from '../event-log/facts.ts';
import type { AcceptedMessage } from './message-batch.ts';

/** How a number does as a sender, in its own words. */
export interface Health {
  status: HealthStatus;
  /** A sentence for a person; null while it is healthy. */
  reason: string | null;
  /** When it is tried again; milliseconds since 1970, null when nobody knows. */
  until: number | null;
}

/** How a number is. A report with a lower revision than the last one changes nothing. */
export interface SenderReport extends Omit<DeviceRecord, 'numberId'> {
  health: Health;
  /** Messages a minute that its pacing allows, on average; 0 in quiet hours. */
  perMinute: number;
  /** Messages that it may still begin today, what it has taken already counted off; null without a limit. */
  dailyRemaining: number | null;
  /** Messages that it takes further. */
  room: number;
  /** The last batch that it has taken: `dailyRemaining` and `room` count it and those before. */
  takenUpTo: number;
}

/** What a number has to say once; it repeats it until the account has it. */
export type NumberNote =
  /** A message that certainly never left the number: the account chooses again, or fails it. */
  | {
      kind: 'returned';
      message: AcceptedMessage;
      /** Why it is not sent from here. */
      reason:
        | 'sender_unavailable'
        /** What its account had decided by is not so any more: the report that comes along says how it is now. */
        | 'facts_changed'
        | 'expired'
        | 'deleted'
        | 'not_sendable'
        /** The account wanted it back: nobody is to send it any more. */
        | 'cancelled';
      /** For `not_sendable`: no other number could send it either, and this is why. */
      errorMessage?: string | undefined;
      /** For `not_sendable`: the network's own code, where it was the network that refused it. */
      errorCode?: `network_${string}` | undefined;
    }
  /** Somebody wrote to the number. */
  | {
      kind: 'inbound';
      /** The author's phone number, digits. */
      from: string;
      at: number;
      /** Only when it is short enough to be an opt-out word. */
      text: string | null;
    };

/** What a number tells its account: how it is now, and its notes in order under rising numbers. */
export interface NumberNews {
  numberId: string;
  report: SenderReport;
  notes: readonly { seq: number; note: NumberNote }[];
}

/** The account has all notes up to `takenUpTo`. */
export interface NewsTaken {
  takenUpTo: number;
  /** How long a number may be away, or rest, before what it has goes back to the account; milliseconds. */
  rerouteAfterMs: number;
}

/** Whose alias it is, as an account's log tells the account. */
export interface KnownAlias {
  lid: string;
  /** Null: nobody's whose phone number is known, any more. */
  phoneNumber: string | null;
  /** Other digits of that person: those that they had before, and those that are dialled. Left out where there are none. */
  otherDigits?: string[];
}
