import type { DeviceState } from '../../contract/device.ts';
import type { HealthStatus } from '../../contract/sender-settings.ts';
import type { AdmittedMessage } from '../phone-number/outbound-message.ts';

/** How a number is, in its own words. */
export interface SenderHealth {
  status: HealthStatus;
  /** A sentence for a person; null while it is healthy. */
  reason: string | null;
  /** When it is tried again; milliseconds since 1970, null when nobody knows. */
  until: number | null;
}

/** What a number tells its account whenever something of it has changed. */
export interface SenderReport {
  numberId: string;
  state: DeviceState;
  phoneNumber: string | null;
  /** An older report than the last one changes nothing. */
  revision: number;
  health: SenderHealth;
  /** Messages it may still send today as of this report, what waits in its outbox taken off; null without a limit. */
  dailyRemaining: number | null;
  /** The number's stamp: later than that of every message that the report tells of, earlier than of any other. */
  asOf: number;
  /** Messages a minute that its pacing allows, on average. */
  perMinute: number;
}

/** What a number learns when it reports. */
export interface ReportAnswer {
  /** How long it may be away, or rest, before what waits for it goes to another number; milliseconds. */
  rerouteAfterMs: number;
}

/** Messages that people wrote to a number. */
export interface InboundNote {
  numberId: string;
  items: readonly {
    /** The author's phone number, digits. */
    from: string;
    /** Milliseconds since 1970. */
    at: number;
    /** Only when it is short enough to be an opt-out word. */
    text?: string | null;
  }[];
}

/** Messages that a number cannot send, and that certainly never left it. */
export interface RerouteRequest {
  numberId: string;
  messages: readonly AdmittedMessage[];
}
