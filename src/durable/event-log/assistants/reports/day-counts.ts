import type { RunTokens } from '../../../../contract/assistants/run.ts';
import { utcDay } from '../../../../contract/times.ts';
import { fieldsOf, type RowOf, Tables } from '../../../storage/rows.ts';

export interface DayCount {
  day: string;
  answered: number;
  handedOff: number;
  tokens: RunTokens;
  cost: number;
}

type SameInRow = Omit<DayCount, 'tokens'>;
type Row = RowOf<SameInRow> & { assistant_id: string; input_tokens: number; output_tokens: number };

/** What each assistant did, by day (UTC). Call what writes inside a transaction. */
export class DayCounts extends Tables {
  add(
    assistantId: string,
    now: number,
    {
      answered = 0,
      handedOff = 0,
      tokens = { input: 0, output: 0 },
      cost = 0,
    }: Partial<Omit<DayCount, 'day'>>,
  ): void {
    this.sql.exec(
      `INSERT INTO assistant_days VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
         answered = answered + excluded.answered, handed_off = handed_off + excluded.handed_off,
         input_tokens = input_tokens + excluded.input_tokens, output_tokens = output_tokens + excluded.output_tokens,
         cost = cost + excluded.cost`,
      ...[assistantId, utcDay(now), answered, handedOff, tokens.input, tokens.output, cost],
    );
  }

  tokensOfDay(assistantId: string, now: number): number {
    const query =
      'SELECT input_tokens + output_tokens FROM assistant_days WHERE assistant_id = ? AND day = ?';
    return this.queryValue<number>(query, assistantId, utcDay(now)) ?? 0;
  }

  /** Oldest first. */
  since(assistantId: string, day: string): DayCount[] {
    return this.queryAll<Row>(
      'SELECT * FROM assistant_days WHERE assistant_id = ? AND day >= ? ORDER BY day',
      assistantId,
      day,
    ).map(({ assistant_id, input_tokens: input, output_tokens: output, ...row }) => ({
      ...fieldsOf<SameInRow>(row),
      tokens: { input, output },
    }));
  }
}
