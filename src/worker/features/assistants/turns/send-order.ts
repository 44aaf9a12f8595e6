import type { Refusal } from '../../../../contract/errors.ts';
import { cutText } from '../../../../contract/texts/text.ts';
import type { SendOrder } from '../../../../durable/event-log/assistants/turns/turn-orders.ts';
import { log, logFault } from '../../../../durable/log.ts';
import { askAccount, askLog } from '../../../object-calls.ts';

/** Characters of one message: a little less than the network carries. */
const partCharactersMax = 4_000;

/** Hands what was decided to the account, and tells the log what came of it. To repeat it sends nothing twice. */
export async function sendOrder(env: Env, accountId: string, order: SendOrder): Promise<void> {
  const { turnId } = order;
  const sent = await hand(env, accountId, order).catch((error): Refusal => {
    logFault('assistant.not_sent', error, { accountId, turnId });
    return { ok: false, code: 'INTERNAL', message: 'The account did not answer.' };
  });
  if (sent.ok) {
    await askLog(env, accountId, (accountLog) => accountLog.turnSent(turnId, sent.answer.messageId));
    return;
  }
  const decided = await askLog(env, accountId, (accountLog) => accountLog.turnNotSent(turnId, sent));
  // What follows from it (a message that hands the conversation over) is sent once more at most.
  if (decided.order !== null && decided.order.idempotencyKey !== order.idempotencyKey) {
    await sendOrder(env, accountId, decided.order);
  }
}

/**
 * Sends a reply, in as many messages as it needs, and returns the outcome of the first one. The others follow in order. If one
 * is refused (a person has written meanwhile), the rest is not sent.
 */
async function hand(env: Env, accountId: string, order: SendOrder) {
  const [first = order.text, ...others] = messageParts(order.text, partCharactersMax);
  const sent = await handPart(env, accountId, { ...order, text: first });
  if (!sent.ok) return sent;
  for (const [index, text] of others.entries()) {
    const idempotencyKey = `${order.idempotencyKey}:${index + 2}`;
    const next = await handPart(env, accountId, { ...order, text, idempotencyKey });
    if (next.ok) continue;
    log('assistant.cut_short', {
      accountId,
      turnId: order.turnId,
      code: next.code,
      parts: others.length + 1,
    });
    break;
  }
  return sent;
}

function handPart(env: Env, accountId: string, order: SendOrder) {
  const { turnId, assistantId, numberId, to, text, idempotencyKey, since } = order;
  return askAccount(env, accountId, (account) =>
    account.sendAs({
      origin: { kind: 'assistant', assistantId, turnId },
      numberId,
      to,
      chatType: 'personal',
      content: { type: 'text', text },
      idempotencyKey,
      unlessPersonSince: since,
    }),
  );
}

const fence = '```';

/**
 * Splits a text into messages of at most `unitsMax` units (UTF-16), in order: between paragraphs, otherwise between lines,
 * sentences, words, and finally between characters. A code block stays together; if it is too long, each part of it is a code
 * block.
 */
export function messageParts(text: string, unitsMax: number): string[] {
  const parts: string[] = [];
  for (const { words, between } of pieces(text, unitsMax)) {
    const last = parts.at(-1);
    if (last !== undefined && last.length + between.length + words.length <= unitsMax) {
      parts[parts.length - 1] = last + between + words;
    } else parts.push(words);
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

/** A piece, and what stands between it and the one before. */
interface Piece {
  words: string;
  between: string;
}

/** Pieces that fit, as large as they can be. */
function pieces(text: string, unitsMax: number): Piece[] {
  return blocksOf(text).flatMap((block) => {
    if (block.length <= unitsMax) return { words: block, between: '\n\n' };
    return block.startsWith(fence) ? code(block, unitsMax) : smaller(block, unitsMax, 0);
  });
}

/** Paragraphs, and code with whatever is in it. */
const blocksOf = (text: string): string[] =>
  text
    .split(/(```[\s\S]*?```)/)
    .flatMap((part) => (part.startsWith(fence) ? part : part.split(/\n{2,}/)))
    .map((part) => part.replaceAll(/^\n+|\n+$/g, ''))
    .filter((part) => part.trim() !== '');

function code(block: string, unitsMax: number): Piece[] {
  const inner = block.slice(fence.length, -fence.length).replaceAll(/^\n|\n$/g, '');
  const room = unitsMax - 2 * fence.length - 2;
  return smaller(inner, room, 0)
    .reduce<string[]>((parts, { words, between }) => {
      const last = parts.at(-1);
      if (last !== undefined && last.length + between.length + words.length <= room) {
        parts[parts.length - 1] = last + between + words;
      } else parts.push(words);
      return parts;
    }, [])
    .map((words) => ({ words: `${fence}\n${words}\n${fence}`, between: '\n' }));
}

const segmentsOf = (granularity: 'sentence' | 'word') => (text: string) =>
  [...new Intl.Segmenter(undefined, { granularity }).segment(text)].map(({ segment }) => segment);

/** From the best place to part a text to the last one. */
const levels: { between: string; split: (text: string) => string[] }[] = [
  { between: '\n', split: (text) => text.split('\n') },
  { between: '', split: segmentsOf('sentence') },
  { between: '', split: segmentsOf('word') },
];

function smaller(text: string, unitsMax: number, level: number): Piece[] {
  const how = levels[level];
  if (how === undefined) return characters(text, unitsMax);
  return how
    .split(text)
    .flatMap((part, index) =>
      part.length <= unitsMax
        ? { words: part, between: how.between }
        : smaller(part, unitsMax, level + 1).map((piece, place) =>
            place === 0 && index > 0 ? { ...piece, between: how.between } : piece,
          ),
    );
}

function characters(text: string, unitsMax: number): Piece[] {
  const cut = cutText(text, unitsMax);
  const rest = text.slice(cut.length);
  return [{ words: cut, between: '' }, ...(rest === '' ? [] : characters(rest, unitsMax))];
}
