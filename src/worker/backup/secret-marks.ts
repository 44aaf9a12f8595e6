import { hkdfSync } from 'node:crypto';

/** Without the very same ones what is restored cannot be used: sealed secrets do not open, and API keys are not believed. */
const needed = ['WEBHOOK_SEALING_KEY', 'KEY_CHECKSUM_SECRET'] as const;
const markBytes = 8;

/** By which it is known whether two gateways have the same secrets. They tell nothing of the secrets, which are random. */
export const secretMarks = (env: Pick<Env, (typeof needed)[number]>): Record<string, string> =>
  Object.fromEntries(
    needed.map((name) => [
      name,
      Buffer.from(hkdfSync('sha256', env[name], '', `heliograph/backup/${name}`, markBytes)).toString('hex'),
    ]),
  );
