import { generateText, isStepCount, type LanguageModel } from 'ai';
import { costOf, type RunTokens } from '../../../../contract/assistants/run.ts';
import type {
  Ending,
  Thought,
  TurnContext,
} from '../../../../durable/event-log/assistants/turns/turn-orders.ts';
import type { AssistantRow } from '../rows.ts';
import { failureOf, failureWords } from './failure-words.ts';
import { ModelProblem } from './model.ts';
import { saidText, tokensOf } from './model-answer.ts';
import { networkText } from './network-text.ts';
import { instructionsOf, messagesOf, type Pictures } from './prompt.ts';
import { noUse, type ToolPorts, type ToolUse, toolsFor } from './tools.ts';

const stepsMax = 4;
const outputTokensMax = 1_000;
const temperature = 0.2;
const answerMsDefault = 60_000;

/** What of an assistant an answer follows from. */
export type Thinking = Pick<
  AssistantRow,
  'id' | 'name' | 'instructions' | 'introduction' | 'tools' | 'provider'
>;

/**
 * What an assistant replies in a conversation, or that it does not. It has no side effects except the calls of the model and
 * the tools. Never throws: a failed model is an outcome.
 */
export async function think(
  assistant: Thinking,
  context: TurnContext,
  model: LanguageModel,
  ports: ToolPorts,
  now = Date.now(),
): Promise<Thought> {
  const use = noUse();
  const tokens: RunTokens = { input: 0, output: 0 };
  const signal = AbortSignal.timeout(ports.answerMs ?? answerMsDefault);
  const pictures = assistant.provider.seesPictures === true ? await picturesOf(context, ports) : new Map();
  const round = { assistant, context, model, ports, use, tokens, now, signal, pictures };
  const { ending, error } = await endingOf(round);
  const { prices, model: modelName } = assistant.provider;
  const { sources, calls: toolCalls, labels } = use;
  const durationMs = Date.now() - now;
  return {
    ...ending,
    tokens,
    cost: costOf(tokens, prices),
    labels,
    detail: { model: modelName, durationMs, sources, toolCalls, error },
  };
}

/** Pictures that one answer is made with: the newest ones. */
const picturesMax = 3;

/** What the model is shown. A picture that cannot be had is said to be there, as others are. */
async function picturesOf({ messages }: TurnContext, { picture }: ToolPorts): Promise<Pictures> {
  const ids = messages.flatMap((message) => message.picture?.mediaId ?? []).slice(-picturesMax);
  const found = await Promise.all(
    ids.map(async (id) => [id, (await picture?.(id).catch(() => null)) ?? null] as const),
  );
  return new Map(found.flatMap(([id, file]) => (file === null ? [] : [[id, file] as const])));
}

interface Round {
  assistant: Thinking;
  context: TurnContext;
  model: LanguageModel;
  ports: ToolPorts;
  use: ToolUse;
  tokens: RunTokens;
  now: number;
  signal: AbortSignal;
  pictures: Pictures;
}

async function endingOf(round: Round): Promise<{ ending: Ending; error: string | null }> {
  const { assistant, context, use } = round;
  // Nothing stands behind a promise: it may say it otherwise once, and if it insists a person has to see to it.
  const isEmpty = (text: string) => promisesSomething(text) && !use.hasActed;
  try {
    const first = await ask(round, null);
    const text = use.handOff === null && isEmpty(first) ? await ask(round, first) : first;
    if (use.handOff !== null) return { ending: handedOff(use.handOff), error: null };
    if (isEmpty(text))
      return { ending: handedOff({ note: null }), error: 'It promised what no tool had done.' };
    if (text === '') return { ending: { outcome: 'failed' }, error: 'The model returned no answer.' };
    const { introduction } = assistant;
    const isNew = !context.isIntroduced && introduction !== null;
    return { ending: { outcome: 'answer', text: isNew ? `${introduction}\n\n${text}` : text }, error: null };
  } catch (error) {
    // What it asked for before it failed stands: to a person it goes.
    if (use.handOff !== null) return { ending: handedOff(use.handOff), error: null };
    return { ending: failureOf(error), error: failureWords(error) };
  }
}

const handedOff = ({ note }: { note: string | null }): Ending => ({
  outcome: 'hand_off',
  reason: 'asked',
  note,
});

/** Asks once, with as many steps as tools need. `promised`: what it said before and may not say. */
async function ask(
  { assistant, context, model, ports, use, tokens, now, signal, pictures }: Round,
  promised: string | null,
): Promise<string> {
  const tools = toolsFor(assistant, context, ports, use);
  const messages = messagesOf(context.messages, pictures);
  if (promised !== null) {
    messages.push({ role: 'assistant', content: promised });
    messages.push({
      role: 'user',
      content:
        'From the gateway, not from the customer: this was not sent. It says that something was done, or that somebody ' +
        'will do it, and no tool has confirmed that. Answer the customer without it, or call hand_off.',
    });
  }
  const result = await generateText({
    model,
    instructions: instructionsOf(assistant, context, { now, toolNames: Object.keys(tools) }),
    messages,
    tools,
    stopWhen: [isStepCount(stepsMax), () => use.handOff !== null],
    // The last step has to say something.
    prepareStep: ({ stepNumber }) => (stepNumber === stepsMax - 1 ? { toolChoice: 'none' } : {}),
    maxOutputTokens: outputTokensMax,
    temperature,
    maxRetries: 0,
    abortSignal: signal,
    onStepEnd: ({ usage }) => {
      const { input, output } = tokensOf(usage);
      tokens.input += input;
      tokens.output += output;
    },
  });
  if (result.finishReason === 'content-filter') throw new Error('The model refused to answer.');
  if (result.finishReason === 'error') throw new Error('The model failed within its answer.');
  const said = saidText(result.text);
  if (result.finishReason !== 'length') return networkText(said);
  if (said === '') throw new ModelProblem(tooLittle, false);
  return networkText(wholeSentences(said));
}

const tooLittle = `The model used up the ${outputTokensMax} tokens of an answer, and had said nothing by then.`;

/** An answer that was cut off, without the beginning of its last sentence. */
const wholeSentences = (text: string): string =>
  /^[\s\S]*(?:[.!?…](?=\s|$)|[。！？\n])/.exec(text)?.[0].trim() || text;

/**
 * Sentences in which an assistant claims that it has done something, or that somebody will, in the languages of the dashboard.
 * It is a rough check in addition to the instructions: such a reply is sent only if a tool did something.
 */
const promises = [
  /\bI(?:'ve| have)(?: just| already| now)? (?:booked|cancell?ed|refunded|changed|updated|ordered|scheduled|forwarded|reserved|processed|sent|notified|escalated|passed)\b/i,
  /\b(?:your|the) (?:booking|order|appointment|refund|reservation) (?:has been|is now|was just) (?:booked|cancell?ed|confirmed|refunded|changed|processed|placed|made|issued)\b/i,
  /\b(?:a colleague|someone|somebody|our team|an agent|a human)(?: from our team)? will (?:contact|call|reach out|get back|be in touch|reply|write)\b/i,
  /\bI(?:'ll| will) (?:book|cancel|refund|call you|forward|transfer you|connect you|escalate|notify)\b/i,
  /\b(?:he|hemos) (?:reservado|cancelado|reembolsado|cambiado|actualizado|reenviado|programado|enviado|notificado)\b/i,
  /\b(?:un compañero|un agente|alguien|nuestro equipo) (?:te|le|se) (?:contactará|llamará|escribirá|pondrá)\b/i,
  /\b(?:já|acabei de) (?:reservei|cancelei|reembolsei|alterei|atualizei|encaminhei|agendei|enviei|reservar|cancelar|reembolsar)\b/i,
  /\b(?:um colega|um atendente|alguém|nossa equipe) (?:vai|irá|entrará) (?:entrar|ligar|contatar|responder|em contato)\b/i,
  /\bsaya (?:sudah|telah) (?:memesan|membatalkan|mengembalikan|mengubah|memperbarui|meneruskan|menjadwalkan|mengirim)\b/i,
  /\b(?:tim kami|rekan kami|seseorang|petugas kami) akan (?:menghubungi|menelepon|membalas)\b/i,
];

/** Whether a text says that something was done, or will be. */
const promisesSomething = (text: string): boolean => promises.some((promise) => promise.test(text));
