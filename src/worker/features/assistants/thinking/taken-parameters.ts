import { LRUCache } from 'lru-cache';

/** What newer models refuse, and the name under which they take it; null: they take it under none. */
const newerNames: Record<string, string | null> = { max_tokens: 'max_completion_tokens', temperature: null };

/** What was refused, by provider and model. In memory: a new isolate is refused once more. */
const refused = new LRUCache<string, string[]>({ max: 1_000 });

/**
 * Asks a model again, in newer words, when its server answers that it does not take a parameter: the API of OpenAI has
 * `max_completion_tokens` in the place of `max_tokens` since its models think, and these take no `temperature`. Many servers know the
 * older words alone, so they come first.
 */
export function withTakenParameters(ask: typeof fetch): typeof fetch {
  return async (input, init) => {
    if (typeof init?.body !== 'string') return ask(input, init);
    const body: Record<string, unknown> = JSON.parse(init.body);
    const model = `${input instanceof Request ? input.url : input} ${body.model}`;
    for (;;) {
      const known = refused.get(model) ?? [];
      const response = await ask(input, { ...init, body: JSON.stringify(renamed(body, known)) });
      if (response.status !== 400) return response;
      const text = await response.text();
      const name = refusedIn(text);
      if (name === undefined || known.includes(name)) return new Response(text, response);
      refused.set(model, [...known, name]);
    }
  };
}

const renamed = (body: Record<string, unknown>, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) => {
      const newer = names.includes(name) ? newerNames[name] : name;
      return newer ? [[newer, value]] : [];
    }),
  );

/** The parameter that an answer names as one that the model does not take. */
function refusedIn(answer: string): string | undefined {
  if (!/unsupported|not support/i.test(answer)) return undefined;
  return Object.keys(newerNames).find((name) => new RegExp(`["'\`]${name}["'\`]`).test(answer));
}
