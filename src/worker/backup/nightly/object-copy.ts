import type {
  ExportAnswer,
  ExportedTable,
  ExportStep,
  ImportStep,
} from '../../../durable/backup/exported.ts';
import { objectToCopy } from '../kept-objects.ts';
import type { BackupRun, ObjectCopy, SealedFile } from './nightly-state.ts';

/** Text of one sealed file. */
const pieceCharacters = 4_000_000;
/** An object that drops and makes tables all the time is none of ours. */
const restartsMax = 10;

/** How much one call may do. */
export interface Budget {
  /** Counts one answer of an object; false: there have been as many as one call may have. */
  admit(): boolean;
  /** So many characters were read. */
  spend(characters: number): void;
}

/** Seals a piece of the backup under this name. */
type Seal = (file: string, text: string) => Promise<SealedFile>;

const line = (step: ImportStep) => `${JSON.stringify(step)}\n`;

/**
 * Copies the next object as far as the budget allows, as it was at one moment: see object-export.ts. What is read is sealed
 * before this returns, so the next call continues after it. Throws if the object's tables change all the time.
 */
export async function copyNextObject(env: Env, run: BackupRun, budget: Budget, seal: Seal): Promise<void> {
  const object = run.listed?.[run.objects.length];
  if (object === undefined) return;
  const ask = (step: ExportStep): Promise<ExportAnswer> =>
    objectToCopy(env, object.kind, object.name).backUp(step) as Promise<ExportAnswer>;
  let lines: string[] = [];
  let characters = 0;
  const add = (text: string) => {
    lines.push(text);
    characters += text.length;
    budget.spend(text.length);
  };
  const copy = run.copy ?? (await begunCopy(ask));
  if (run.copy === null) add(line({ do: 'begin', schema: copy.schema }));
  run.copy = copy;
  const flush = async () => {
    if (lines.length === 0) return;
    const file = `objects/${run.objects.length}-${copy.pieces.length}.age`;
    copy.pieces.push(await seal(file, lines.join('')));
    lines = [];
    characters = 0;
  };
  for (;;) {
    if (!budget.admit()) return flush();
    if (characters > pieceCharacters) await flush();
    const table = copy.schema.tables[copy.table];
    const answer: ExportAnswer = await ask(
      table === undefined
        ? { do: 'end', until: copy.until }
        : { do: 'rows', table: table.name, after: copy.after },
    );
    if (answer.is === 'rows' && table !== undefined) {
      copy.rows += answer.rows.length;
      if (object.kind === 'PHONE_NUMBER') notePhones(table, answer.rows, run);
      if (answer.rows.length > 0) add(line({ do: 'rows', table, rows: answer.rows }));
      copy.after = answer.next;
      if (answer.next === null) copy.table += 1;
      continue;
    }
    if (answer.is !== 'changes') {
      restart(run);
      return;
    }
    const { changes, rest } = answer;
    if (changes.length > 0) add(line({ do: 'changes', tables: copy.schema.tables, changes }));
    if (rest === null) continue;
    add(line({ do: 'finish', schema: copy.schema, rest }));
    await flush();
    const [first] = copy.pieces;
    if (first !== undefined) run.objects.push({ ...object, ...first, pieces: copy.pieces, rows: copy.rows });
    run.copy = null;
    run.restarts = 0;
    return;
  }
}

async function begunCopy(ask: (step: ExportStep) => Promise<ExportAnswer>): Promise<ObjectCopy> {
  const answer = await ask({ do: 'begin' });
  if (answer.is !== 'begun') throw new Error(`an object did not begin its copy: ${answer.is}`);
  return { schema: answer.schema, until: answer.until, table: 0, after: null, pieces: [], rows: 0 };
}

function restart(run: BackupRun): void {
  run.copy = null;
  run.restarts += 1;
  if (run.restarts >= restartsMax) throw new Error('an object changes its tables all the time');
}

function notePhones(
  { name, columns }: ExportedTable,
  rows: readonly unknown[][],
  { phones }: BackupRun,
): void {
  if (name !== 'device') return;
  for (const row of rows) {
    const { phoneNumber } = JSON.parse(String(row[columns.indexOf('json')])) as {
      phoneNumber: string | null;
    };
    if (phoneNumber !== null && !phones.includes(phoneNumber)) phones.push(phoneNumber);
  }
}
