import { z } from 'zod';
import type { HttpTool, ToolParameter } from '../../../../contract/assistants/http-tool.ts';
import { cutText } from '../../../../contract/texts/text.ts';
import type { TurnContext } from '../../../../durable/event-log/assistants/turns/turn-orders.ts';
import { guardedFetch } from '../../../outbound-http/guarded-fetch.ts';

const timeoutMs = 10_000;
const bytesMax = 64 * 1024;
const charactersMax = 4_000;

type Value = string | number | boolean;
export type About = Pick<TurnContext, 'phoneNumber' | 'contactId' | 'conversationId'>;
export interface ToolAnswer {
  ok: boolean;
  output: string;
}

const typeOf = ({ type }: ToolParameter): z.ZodType<Value> => {
  switch (type) {
    case 'string':
      return z.string().max(1000);
    case 'number':
      return z.number();
    case 'integer':
      return z.int();
    case 'boolean':
      return z.boolean();
  }
};

/** What the model may say to a tool. What says whom it is about is not among it. */
export function inputSchemaOf({ parameters }: HttpTool): z.ZodObject {
  const shape = parameters
    .filter(({ from }) => from === 'model')
    .map((parameter) => {
      const schema = typeOf(parameter).describe(parameter.description);
      return [parameter.name, parameter.required ? schema : schema.optional()] as const;
    });
  return z.strictObject(Object.fromEntries(shape));
}

function givenValue(
  { name, from }: ToolParameter,
  input: Record<string, unknown>,
  about: About,
): Value | undefined {
  switch (from) {
    case 'model':
      return input[name] as Value | undefined;
    case 'contact_phone_number':
      return about.phoneNumber ?? undefined;
    case 'contact_id':
      return about.contactId ?? undefined;
    case 'conversation_id':
      return about.conversationId;
  }
}

/** Calls the owner's server as the tool says. Never throws: what went wrong is for the model to read, in short. */
export async function callHttpTool(
  env: Env,
  tool: HttpTool,
  headers: Readonly<Record<string, string>>,
  input: Record<string, unknown>,
  about: About,
): Promise<ToolAnswer> {
  const request = requestOf(tool, input, about);
  if (request === null)
    return { ok: false, output: 'A value is missing, or is none that can be looked for.' };
  const answer = await guardedFetch(env, request.url, {
    method: tool.method,
    headers: {
      'User-Agent': 'Heliograph-Assistant/1.0',
      Accept: 'application/json, text/plain;q=0.5',
      ...(request.body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(request.body !== undefined && { body: request.body }),
    timeoutMs,
    bytesMax,
  });
  if (!answer.ok) return { ok: false, output: answer.error };
  if (answer.status < 200 || answer.status >= 300)
    return { ok: false, output: `The server answered ${answer.status}.` };
  const text = new TextDecoder().decode(answer.bytes);
  if (answer.contentType.includes('json') && !answer.isCut && !isJson(text)) {
    return { ok: false, output: 'The server answered with something that is no JSON.' };
  }
  return { ok: true, output: cutText(withoutSecrets(text, headers), charactersMax) };
}

function requestOf(
  tool: HttpTool,
  input: Record<string, unknown>,
  about: About,
): { url: string; body?: string } | null {
  const values = new Map<string, Value>();
  for (const parameter of tool.parameters) {
    const value = givenValue(parameter, input, about);
    if (value !== undefined) values.set(parameter.name, value);
    else if (parameter.required) return null;
  }
  const inUrl = new Set<string>();
  const filled = tool.url.replaceAll(/\{([^{}]*)\}/g, (_, name: string) => {
    inUrl.add(name);
    return encodeURIComponent(String(values.get(name) ?? ''));
  });
  // Dots by themselves would climb out of their place in the path.
  if ([...inUrl].some((name) => /^\.+$/.test(String(values.get(name) ?? '')))) return null;
  const rest = [...values].filter(([name]) => !inUrl.has(name));
  if (tool.method === 'GET' || tool.method === 'DELETE') {
    const url = new URL(filled);
    for (const [name, value] of rest) url.searchParams.set(name, String(value));
    return { url: url.href };
  }
  return { url: filled, body: JSON.stringify(Object.fromEntries(rest)) };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** A server that shows what it was sent must not bring a secret before the model. */
function withoutSecrets(text: string, headers: Readonly<Record<string, string>>): string {
  const secrets = Object.values(headers).filter((value) => value.length >= 6);
  return secrets.reduce((clean, secret) => clean.replaceAll(secret, '[secret]'), text);
}
