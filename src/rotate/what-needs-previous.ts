import { z } from 'zod';
import { vaultBeginning } from '../session-bridge/vault/seal.ts';
import { VaultKey } from '../session-bridge/vault/vault-keys.ts';
import { secretMark } from '../settings/secret-mark.ts';
import { type ReplacedSecret, replacedAtOf } from './replaced-secrets.ts';
import type { Secrets, Target } from './target.ts';

const stateSchema = z.object({
  marks: z.record(z.string(), z.string()),
  sealed: z.object({ current: z.number(), previous: z.number(), unknown: z.number() }),
  accountsToRefresh: z.number(),
  madeBefore: z.object({ apiKeys: z.number(), bridges: z.number() }),
});
const vaultsSchema = z.object({
  numbers: z.array(z.object({ numberId: z.string(), entries: z.number() })),
  next: z.string().nullable(),
});

/** Why the secret before cannot go yet, as a sentence; null where nothing needs it. */
export async function whatNeedsPrevious(
  { name, isOf, previous }: ReplacedSecret,
  known: Secrets,
  target: Target,
  now: number,
): Promise<string | null> {
  if (previous === null) return null;
  const replacedAt = known[replacedAtOf(name)];
  const goodFrom = replacedAt === undefined ? 0 : Date.parse(replacedAt) + previous.keptForMs;
  if (now < goodFrom) return `what it has signed is good until ${new Date(goodFrom).toISOString()}.`;
  if (previous.until === 'time') return null;
  if (previous.until === 'vaults') return vaultsUnderPrevious(known, target);
  const since = encodeURIComponent(replacedAt ?? new Date(now).toISOString());
  const answer = stateSchema.safeParse(await target.ask(`/operator/secrets?madeBefore=${since}`));
  if (!answer.success)
    return 'the gateway does not say what is still under it: start it, and run this again.';
  const { marks, sealed, accountsToRefresh, madeBefore } = answer.data;
  if (isOf === 'worker' && marks[name] !== secretMark(name, known[name] ?? ''))
    return 'the gateway does not use the new one yet: restart it, or wait a minute.';
  if (previous.until === 'resealed') {
    if (sealed.previous > 0)
      return `${sealed.previous} of ${sealed.current + sealed.previous} entries are sealed under it. They are sealed anew in the background, some hundreds a minute; what does not open stands in the log as secret.not_resealed.`;
    if (accountsToRefresh > 0)
      return `the objects of ${accountsToRefresh} accounts have to be told first, which takes a minute or two.`;
    return null;
  }
  const { apiKeys, bridges } = madeBefore;
  if (apiKeys + bridges === 0) return null;
  return `${apiKeys} API keys and ${bridges} session bridges have theirs from before ${replacedAt ?? 'now'}. Make these keys anew and revoke the old ones, and let these bridges in anew (npm run bridge:enrol).`;
}

/** Asks number after number: those that are not connected too. */
async function vaultsUnderPrevious(known: Secrets, target: Target): Promise<string | null> {
  const key = new VaultKey(Buffer.from(known.VAULT_KEY ?? '', 'base64'), 'VAULT_KEY');
  const beginning = vaultBeginning(key).toString('hex');
  const found: { numberId: string; entries: number }[] = [];
  let after: string | null = null;
  do {
    const query: string = after === null ? '' : `&after=${encodeURIComponent(after)}`;
    const answer = vaultsSchema.safeParse(
      await target.ask(`/operator/secrets/vaults?beginning=${beginning}${query}`),
    );
    if (!answer.success)
      return 'the gateway does not say what is still under it: start it, and run this again.';
    found.push(...answer.data.numbers);
    after = answer.data.next;
  } while (after !== null);
  if (found.length === 0) return null;
  const entries = found.reduce((sum, one) => sum + one.entries, 0);
  const some = found
    .slice(0, 5)
    .map(({ numberId }) => numberId)
    .join(', ');
  return `${entries} entries of ${found.length} numbers are sealed under it, or under one before (${some}${found.length > 5 ? ', …' : ''}). Their bridge seals them anew while they are connected: docs/operating/vault-keys.md.`;
}
