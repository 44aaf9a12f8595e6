import type { DocumentWakeUp } from '../../../../durable/knowledge/knowledge.ts';
import { logFault } from '../../../../durable/log.ts';
import { askKnowledge } from '../../../object-calls.ts';
import { readUrl } from './read-url.ts';

/** A wake-up of the queue `assistants`: reads a document that lies at a URL, and tells the account's knowledge. */
export async function readDocument(env: Env, { accountId, documentId }: DocumentWakeUp): Promise<void> {
  const wanted = await askKnowledge(env, accountId, (knowledge) => knowledge.wanted(documentId));
  if (wanted === null) return;
  const outcome = await readUrl(env, wanted.kind, wanted.url).catch((error) => {
    logFault('knowledge.not_read', error, { accountId, documentId });
    return { ok: false as const, error: 'It could not be read.', isPassing: true };
  });
  await askKnowledge(env, accountId, (knowledge) => knowledge.settle(documentId, outcome));
}
