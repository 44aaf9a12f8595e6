import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { keyScopes } from '../../contract/key-scopes.ts';
import { writePrivateJson } from '../home/private-file.ts';
import type { LocalSecrets } from '../home/secrets.ts';
import { HttpError, requestJson } from '../json-client.ts';
import { StartProblem } from '../settings.ts';

const keyName = 'Local start';
const numberLabel = 'Local start';
const webhookDescription = 'Demo receiver of the local start';

const rememberedSchema = z.object({
  apiKey: z.string().optional(),
  numberId: z.string().optional(),
  webhook: z.object({ id: z.string(), secret: z.string() }).optional(),
});

export interface NumberState {
  numberId: string;
  state: string;
  phoneNumber: string | null;
}

/**
 * The account that the local start keeps in the gateway, through the gateway's own API. What it makes is
 * remembered in `account.json`, so that the next start finds it again and makes nothing twice.
 */
export class LocalAccount {
  readonly #baseUrl: string;
  readonly #secrets: LocalSecrets;
  readonly #path: string;
  #remembered: z.infer<typeof rememberedSchema>;
  #token = '';
  #tokenEndsAt = 0;
  #isLocked = false;

  constructor(baseUrl: string, home: string, secrets: LocalSecrets) {
    this.#baseUrl = baseUrl;
    this.#secrets = secrets;
    this.#path = join(home, 'account.json');
    this.#remembered = readRemembered(this.#path);
  }

  /**
   * Whether the administrator has made the account their own, by another password or a second factor. Then what was
   * remembered is used by its API key, as far as that may, and nothing new is made.
   */
  get isLocked(): boolean {
    return this.#isLocked;
  }

  /** The pool key: the remembered one while it is valid, else a new one in its place; null where none can be made. */
  async apiKey(): Promise<string | null> {
    const remembered = this.#remembered.apiKey;
    if (remembered !== undefined && (await this.#isValid(remembered))) return remembered;
    this.#remember({ apiKey: undefined });
    if (this.#isLocked) return null;
    // One of this name that nobody remembers is of no use to anyone.
    const { data } = await this.admin<{ data: { id: string; name: string }[] }>(
      'GET',
      '/v1/auth/api-keys?limit=200',
    );
    for (const { id, name } of data)
      if (name === keyName) await this.admin('DELETE', `/v1/auth/api-keys/${id}`);
    const { key } = await this.admin<{ key: string }>('POST', '/v1/auth/api-keys', {
      name: keyName,
      scopes: keyScopes,
    });
    this.#remember({ apiKey: key });
    return key;
  }

  /** The number of the local start: the same at every start. `pacing` is what it begins with when it is made. */
  async number(pacing?: { minDelayMs: number; maxDelayMs: number }): Promise<NumberState> {
    const remembered = this.#remembered.numberId;
    if (remembered !== undefined) {
      const found = await this.#find<NumberState>(`/v1/numbers/${remembered}`);
      if (found !== null) return found;
    }
    const { data } = await this.admin<{ data: (NumberState & { label: string })[] }>(
      'GET',
      '/v1/numbers?limit=200',
    );
    const found = data.find(({ label }) => label === numberLabel);
    const number = found ?? (await this.admin<NumberState>('POST', '/v1/numbers', { label: numberLabel }));
    if (!found && pacing) await this.admin('PATCH', `/v1/numbers/${number.numberId}`, { pacing });
    this.#remember({ numberId: number.numberId });
    return number;
  }

  /** The webhook of the demo receiver, pointed at where it listens now; resolves its secret. */
  async webhookSecret(url: string): Promise<string> {
    const remembered = this.#remembered.webhook;
    if (remembered !== undefined && (await this.#find(`/v1/webhooks/${remembered.id}`)) !== null) {
      await this.admin('PATCH', `/v1/webhooks/${remembered.id}`, { url, enabled: true });
      return remembered.secret;
    }
    const { data } = await this.admin<{ data: { id: string; description?: string | null }[] }>(
      'GET',
      '/v1/webhooks?limit=200',
    );
    for (const { id, description } of data) {
      if (description === webhookDescription) await this.admin('DELETE', `/v1/webhooks/${id}`);
    }
    const webhook = await this.admin<{ id: string; secret: string }>('POST', '/v1/webhooks', {
      url,
      numberIds: 'all',
      events: 'all',
      description: webhookDescription,
    });
    this.#remember({ webhook: { id: webhook.id, secret: webhook.secret } });
    return webhook.secret;
  }

  /** Without a demo receiver nobody listens: its webhook rests until the next demo. */
  async restWebhook(): Promise<void> {
    const remembered = this.#remembered.webhook;
    if (remembered === undefined || (await this.#find(`/v1/webhooks/${remembered.id}`)) === null) return;
    await this.admin('PATCH', `/v1/webhooks/${remembered.id}`, { enabled: false });
  }

  /** Calls a route as the account's owner, who signs in anew where they have to show that it is them. */
  async admin<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    try {
      return await this.#call<Answer>(method, path, body);
    } catch (error) {
      if (!(error instanceof HttpError && error.code === 'STEP_UP_REQUIRED')) throw error;
      await this.signIn();
      return this.#call<Answer>(method, path, body);
    }
  }

  async #call<Answer>(method: string, path: string, body: unknown): Promise<Answer> {
    if (!this.#isLocked && Date.now() >= this.#tokenEndsAt) await this.signIn();
    const { apiKey = '' } = this.#remembered;
    return requestJson<Answer>(this.#baseUrl, method, path, {
      headers: this.#isLocked ? { 'x-api-key': apiKey } : { authorization: `Bearer ${this.#token}` },
      ...(body === undefined ? {} : { body }),
    });
  }

  /** A link, good once, with which the administrator sets a new password. */
  async resetLink(): Promise<string | null> {
    const { admin, bootstrapToken } = this.#secrets;
    const answer = await requestJson<{ link?: string }>(this.#baseUrl, 'POST', '/v1/auth/password/forgot', {
      headers: { authorization: `Bearer ${bootstrapToken}` },
      body: { email: admin.email },
    });
    return answer.link ?? null;
  }

  /** Signs in, and up before that where nobody is remembered: whoever is was there before. */
  async signIn(): Promise<void> {
    if (this.#remembered.apiKey === undefined) await this.#signUp();
    const answer = await this.#logIn();
    if (answer === null) {
      this.#isLocked = true;
      return;
    }
    this.#token = answer.token;
    this.#tokenEndsAt = Date.parse(answer.expiresAt) - 60_000;
  }

  /** Unless there is such an account already. */
  async #signUp(): Promise<void> {
    const { email, password } = this.#secrets.admin;
    const signedUp = requestJson(this.#baseUrl, 'POST', '/v1/auth/sign-up', {
      headers: { authorization: `Bearer ${this.#secrets.bootstrapToken}` },
      body: { email, password, name: 'Local administrator', accountName: 'Local' },
    });
    await unless([409], signedUp);
  }

  async #logIn(): Promise<{ token: string; expiresAt: string } | null> {
    const body = this.#secrets.admin;
    // Too many failed sign-ins of others keep the start from nothing either.
    return unless([401, 429], requestJson(this.#baseUrl, 'POST', '/v1/auth/login', { body }));
  }

  async #isValid(apiKey: string): Promise<boolean> {
    const headers = { 'x-api-key': apiKey };
    const messages = requestJson(this.#baseUrl, 'GET', '/v1/messages?limit=1', { headers });
    return (
      (await unless(
        [401],
        messages.then(() => true),
      )) !== null
    );
  }

  #find<Answer>(path: string): Promise<Answer | null> {
    return unless([404], this.admin<Answer>('GET', path));
  }

  #remember(made: z.infer<typeof rememberedSchema>): void {
    this.#remembered = { ...this.#remembered, ...made };
    writePrivateJson(this.#path, this.#remembered);
  }
}

/** Null where one of these statuses is the answer. */
const unless = <Answer>(statuses: number[], answer: Promise<Answer>): Promise<Answer | null> =>
  answer.catch((error) => {
    if (error instanceof HttpError && statuses.includes(error.status)) return null;
    throw error;
  });

function readRemembered(path: string): z.infer<typeof rememberedSchema> {
  if (!existsSync(path)) return {};
  try {
    return rememberedSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    throw new StartProblem(
      `The file ${path} is damaged. Delete it: the local start then makes its API key and webhook anew.`,
    );
  }
}
