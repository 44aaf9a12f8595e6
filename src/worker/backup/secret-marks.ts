import { hkdfSync } from 'node:crypto';

/** Without the very same ones what is restored cannot be used: sealed secrets do not open, and API keys are not believed. */
const needed = ['WEBHOOK_SEALING_KEY', 'KEY_CHECKSUM_SECRET'] as const;
const markBytes = 8;

type Secrets = Pick<Env, `${(typeof needed)[number]}${'' | '_PREVIOUS'}`>;

const markOf = (name: string, secret: string): string =>
  Buffer.from(hkdfSync('sha256', secret, '', `heliograph/backup/${name}`, markBytes)).toString('hex');

/**
 * By which it is known whether two gateways have the same secrets, those before them included where they are still accepted.
 * They tell nothing of the secrets, which are random.
 */
export const secretMarks = (env: Secrets): Record<string, string> =>
  Object.fromEntries(
    needed.flatMap((name) => {
      const previous = env[`${name}_PREVIOUS`];
      return [
        [name, markOf(name, env[name])],
        // By the mark that it had when it was the current one.
        ...(previous ? [[`${name}_PREVIOUS`, markOf(name, previous)]] : []),
      ];
    }),
  );
