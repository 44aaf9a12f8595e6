/** An answer outside 200 to 299. */
export class HttpError extends Error {
  readonly status: number;
  /** The error code of the body, where there is one. */
  readonly code: string | null;

  constructor(method: string, path: string, status: number, body: unknown) {
    const error = (body as { error?: { code?: string; message?: string } } | null)?.error;
    super(`${method} ${path} answered ${status}${error?.code ? ` ${error.code}: ${error.message}` : ''}`);
    this.status = status;
    this.code = error?.code ?? null;
  }
}

/** It ends a request that hangs: a busy machine with one core may take long. */
const answerWithinMs = 60_000;

export interface RequestOptions {
  headers?: Record<string, string>;
  /** Sent as JSON; a string is sent as it is. */
  body?: unknown;
}

/** Calls a JSON API at one origin. Throws {@link HttpError}, or what `fetch` throws when nobody answers. */
export async function requestJson<Answer>(
  origin: string,
  method: string,
  path: string,
  { headers = {}, body }: RequestOptions = {},
): Promise<Answer> {
  const isText = typeof body === 'string';
  const response = await fetch(`${origin}${path}`, {
    method,
    headers: body === undefined || isText ? headers : { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
    signal: AbortSignal.timeout(answerWithinMs),
  });
  const text = await response.text();
  const answer = text === '' ? null : parse(text);
  if (!response.ok) throw new HttpError(method, path.split('?')[0] ?? path, response.status, answer);
  return answer as Answer;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
