import { WorkerEntrypoint } from 'cloudflare:workers';
import type { ReadOutcome } from '../../../../durable/knowledge/document.ts';
import type { VectorsDone, VectorWork } from '../../../../durable/knowledge/vectors.ts';
import { readUrl } from './read-document.ts';
import { bringVectors } from './vectors.ts';

/**
 * Does what takes long for the knowledge of an account: reads documents, and makes vectors. Each call is an invocation of its own,
 * and no other document waits for a server that hangs. Stores nothing.
 */
export class KnowledgeRunner extends WorkerEntrypoint<Env> {
  read(kind: 'url' | 'sitemap', url: string): Promise<ReadOutcome> {
    return readUrl(this.env, kind, url);
  }

  bringVectors(accountId: string, work: VectorWork): Promise<VectorsDone> {
    return bringVectors(this.env, accountId, work);
  }
}
