import type { TurnBell } from '../../../durable/event-log/assistants/turns/turn-orders.ts';
import type { DocumentBell } from '../../../durable/knowledge/knowledge.ts';
import type { VectorBell } from '../../../durable/knowledge/vectors/vector-work.ts';
import { logFault } from '../../../durable/log.ts';
import { readDocument } from './knowledge/document-bells.ts';
import { bringVectors } from './knowledge/vectors/vector-bells.ts';
import { runTurn } from './turns/run-turn.ts';

type AssistantBell = TurnBell | DocumentBell | VectorBell;

function hear(env: Env, bell: AssistantBell): Promise<void> {
  switch (bell.kind) {
    case 'turn':
      return runTurn(env, bell);
    case 'document':
      return readDocument(env, bell);
    case 'vectors':
      return bringVectors(env, bell);
  }
}

/**
 * Consumer of the queue `assistants`: answers turns, reads documents, and makes their vectors. The rows decide, so a bell that rings twice, or
 * for what is over, changes nothing; and for one that is lost the object's own alarm rings.
 */
export async function consumeAssistantBells(batch: MessageBatch<AssistantBell>, env: Env): Promise<void> {
  await Promise.all(
    batch.messages.map(async (message) => {
      const bell = message.body;
      try {
        await hear(env, bell);
        message.ack();
      } catch (error) {
        logFault('assistant.bell_not_heard', error, { accountId: bell.accountId, kind: bell.kind });
        message.retry();
      }
    }),
  );
}
