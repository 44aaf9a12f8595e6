import { NamedValues } from '../storage/named-values.ts';
import { nameOf } from '../storage/object-name.ts';

/** Small facts of a log. */
export class LogState extends NamedValues<string> {
  constructor(sql: SqlStorage) {
    super(sql, 'log_state');
  }

  /** Whose log this is. The platform may not know an object's name when an alarm wakes it, so it is kept. */
  accountId(name: string | undefined): string {
    const known = this.get<string>('account');
    if (known === null && name !== undefined) this.put('account', name);
    return nameOf(name ?? known);
  }

  /** The prefix of this log's cursors: its generation, and another one since it was restored from a backup. */
  cursorGeneration(): string {
    return this.get<string>('cursorGeneration') ?? this.generation();
  }

  /** Distinguishes this log from one that was lost and replaced: a cursor of the other one is not valid here. */
  generation(): string {
    const known = this.get<string>('generation');
    if (known !== null) return known;
    const made = crypto.randomUUID().slice(0, 8);
    this.put('generation', made);
    return made;
  }
}
