import { Decrypter, Encrypter, identityToRecipient } from 'age-encryption';
import { BackupProblem } from './problem.ts';

const notSet =
  'BACKUP_KEY is not set. npm run backup -- --new-key makes one: keep it where the backups are not, since without it they cannot be read.';
const noKey = 'BACKUP_KEY is no key: it begins with AGE-SECRET-KEY-1, or with age1, and has to be whole.';

/** For whom backups are sealed: BACKUP_KEY may be the secret half, or the public one. */
export async function recipientOf(given: string | undefined): Promise<string> {
  const key = given?.trim();
  if (!key) throw new BackupProblem(notSet);
  try {
    const recipient = key.startsWith('age1') ? key : await identityToRecipient(key);
    new Encrypter().addRecipient(recipient);
    return recipient;
  } catch {
    // What the library says may quote the key.
    throw new BackupProblem(noKey);
  }
}

/** What opens backups: BACKUP_KEY has to be the secret half. */
export function identityOf(given: string | undefined): string {
  const key = given?.trim();
  if (!key) throw new BackupProblem(notSet);
  if (!key.startsWith('AGE-SECRET-KEY-'))
    throw new BackupProblem('BACKUP_KEY must be the secret one to restore: it begins with AGE-SECRET-KEY-1.');
  try {
    new Decrypter().addIdentity(key);
    return key;
  } catch {
    throw new BackupProblem(noKey);
  }
}
