import worker from '../../../src/worker/index.ts';
import type { Answer } from '../front-door.ts';
import { type Call, calls, expectDocumented } from './openapi-document.ts';

/*
 * Whatever a test asks the Worker, the answer has to be one that the document of its route names: its status, the code of an
 * error, the type and the fields of its body. So no route can answer what nobody can know of, as far as any test goes.
 */

type Fetch = (...parameters: Parameters<typeof worker.fetch>) => Response | Promise<Response>;

interface Received {
  call: Call;
  answer: Promise<Answer>;
}

const received: Received[] = [];

/** From here on, until the process ends. A module is loaded once, however many files share it. */
const { fetch }: { fetch: Fetch } = worker;
const watched: { fetch: Fetch } = worker;
watched.fetch = async (request, env, context) => {
  const { method, url } = request;
  const response = await fetch(request, env, context);
  const call = callOf(method, new URL(url).pathname);
  if (call !== undefined && !unseen.includes(response.status))
    received.push({ call, answer: answerOf(response) });
  return response;
};

/** A WebSocket, which the document does not describe; and what nobody is there to read any more. */
const unseen = [101, 499];

/** The body is read only if it is to be looked at: others may have no end. */
async function answerOf(response: Response): Promise<Answer> {
  const { status, headers } = response;
  const isJson = headers.get('Content-Type')?.startsWith('application/json') ?? false;
  const text = isJson ? await response.clone().text() : '';
  return { status, headers, text, body: isJson ? JSON.parse(text) : {} };
}

/** `/v1/contacts/import` before `/v1/contacts/{id}`: a brace comes behind all letters. */
const patterns = calls
  .toSorted((a, b) => (a.path < b.path ? -1 : 1))
  .map((call) => ({ call, pattern: new RegExp(`^${call.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`) }));

const callOf = (method: string, path: string): Call | undefined =>
  patterns.find(({ call, pattern }) => call.method === method && pattern.test(path))?.call;

/** Fails if anything that was answered since the last time is not documented. */
export async function expectAllDocumented(): Promise<void> {
  for (const { call, answer } of received.splice(0)) {
    expectDocumented(call, await answer);
  }
}
