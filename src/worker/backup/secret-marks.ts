import { secretMark } from '../../settings/secrets.ts';

/** Without the very same ones what is restored cannot be used: sealed secrets do not open, and API keys are not believed. */
const needed = ['WEBHOOK_SEALING_KEY', 'KEY_CHECKSUM_SECRET'] as const;

type Secrets = Pick<Env, `${(typeof needed)[number]}${'' | '_PREVIOUS'}`>;

/**
 * Marks that show whether two gateways have the same secrets, including previous ones that are still accepted. They reveal
 * nothing about the secrets, which are random.
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
