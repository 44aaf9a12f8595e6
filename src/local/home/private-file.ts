import { chownSync, existsSync, renameSync, statSync, writeFileSync } from 'node:fs';

/** Writes a file that only its owner may read; it is there as a whole or not at all, even after a kill -9. */
export function writePrivateFile(path: string, content: string): void {
  const draft = `${path}.${process.pid}.draft`;
  writeFileSync(draft, content, { mode: 0o600, flush: true });
  // Root changes it for a service that runs as somebody else: it stays theirs.
  if (process.getuid?.() === 0 && existsSync(path)) {
    const { uid, gid } = statSync(path);
    chownSync(draft, uid, gid);
  }
  renameSync(draft, path);
}

/** The same of JSON that people may read, too. */
export const writePrivateJson = (path: string, content: unknown): void =>
  writePrivateFile(path, `${JSON.stringify(content, null, 2)}\n`);
