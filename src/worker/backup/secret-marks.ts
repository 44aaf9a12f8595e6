import { secretMark } from '../../settings/secrets.ts';

/** Without the very same ones what is restored cannot be used: sealed secrets do not open, and API keys are not believed. */
const needed = ['WEBHOOK_SEALING_KEY', 'KEY_CHECKSUM_SECRET'] as const;

type Secrets = Pick<Env, `${(typeof needed)[number]}${'' | '_PREVIOUS'}`>;

/**
 * By which it is known whether two gateways have the same secrets, those before them included where they are still accepted.
 * They tell nothing of the secrets, which are random.
 */
export const secretMarks = (env: Secrets): Record<string, string> =>
  Object.fromEntries(
    needed.flatMap((name) => {
      const previous = env[`${name}_PREVIOUS`];
      return [
        [name, secretMark(name, env[name])],
        // By the mark that it had when it was the current one.
        ...(previous ? [[`${name}_PREVIOUS`, secretMark(name, previous)]] : []),
      ];
    }),
  );
