import pino, { type Logger } from 'pino';

export type { Logger };

/** One JSON line per change of state, on stdout. `SIMULATOR_LOG` sets the level (`info`; `silent` for none). */
export function createLog(level: string): Logger {
  return pino(
    {
      level,
      base: { part: 'network-simulator' },
      timestamp: pino.stdTimeFunctions.isoTime,
      messageKey: 'event',
    },
    pino.destination({ dest: 1, sync: true }),
  );
}

/** Phone numbers stand in logs only in this form: `628123456789` as `628***789`. */
export function shortPhone(phone: string): string {
  return phone.length > 6 ? `${phone.slice(0, 3)}***${phone.slice(-3)}` : '***';
}
