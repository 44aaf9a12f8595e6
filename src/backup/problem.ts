/** What the person who asked for it can mend; its message is the whole explanation. */
export class BackupProblem extends Error {}

/** A sentence of an error of the file system. */
export function fileProblem(error: unknown, what: string): BackupProblem {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EFBIG' || code === 'EDQUOT')
    return new BackupProblem(
      `${what}: the disk is full. Nothing of this backup was kept; make room and begin again.`,
    );
  return new BackupProblem(`${what}: ${message}.`);
}
