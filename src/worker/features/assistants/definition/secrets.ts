import { z } from 'zod';
import { openSecret, sealSecret } from '../../../../durable/sealed-secret.ts';
import type { AssistantRow } from '../rows.ts';

/** What of an assistant is never shown: its provider's key, and the values of its tools' headers, by tool and header. */
export interface AssistantSecrets {
  apiKey: string | null;
  headers: Record<string, Record<string, string>>;
}

const secretsSchema = z.object({
  apiKey: z.string().nullable(),
  headers: z.record(z.string(), z.record(z.string(), z.string())),
});

export const noSecrets: AssistantSecrets = { apiKey: null, headers: {} };

export async function openSecrets(
  env: Env,
  { id, sealedSecrets }: Pick<AssistantRow, 'id' | 'sealedSecrets'>,
): Promise<AssistantSecrets> {
  if (sealedSecrets === null) return noSecrets;
  return secretsSchema.parse(JSON.parse(await openSecret(env, id, sealedSecrets)));
}

export async function sealSecrets(env: Env, id: string, secrets: AssistantSecrets): Promise<string | null> {
  const isEmpty = secrets.apiKey === null && Object.keys(secrets.headers).length === 0;
  return isEmpty ? null : sealSecret(env, id, JSON.stringify(secrets));
}
