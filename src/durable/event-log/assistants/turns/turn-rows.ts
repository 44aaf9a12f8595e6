import type { RunReason, RunSource, RunTokens, RunToolCall } from '../../../../contract/assistants/run.ts';
import { endOfWait } from '../../../due-times.ts';
import { newUuid } from '../../../new-ids.ts';
import { fieldsOf, type RowOf, rowOf, Tables, updateRow } from '../../../storage/rows.ts';

/**
 * `waiting`: for the end of a burst, or for another try. `running`: a call of the Worker works on it under a lease. `sending`: the reply
 * is decided, and on its way. The other states are final.
 */
type TurnState = 'waiting' | 'running' | 'sending' | 'answered' | 'handed_off' | 'dropped';

/** What is known of how an answer came about. */
export interface TurnDetail {
  model: string;
  durationMs: number;
  sources: RunSource[];
  toolCalls: RunToolCall[];
  /** What went wrong at the last try, in words. */
  error: string | null;
  /** Which wording of the instructions it was thought under; absent: it was not known, or nothing was thought. */
  instructionsVersion?: string;
}

/** A row of `assistant_turns`. Times are milliseconds since 1970. */
export interface Turn {
  id: number;
  turnId: string;
  conversationId: string;
  assistantId: string;
  state: TurnState;
  endsAs: 'answered' | 'handed_off' | null;
  reason: RunReason | null;
  firstMessage: number;
  lastMessage: number;
  /** Messages of it that nobody has answered yet, by their ids in `messages`. */
  toAnswer: number[];
  /** Not before. */
  dueAt: number;
  ringAt: number | null;
  lease: string | null;
  attempts: number;
  begunAt: number;
  endedAt: number | null;
  /** The beginning of what was written. */
  question: string;
  reply: string | null;
  messageId: string | null;
  tokens: RunTokens;
  cost: number | null;
  detail: TurnDetail | null;
}

/** As it is stored. */
export type TurnRow = RowOf<Omit<Turn, 'tokens'>> & { input_tokens: number; output_tokens: number };

export const turnOf = ({ input_tokens, output_tokens, ...row }: TurnRow): Turn => ({
  ...fieldsOf<Omit<Turn, 'tokens'>>(row, ['toAnswer', 'detail']),
  tokens: { input: input_tokens, output: output_tokens },
});

const rowOfTurn = ({ tokens: { input, output }, ...turn }: Turn): TurnRow => ({
  ...rowOf<Omit<Turn, 'tokens'>>({ ...turn, question: kept(turn.question) }),
  input_tokens: input,
  output_tokens: output,
});

/** Characters of what was written that are kept with the turn: enough for a person to see what it was about. */
const questionCharactersMax = 500;
const kept = (question: string) => question.slice(0, questionCharactersMax).toWellFormed();

type Changes = Partial<Omit<Turn, 'id' | 'turnId' | 'conversationId' | 'begunAt'>>;

/** The table of turns. Call what writes inside a transaction. */
export class TurnRows extends Tables {
  #nextRingAt: number | null = null;
  readonly #waitMsMax: number;

  /** `waitMsMax`: no turn waits longer for anything. */
  constructor(sql: SqlStorage, waitMsMax: number) {
    super(sql);
    this.#waitMsMax = waitMsMax;
    this.reload();
  }

  /** When the first one is due; null: nothing waits. */
  nextRingAt(now: number): number | null {
    return this.#nextRingAt && endOfWait(this.#nextRingAt, this.#waitMsMax, now);
  }

  /** Until when a burst goes on, or a try is put off. */
  waitsUntil({ dueAt }: Turn, now: number): number {
    return endOfWait(dueAt, this.#waitMsMax, now);
  }

  find(turnId: string): Turn | null {
    return this.#one('turn_id = ?', turnId);
  }

  /** The turn of a conversation whose answer is not decided yet. */
  openOf(conversationId: string): Turn | null {
    return this.#one("conversation_id = ? AND state IN ('waiting', 'running')", conversationId);
  }

  /** Those of a conversation that are not over. */
  unfinishedOf(conversationId: string): Turn[] {
    return this.queryAll<TurnRow>(
      `SELECT * FROM assistant_turns WHERE ring_at IS NOT NULL AND conversation_id = ? ORDER BY id`,
      conversationId,
    ).map(turnOf);
  }

  insert(
    turn: Pick<Turn, 'conversationId' | 'assistantId' | 'firstMessage' | 'question' | 'begunAt'> & {
      dueAt: number;
    },
  ): Turn {
    const { conversationId, assistantId, firstMessage, question, begunAt, dueAt } = turn;
    const row = this.queryOne<TurnRow>(
      `INSERT INTO assistant_turns (turn_id, conversation_id, assistant_id, state, first_message, last_message, due_at,
           ring_at, attempts, begun_at, question, input_tokens, output_tokens, to_answer)
         VALUES (?, ?, ?, 'waiting', ?4, ?4, ?5, ?5, 0, ?6, ?7, 0, 0, ?8) RETURNING *`,
      ...[newUuid(), conversationId, assistantId, firstMessage, dueAt, begunAt],
      kept(question),
      JSON.stringify([firstMessage]),
    );
    this.#note(dueAt);
    return turnOf(row);
  }

  update(turn: Turn, changes: Changes): Turn {
    const changed = { ...turn, ...changes };
    updateRow(this.sql, 'assistant_turns', ['id'], rowOfTurn(turn), rowOfTurn(changed));
    this.#note(changed.ringAt);
    return changed;
  }

  /**
   * Turns that are due. They are due again at `missedAt`: by then a call of the Worker has claimed the turn, or was lost. If a due
   * turn is `running`, its lease is over, and it waits again.
   */
  takeDue(now: number, missedAt: number, most: number): string[] {
    const due = this.queryValues<string>(
      `UPDATE assistant_turns SET ring_at = ?, lease = NULL,
           state = CASE state WHEN 'running' THEN 'waiting' ELSE state END WHERE id IN
           (SELECT id FROM assistant_turns WHERE ring_at <= ? OR ring_at > ? ORDER BY ring_at LIMIT ?) RETURNING turn_id`,
      // Or put off by a clock that went back since.
      ...[missedAt, now, now + this.#waitMsMax, most],
    );
    this.reload();
    return due;
  }

  /** After a rollback, and whenever the first may have gone. */
  reload(): void {
    this.#nextRingAt = this.queryValue<number>(
      'SELECT min(ring_at) FROM assistant_turns WHERE ring_at IS NOT NULL',
    );
  }

  /** An alarm that comes early finds nothing due, and is set anew. */
  #note(ringAt: number | null): void {
    if (ringAt !== null && (this.#nextRingAt === null || ringAt < this.#nextRingAt))
      this.#nextRingAt = ringAt;
  }

  #one(condition: string, value: string): Turn | null {
    return (
      this.queryAll<TurnRow>(`SELECT * FROM assistant_turns WHERE ${condition}`, value).map(turnOf)[0] ?? null
    );
  }
}

/** How long after its beginning a burst gets a reply at the latest, however fast its author continues. */
export const burstMsMax = 30_000;
/** Messages of one burst that are told apart, the newest: more than rules answer within an hour, or a model is shown. */
export const toAnswerMax = 100;
/** A burst, and a wait before another try, are no longer than this. */
export const turnWaitMsMax = 60_000;
/** A turn is tried so often; milliseconds before the second and third try. */
export const attemptsMax = 3;
export const waitsMs = [4_000, 15_000];
/** A customer waits no longer than this for a provider that asks to be left alone for a while. */
export const retryAfterMsMax = 60_000;
/** A reply that no number can send at the moment is tried so often. */
export const sendAttemptsMax = 8;
export const sendWaitMs = 20_000;
