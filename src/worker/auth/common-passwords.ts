import { dictionary } from '@zxcvbn-ts/language-common';

/** The 49,000 passwords that people use most, in lower case. */
export const commonPasswords: ReadonlySet<string> = new Set(
  dictionary['passwords-common'].map((password) => String(password).toLowerCase()),
);
