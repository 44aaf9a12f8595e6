import { backupsPrefix } from './nightly-state.ts';

const pageMax = 1_000;

/** Names of the backups that are complete, the newest first. */
export async function keptBackups(env: Env): Promise<string[]> {
  const names = await folders(env);
  const whole = await Promise.all(
    names.map(async (name) => (await env.ARCHIVE.head(`${backupsPrefix}${name}/manifest.age`)) !== null),
  );
  return names.filter((_, index) => whole[index]);
}

async function folders(env: Env): Promise<string[]> {
  const { delimitedPrefixes } = await env.ARCHIVE.list({ prefix: backupsPrefix, delimiter: '/' });
  return delimitedPrefixes
    .map((prefix) => prefix.slice(backupsPrefix.length, -1))
    .sort()
    .reverse();
}

/** Deletes all but the newest that are complete, and what is left of those that were not completed. */
export async function forgetOldBackups(env: Env, kept: number): Promise<void> {
  const whole = await keptBackups(env);
  for (const name of await folders(env)) {
    if (whole.slice(0, kept).includes(name)) continue;
    const prefix = `${backupsPrefix}${name}/`;
    for (;;) {
      const { objects, truncated } = await env.ARCHIVE.list({ prefix, limit: pageMax });
      if (objects.length > 0) await env.ARCHIVE.delete(objects.map(({ key }) => key));
      if (!truncated) break;
    }
  }
}

/** The files of one of them, a page at a time. */
export async function filesOfBackup(env: Env, name: string, cursor: string | undefined) {
  const prefix = `${backupsPrefix}${name}/`;
  const page = await env.ARCHIVE.list({ prefix, limit: pageMax, ...(cursor && { cursor }) });
  return {
    files: page.objects.map(({ key, size }) => ({ file: key.slice(prefix.length), key, size })),
    cursor: page.truncated ? page.cursor : null,
  };
}
