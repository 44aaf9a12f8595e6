import { type ToolSet, tool } from 'ai';
import { z } from 'zod';
import { mayBeCalled } from '../../../../contract/assistants/http-tool.ts';
import type { RunSource, RunToolCall } from '../../../../contract/assistants/run.ts';
import { cutText } from '../../../../contract/texts/text.ts';
import type { TurnContext } from '../../../../durable/event-log/assistants/turns/turn-orders.ts';
import type { Passage } from '../../../../durable/knowledge/document.ts';
import type { AssistantRow } from '../rows.ts';
import { callHttpTool, inputSchemaOf, type ToolAnswer } from './http-tool-call.ts';
import { asData } from './prompt.ts';

const passagesMax = 6;
const excerptCharactersMax = 300;
const noteCharactersMax = 500;
const shownCharactersMax = 500;

export interface ToolPorts {
  env: Env;
  search: (words: string, limit: number) => Promise<Passage[]>;
  /** The values of headers, by tool and header. */
  headers: Readonly<Record<string, Readonly<Record<string, string>>>>;
  hasKnowledge: boolean;
  /** A picture of the conversation; null: it cannot be had, or is nothing that models take. */
  picture?: (mediaId: string) => Promise<{ bytes: Uint8Array; mimetype: string } | null>;
  /** A trial: what changes something is not called. */
  isTrial: boolean;
  /** How long one answer may take, all steps together. */
  answerMs?: number;
}

/** What came of the tools of one answer. */
export interface ToolUse {
  calls: RunToolCall[];
  sources: RunSource[];
  labels: string[];
  /** Why the model gives it to a person; null: it does not. */
  handOff: { note: string | null } | null;
  /** A tool that changes something has worked. */
  hasActed: boolean;
}

export const noUse = (): ToolUse => ({ calls: [], sources: [], labels: [], handOff: null, hasActed: false });

/** The tools of an assistant. What they did is noted in `use`; what the model reads of it is data. */
export function toolsFor(
  { tools }: Pick<AssistantRow, 'tools'>,
  context: TurnContext,
  ports: ToolPorts,
  use: ToolUse,
): ToolSet {
  const noted = async (name: string, input: unknown, run: () => Promise<ToolAnswer>): Promise<string> => {
    const { ok, output } = await run().catch((): ToolAnswer => ({ ok: false, output: 'It did not work.' }));
    const short = (text: string) => cutText(text, shownCharactersMax);
    use.calls.push({ name, input: short(JSON.stringify(input)), ok, output: short(output) });
    return asData('tool_output', ok ? output : `FAILED: ${output}`);
  };
  const set: ToolSet = {
    hand_off: tool({
      description: 'Gives the conversation to a person of the business. Ends your part.',
      // Whatever it says with it, that it calls it is enough.
      inputSchema: z.object({
        reason: z
          .string()
          .optional()
          .describe('For the person: what the customer wants, in one or two sentences.'),
      }),
      execute: ({ reason }) =>
        noted('hand_off', { reason }, async () => {
          use.handOff = { note: reason === undefined ? null : cutText(reason, noteCharactersMax) };
          return { ok: true, output: 'The conversation is with a person now.' };
        }),
    }),
  };
  if (ports.hasKnowledge) {
    set.search_knowledge = tool({
      description:
        'Searches what the business has written down: products, prices, terms, opening hours, how-to.',
      inputSchema: z.strictObject({ query: z.string().max(500).describe('The words to look for.') }),
      execute: ({ query }) =>
        noted('search_knowledge', { query }, async () => {
          const found = await ports.search(query, passagesMax);
          for (const passage of found) noteSource(use, passage);
          if (found.length === 0) return { ok: true, output: 'Nothing was found.' };
          return { ok: true, output: found.map(passageText).join('\n\n') };
        }),
    });
  }
  if (tools.lookUpContact) {
    set.look_up_contact = tool({
      description: 'What the business knows of the customer of this conversation.',
      inputSchema: z.strictObject({}),
      execute: () =>
        noted('look_up_contact', {}, async () => {
          const { name, phoneNumber, labels, attributes } = context;
          return { ok: true, output: JSON.stringify({ name, phoneNumber, labels, attributes }) };
        }),
    });
  }
  if (tools.labels.length > 0) {
    set.add_label = tool({
      description: 'Puts a label on this conversation, for the people of the business.',
      inputSchema: z.strictObject({ label: z.enum(tools.labels as [string, ...string[]]) }),
      execute: ({ label }) =>
        noted('add_label', { label }, async () => {
          use.labels = [...new Set([...use.labels, label])];
          return { ok: true, output: 'It is on the conversation.' };
        }),
    });
  }
  for (const http of tools.http.filter(mayBeCalled)) {
    const isReading = http.method === 'GET';
    set[http.name] = tool({
      description: http.description,
      inputSchema: inputSchemaOf(http),
      execute: (input: Record<string, unknown>) =>
        noted(http.name, input, async () => {
          if (ports.isTrial && !isReading) {
            use.hasActed = true;
            return { ok: true, output: 'This is a trial: it was not called, take it as done.' };
          }
          const answer = await callHttpTool(ports.env, http, ports.headers[http.name] ?? {}, input, context);
          if (answer.ok && !isReading) use.hasActed = true;
          return answer;
        }),
    });
  }
  return set;
}

function noteSource({ sources }: ToolUse, { documentId, name, url, text }: Passage): void {
  if (sources.some((source) => source.documentId === documentId && source.url === url)) return;
  sources.push({ documentId, name, url, excerpt: cutText(text, excerptCharactersMax) });
}

const passageText = ({ name, heading, text }: Passage) =>
  `${[name, heading].filter(Boolean).join(' › ')}\n${text}`;
