import type { DocumentWakeUp } from '../../../durable/knowledge/knowledge.ts';
import type { VectorWakeUp } from '../../../durable/knowledge/vectors.ts';
import { logFault } from '../../../durable/log.ts';
import { readDocument } from './knowledge/read-document.ts';
import { bringVectors } from './knowledge/vectors.ts';

type AssistantWakeUp = DocumentWakeUp | VectorWakeUp;

function handle(env: Env, wakeUp: AssistantWakeUp): Promise<void> {
  switch (wakeUp.kind) {
    case 'document':
      return readDocument(env, wakeUp);
    case 'vectors':
      return bringVectors(env, wakeUp);
  }
}

/**
 * Consumer of the queue `assistants`: reads documents, and creates their vectors. The rows decide what is due,
 * so a wake-up that comes twice or too late changes nothing. If one is lost, the object's own alarm does the work.
 */
export async function consumeAssistantWakeUps(batch: MessageBatch<AssistantWakeUp>, env: Env): Promise<void> {
  await Promise.all(
    batch.messages.map(async (message) => {
      const wakeUp = message.body;
      try {
        await handle(env, wakeUp);
        message.ack();
      } catch (error) {
        logFault('assistant.wake_up_not_handled', error, { accountId: wakeUp.accountId, kind: wakeUp.kind });
        message.retry();
      }
    }),
  );
}
