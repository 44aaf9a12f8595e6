import { createWriteStream, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { OperatorClient } from './operator-client.ts';
import { BackupProblem } from './problem.ts';

interface Page {
  files: { file: string; key: string }[];
  cursor: string | null;
}

/** Brings the newest backup that the gateway has made by itself into a folder of its own under `root`; resolves that folder. */
export async function fetchKept(client: OperatorClient, root: string): Promise<string> {
  const { backups } = await client.json<{ backups: string[] }>('/operator/backup/kept');
  const [name] = backups;
  if (name === undefined || !/^[\d-]+T[\d-]+$/.test(name))
    throw new BackupProblem(
      'The gateway has made no backup by itself yet: see BACKUP_RECIPIENT in docs/operating/backup.md.',
    );
  const path = join(root, name);
  if (existsSync(path)) throw new BackupProblem(`The newest one is here already: ${path}.`);
  const draft = resolve(root, `${name}.unfinished`);
  rmSync(draft, { recursive: true, force: true });
  let cursor: string | null = null;
  do {
    const query: string = cursor === null ? '' : `?cursor=${encodeURIComponent(cursor)}`;
    const page: Page = await client.json<Page>(`/operator/backup/kept/${name}${query}`);
    for (const { file, key } of page.files) {
      const target = resolve(draft, file);
      if (!target.startsWith(draft + sep))
        throw new BackupProblem('The gateway names a file that is none of a backup.');
      mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
      const got = await client.file(`/operator/backup/files/archive/${key}`);
      if (got === null) throw new BackupProblem(`The backup ${name} was deleted meanwhile: run this again.`);
      await pipeline(got.body, createWriteStream(target, { mode: 0o600, flush: true }));
    }
    cursor = page.cursor;
  } while (cursor !== null);
  renameSync(draft, path);
  return path;
}
