import type { ObjectMigration } from '../storage/object-migrations.ts';
import { tableRingSql } from '../storage/table-ring.ts';
import { requestRing } from './request-rows.ts';

/** Append only. */
export const requestLogMigrations: readonly ObjectMigration[] = [
  {
    id: '1-initial',
    sql: `
      -- A row for what one isolate had gathered, under ten times the milliseconds at which it came.
      ${tableRingSql(requestRing)}

      -- Failures by the hour in which they came to be known.
      CREATE TABLE failures (
        hour INTEGER NOT NULL,
        key_id TEXT NOT NULL,
        method TEXT NOT NULL,
        route TEXT NOT NULL,
        code TEXT NOT NULL,
        status INTEGER NOT NULL,
        count INTEGER NOT NULL,
        last_at INTEGER NOT NULL,
        last_request_id TEXT NOT NULL,
        PRIMARY KEY (hour, key_id, method, route, code)
      ) WITHOUT ROWID;
    `,
  },
];
