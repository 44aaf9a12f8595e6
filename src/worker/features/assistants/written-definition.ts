import { z } from 'zod';
import type { AssistantTools, Provider, providerSchema } from '../../../contract/assistants/assistant.ts';
import { urlToJudge } from '../../../contract/assistants/http-tool.ts';
import { invalidField, type Refusal } from '../../../contract/errors.ts';
import { openSecret, sealSecret } from '../../../durable/sealed-secret.ts';
import { type WebhookUrlRules, webhookUrlProblem } from '../../outbound-http/webhook-url.ts';
import type { AssistantRow } from './rows.ts';

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

/** What a person has written of an assistant, and what is kept of it: secrets apart from the rest. */
export interface Written {
  provider?: z.infer<typeof providerSchema> | undefined;
  tools?: AssistantTools | undefined;
}

interface Known {
  provider: Provider | null;
  tools: AssistantTools | null;
  secrets: AssistantSecrets;
}

interface Taken {
  ok: true;
  provider?: Provider;
  tools?: AssistantTools;
  secrets: AssistantSecrets;
}

const hostOf = (url: string | null): string | null =>
  url === null ? null : (URL.parse(urlToJudge(url))?.host ?? null);

/** A secret that was saved for one server goes to no other one because somebody has changed the address. */
const savedElsewhere = 'Enter it again: it was saved for another server.';

/** Judges the addresses, and takes the secrets out of what was written; what is left out keeps its secret. */
export function takeWritten(
  { provider, tools }: Written,
  known: Known,
  rules: WebhookUrlRules,
): Taken | Refusal {
  const secrets: AssistantSecrets = { apiKey: known.secrets.apiKey, headers: { ...known.secrets.headers } };
  const taken: Taken = { ok: true, secrets };
  if (provider !== undefined) {
    const { apiKey, ...rest } = provider;
    const problem = rest.baseUrl === null ? null : webhookUrlProblem(rest.baseUrl, rules);
    if (problem !== null) return invalidField('provider.baseUrl', problem);
    if (
      apiKey === undefined &&
      secrets.apiKey !== null &&
      hostOf(rest.baseUrl) !== hostOf(known.provider?.baseUrl ?? null)
    ) {
      return invalidField('provider.apiKey', savedElsewhere);
    }
    if (apiKey !== undefined) secrets.apiKey = apiKey;
    taken.provider = rest;
  }
  if (tools !== undefined) {
    secrets.headers = {};
    for (const [index, tool] of tools.http.entries()) {
      const path = `tools.http.${index}`;
      const problem = webhookUrlProblem(urlToJudge(tool.url), rules);
      if (problem !== null) return invalidField(`${path}.url`, problem);
      const before = known.tools?.http.find(({ name }) => name === tool.name);
      const values: Record<string, string> = {};
      for (const [position, { name, value }] of tool.headers.entries()) {
        const kept = known.secrets.headers[tool.name]?.[name];
        const isElsewhere = hostOf(before?.url ?? null) !== hostOf(tool.url);
        if (value === undefined && (kept === undefined || isElsewhere)) {
          const problem = kept === undefined ? 'This field is required.' : savedElsewhere;
          return invalidField(`${path}.headers.${position}.value`, problem);
        }
        values[name] = value ?? kept ?? '';
      }
      if (tool.headers.length > 0) secrets.headers[tool.name] = values;
    }
    const http = tools.http.map((tool) => ({ ...tool, headers: tool.headers.map(({ name }) => ({ name })) }));
    taken.tools = { ...tools, http };
  }
  return taken;
}
