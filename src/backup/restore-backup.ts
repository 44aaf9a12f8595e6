import { buffer } from 'node:stream/consumers';
import type { ImportStep } from '../durable/backup/exported.ts';
import { backupFormat, type HomeCopy, homeSchema, type Manifest, manifestSchema } from './manifest.ts';
import type { OperatorClient } from './operator-client.ts';
import { BackupProblem } from './problem.ts';
import type { BackupReader } from './sealed-folder.ts';

/** Of one request. */
const stepsMax = 20;
const stepCharactersMax = 4_000_000;

/** A backup that was read through and found whole. */
export interface WholeBackup {
  reader: BackupReader;
  manifest: Manifest;
  home: HomeCopy | null;
}

interface Target {
  isEmpty: boolean;
  steps: Record<string, string[]>;
  marks: Record<string, string>;
}

/** Reads all of it once, before anything is changed anywhere. */
export async function readWhole(reader: BackupReader): Promise<WholeBackup> {
  const text = await reader.manifest();
  const { format } = JSON.parse(text) as { format: unknown };
  if (typeof format === 'number' && format > backupFormat)
    throw new BackupProblem(`The backup ${reader.path} was made by a newer release: restore it with that.`);
  const parsed = manifestSchema.safeParse(JSON.parse(text));
  if (!parsed.success) throw new BackupProblem(`The backup ${reader.path} is damaged: its manifest is none.`);
  const manifest = parsed.data;
  const pieces = manifest.objects.flatMap((object) => object.pieces ?? [object]);
  for (const sealed of [...pieces, ...manifest.files, manifest.database]) await reader.check(sealed);
  if (manifest.home === null) return { reader, manifest, home: null };
  await reader.check(manifest.home);
  return { reader, manifest, home: homeSchema.parse(JSON.parse(await reader.text(manifest.home))) };
}

/**
 * Makes an empty gateway what the backup holds. `goesOn`: the gateway that it was made of has sent nothing since; else whatever
 * waited there ends with an unknown outcome here, since nobody knows what it has sent. To be begun anew when it was cut off.
 */
export async function restoreBackup(
  client: OperatorClient,
  { reader, manifest }: WholeBackup,
  goesOn: boolean,
  say: (line: string) => void,
): Promise<void> {
  const target = await client.json<Target>('/operator/restore');
  requireFit(target, manifest);
  const order: Order = (object, steps) => client.json('/operator/restore/objects', { ...object, steps });

  for (const object of manifest.objects) {
    const { kind, name } = object;
    let steps: ImportStep[] = [];
    let characters = 0;
    for await (const line of linesOf(reader, object)) {
      if (steps.length === stepsMax || characters + line.length > stepCharactersMax) {
        if (steps.length > 0) await order({ kind, name }, steps);
        steps = [];
        characters = 0;
      }
      steps.push(JSON.parse(line) as ImportStep);
      characters += line.length;
    }
    await order({ kind, name }, steps);
  }
  say(`${manifest.objects.length} objects`);
  await settleAll(manifest, goesOn, order);
  for (const file of manifest.files) {
    const bytes = await buffer(await reader.bytes(file));
    const end = bytes.indexOf('\n');
    const key = file.key.split('/').map(encodeURIComponent).join('/');
    const path = `/operator/restore/files/${file.bucket}/${key}`;
    await client.put(path, bytes.subarray(0, end).toString(), bytes.subarray(end + 1));
  }
  say(`${manifest.files.length} files`);
  await client.json('/operator/restore/database', JSON.parse(await reader.text(manifest.database)));
}

async function* linesOf(reader: BackupReader, object: Manifest['objects'][number]): AsyncGenerator<string> {
  for (const piece of object.pieces ?? [object]) yield* reader.lines(piece);
}

interface ObjectName {
  kind: string;
  name: string;
}
type Order = <Answer>(object: ObjectName, steps: unknown[]) => Promise<{ answers: Answer[] }>;

/** What is not true any more of what was copied; an account last, with what its numbers and its log have. */
async function settleAll({ objects }: Manifest, goesOn: boolean, order: Order): Promise<void> {
  const now = Date.now();
  const step = async <Answer>({ kind, name }: ObjectName, more: object) =>
    (await order<Answer>({ kind, name }, [{ kind, ...more }])).answers[0] as Answer;
  const settle = <Answer>(object: ObjectName, more: object = {}) =>
    step<Answer>(object, { do: 'settle', now, goesOn, ...more });
  for (const object of objects.filter(({ accountId }) => accountId === null)) await settle(object);
  for (const account of objects.filter(({ kind }) => kind === 'ACCOUNT')) {
    const own = objects.filter(({ accountId }) => accountId === account.accountId);
    const of = (kind: string) => own.filter((object) => object.kind === kind);
    const numbers: Record<string, { messageIds: string[] }> = {};
    for (const number of of('PHONE_NUMBER')) numbers[number.name] = await step(number, { do: 'held' });
    const { messageIds } = await step<{ messageIds: string[] }>(account, { do: 'held' });
    const held = [...messageIds, ...Object.values(numbers).flatMap((number) => number.messageIds)];
    let known: { underWay: unknown[]; past: string[] } = { underWay: [], past: [] };
    for (const log of of('EVENT_LOG')) known = await settle(log, { held });
    const settled = ['ACCOUNT', 'PHONE_NUMBER', 'EVENT_LOG'];
    for (const number of of('PHONE_NUMBER')) await settle(number, { past: known.past });
    for (const other of own.filter(({ kind }) => !settled.includes(kind))) await settle(other);
    await settle(account, { ...known, numbers });
  }
}

function requireFit({ isEmpty, steps, marks }: Target, manifest: Manifest): void {
  if (!isEmpty)
    throw new BackupProblem(
      'The gateway has accounts already: a backup is restored into an empty one. Nothing was changed.',
    );
  for (const [kind, made] of Object.entries(manifest.steps)) {
    const known = steps[kind];
    if (known === undefined || made.some((step) => !known.includes(step)))
      throw new BackupProblem(
        `The backup was made by a newer release (${manifest.release}) than the gateway: restore it with that. Nothing was changed.`,
      );
  }
  for (const [name, mark] of Object.entries(manifest.marks)) {
    // One that was replaced since is good as well, while it is accepted there.
    const current = name.replace(/_PREVIOUS$/, '');
    if (marks[current] !== mark && marks[`${current}_PREVIOUS`] !== mark)
      throw new BackupProblem(
        `The gateway has another ${name} than the one that the backup was made of: give it the same secrets first. Nothing was changed.`,
      );
  }
}
