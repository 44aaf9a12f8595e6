import { tracedCall } from './call-traces.ts';
import { changeOf, count } from './tally.ts';

interface Result {
  meta?: { rows_written?: number; rows_read?: number };
}
/** The inside of the runtime's own D1 client: the one place that every statement passes with its figures. */
interface Session {
  _sendOrThrow(
    endpoint: string,
    statements: string | string[],
    ...rest: unknown[]
  ): Promise<Result | Result[]>;
}
interface Database {
  alwaysPrimarySession: Session;
}

const known = new WeakSet<object>();

/** Counts what goes to this database. Throws when the runtime's client has another shape. */
export function meterDatabase(database: object): void {
  const { alwaysPrimarySession: session } = database as Database;
  if (typeof session?._sendOrThrow !== 'function') throw new Error('The D1 client has another shape.');
  if (known.has(session)) return;
  known.add(session);
  const send = session._sendOrThrow;
  session._sendOrThrow = async function (this: Session, endpoint, statements, ...rest) {
    const answer = await tracedCall('D1', () => send.call(this, endpoint, statements, ...rest));
    const results = Array.isArray(answer) ? answer : [answer];
    for (const [index, { meta }] of results.entries()) {
      const statement = Array.isArray(statements) ? (statements[index] ?? '') : statements;
      count('rowsRead', ['D1'], meta?.rows_read ?? 0);
      const rows = meta?.rows_written ?? 0;
      if (rows === 0) continue;
      const change = changeOf(statement) ?? ['unknown', 'unknown'];
      count('rows', ['D1', ...change], rows);
      count('statements', ['D1', ...change]);
    }
    return answer;
  };
}
