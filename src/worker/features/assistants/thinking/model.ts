import type { LanguageModel } from 'ai';
import type { Provider } from '../../../../contract/assistants/assistant.ts';
import { settingsOf } from '../../../../settings/worker-settings.ts';
import { tenantFetch } from '../../../outbound-http/tenant-fetch.ts';
import { webhookUrlProblem, webhookUrlRules } from '../../../outbound-http/webhook-url.ts';
import { counted } from './model-answer.ts';
import { withTakenParameters } from './taken-parameters.ts';

/** Of the model's answer no more than this is read. */
const answerBytesMax = 1024 * 1024;

/** Why a model cannot be asked, or its answer not be used, in words for the owner. */
export class ModelProblem extends Error {
  /** Another try would bring the same. */
  readonly isFinal: boolean;

  constructor(message: string, isFinal = true) {
    super(message);
    this.isFinal = isFinal;
  }
}

/** The model of a provider. Throws {@link ModelProblem}. */
export async function modelOf(env: Env, provider: Provider, apiKey: string | null): Promise<LanguageModel> {
  if (provider.kind === 'workers_ai') {
    const binding = (env as { AI?: unknown }).AI;
    if (binding === undefined) throw new ModelProblem('This gateway has no Workers AI.');
    const { createWorkersAI } = await import('workers-ai-provider');
    return counted(createWorkersAI({ binding: binding as never })(provider.model as never));
  }
  if (provider.baseUrl === null) throw new ModelProblem('The provider has no address.');
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  const server = createOpenAICompatible({
    name: 'provider',
    baseURL: provider.baseUrl.replace(/\/+$/, ''),
    ...(apiKey !== null && { apiKey }),
    fetch: withTakenParameters(guardedModelFetch(env, answerBytesMax)),
  });
  return counted(server.chatModel(provider.model));
}

/** The address is judged at each call, redirects are not followed, and a flood is cut off. */
export function guardedModelFetch(env: Env, bytesMax: number): typeof fetch {
  return async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    const problem = webhookUrlProblem(url, webhookUrlRules(settingsOf(env)));
    if (problem !== null) throw new ModelProblem(`The address of the provider is not allowed. ${problem}`);
    const response = await tenantFetch(env, url, { ...init, redirect: 'manual' } as RequestInit);
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel();
      throw new ModelProblem('The provider redirects: use the address that it redirects to.');
    }
    if (response.body === null) return response;
    let length = 0;
    const bounded = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(part, controller) {
          length += part.byteLength;
          if (length > bytesMax)
            controller.error(new ModelProblem('The answer of the model is too large.', false));
          else controller.enqueue(part);
        },
      }),
    );
    const { status, statusText, headers } = response;
    return new Response(bounded, { status, statusText, headers });
  };
}
