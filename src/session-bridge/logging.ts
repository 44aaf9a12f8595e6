import { type DestinationStream, type Logger, pino } from 'pino';

export type Log = Logger;

/** One JSON line for each state change. Never log texts, keys or whole phone numbers: use {@link shortNumber}. */
export function makeLog(level: string, destination?: DestinationStream): Log {
  const options = { level, base: { process: 'session-bridge' }, timestamp: pino.stdTimeFunctions.isoTime };
  return destination ? pino(options, destination) : pino(options);
}

/** `628123456789` as `628***789`: enough to recognise a number, not enough to call it. */
export function shortNumber(digits: string): string {
  return digits.length < 8 ? '***' : `${digits.slice(0, 3)}***${digits.slice(-3)}`;
}

/** The message of whatever was thrown, with anything that looks like a phone number or an address shortened. */
export function errorText(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replace(/\d{7,}/g, shortNumber);
}
