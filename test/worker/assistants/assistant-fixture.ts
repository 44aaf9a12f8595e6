import { inject } from 'vitest';
import { ask, type TestAccount } from '../front-door.ts';

export const modelServer = inject('modelServerUrl');
/** Of the stand-in: its pages and tools. */
export const serverOrigin = new URL(modelServer).origin;

let made = 0;

/** A model of the stand-in that behaves so, under a name of this test's own. */
export const modelThat = (behaviour: string): string => {
  made += 1;
  return `${behaviour}#${crypto.randomUUID()}-${made}`;
};

export const provider = (model: string) => ({
  kind: 'openai_compatible',
  baseUrl: modelServer,
  model,
  apiKey: 'model-key-1234',
});

export interface MadeAssistant {
  assistantId: string;
  model: string;
}

/** An assistant of the account that answers as the stand-in behaves. */
export async function makeAssistant(
  account: TestAccount,
  behaviour: string,
  fields: Record<string, unknown> = {},
): Promise<MadeAssistant> {
  const model = modelThat(behaviour);
  const json = {
    name: 'Front desk',
    enabled: true,
    provider: provider(model),
    instructions: 'You work for Blue Lamp, a shop for reading lamps.',
    debounceSeconds: 0,
    ...fields,
  };
  const { status, body, text } = await ask('POST', '/v1/assistants', { headers: account.owner, json });
  if (status !== 201) throw new Error(`no assistant was made: ${text}`);
  return { assistantId: body.assistantId, model };
}

export const assistantPath = ({ assistantId }: MadeAssistant, rest = '') =>
  `/v1/assistants/${assistantId}${rest}`;

/** What it would say to one message, or to several. */
export async function tryIt(
  account: TestAccount,
  assistant: MadeAssistant,
  messages: string | { from: string; text: string }[],
  fields: Record<string, unknown> = {},
) {
  const said = typeof messages === 'string' ? [{ from: 'contact', text: messages }] : messages;
  const json = { messages: said, ...fields };
  const { body } = await ask('POST', assistantPath(assistant, '/try'), { headers: account.owner, json });
  return body;
}

/** Has a model that is `held` answer. */
export const release = ({ model }: MadeAssistant) =>
  fetch(`${serverOrigin}/release?model=${encodeURIComponent(model)}`);

interface AskedModel {
  messages: { role: string; content: string | null }[];
  tools?: { function: { name: string } }[];
  max_tokens?: number;
  max_completion_tokens?: number;
  temperature?: number;
  authorization: string | null;
}

/** What the stand-in was asked under this name. */
export async function askedOf({ model }: MadeAssistant): Promise<AskedModel[]> {
  const response = await fetch(`${serverOrigin}/requests?model=${encodeURIComponent(model)}`);
  return response.json();
}
