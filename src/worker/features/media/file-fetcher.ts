import { WorkerEntrypoint } from 'cloudflare:workers';
import type { FetchedFile, FetchLater, WantedFile } from '../../../durable/account/outbox/file-fetches.ts';
import { log } from '../../../durable/log.ts';
import { fetchWanted } from './fetch-file.ts';

/**
 * Fetches the files of messages for their accounts. Each call is an invocation of its own, and no other file waits for a host that
 * hangs.
 */
export class FileFetcher extends WorkerEntrypoint<Env> {
  async bring(
    accountId: string,
    messageId: string,
    wanted: WantedFile,
    attempt: number,
  ): Promise<FetchedFile | FetchLater> {
    const fetched = await fetchWanted(this.env, accountId, wanted, attempt);
    log('media.url_fetched', { accountId, messageId, isThere: 'ok' in fetched && fetched.ok, attempt });
    return fetched;
  }
}
