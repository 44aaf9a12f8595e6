import { z } from 'zod';
import { problemOf } from '../deploy-problem.ts';

const answerSchema = z.object({
  success: z.boolean(),
  errors: z.array(z.object({ code: z.number(), message: z.string() })).default([]),
  result: z.unknown(),
  result_info: z.object({ total_pages: z.number().optional() }).nullish(),
});

/** What `wrangler auth token --json` says. */
export const credentialSchema = z.union([
  z.object({ token: z.string() }).transform(({ token }) => ({ Authorization: `Bearer ${token}` })),
  z
    .object({ key: z.string(), email: z.string() })
    .transform(({ key, email }) => ({ 'X-Auth-Key': key, 'X-Auth-Email': email })),
]);

/**
 * Asks the platform's API what is there; `wrangler` answers such questions with tables for people, if at all. What is to be
 * changed is left to `wrangler`, apart from the workers.dev subdomain, which it changes only in a dialogue.
 */
export class CloudflareApi {
  readonly #credential: Record<string, string>;
  readonly #baseUrl: string;

  constructor(credential: Record<string, string>, baseUrl: string) {
    this.#credential = credential;
    this.#baseUrl = baseUrl;
  }

  /** The result as `schema` reads it; null where there is no such thing. Throws `DeployProblem` for any other refusal. */
  async read<Result>(path: string, schema: z.ZodType<Result>): Promise<Result | null> {
    const answer = await this.#ask('GET', path);
    return answer === null ? null : schema.parse(answer.result);
  }

  /** All pages of a list; empty where there is none. */
  async readAll<Item>(path: string, item: z.ZodType<Item>): Promise<Item[]> {
    const items: Item[] = [];
    for (let page = 1; ; page += 1) {
      const answer = await this.#ask('GET', `${path}${path.includes('?') ? '&' : '?'}page=${page}`);
      items.push(...z.array(item).parse(answer?.result ?? []));
      if (page >= (answer?.result_info?.total_pages ?? 1)) return items;
    }
  }

  async send<Result>(method: string, path: string, body: object, schema: z.ZodType<Result>): Promise<Result> {
    return schema.parse((await this.#ask(method, path, body))?.result);
  }

  async #ask(method: string, path: string, body?: object) {
    const response = await fetch(`${this.#baseUrl}${path}`, {
      method,
      headers: { ...this.#credential, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(60_000),
    }).catch((error) => {
      const reason = error.cause?.message ?? error.message;
      throw problemOf(null, `Cloudflare's API cannot be reached (${reason}): run this again when it can.`);
    });
    if (response.status === 404) return null;
    const parsed = answerSchema.safeParse(await response.json().catch(() => null));
    if (parsed.success && parsed.data.success) return parsed.data;
    const [first] = parsed.data?.errors ?? [];
    throw problemOf(
      first?.code ?? (response.status === 403 ? 10000 : null),
      `${method} ${path.replace(/\?.*/, '')} answered ${response.status}${first ? `, ${first.message} [code: ${first.code}]` : ''}`,
    );
  }
}
