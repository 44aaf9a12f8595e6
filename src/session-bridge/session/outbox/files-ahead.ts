import type { OutboundMessage } from '../../../contract/bridge/bridge-frames.ts';
import { type FileContent, isFileContent } from '../../../contract/messages/content.ts';
import type { PreparationFailure } from '../../../contract/messages/send-refusals.ts';
import { HandOverError } from '../../network/connection/connection.ts';
import type { NetworkFiles } from '../../network/files/network-files.ts';

export interface FilesAheadOptions {
  /** Sees to it that the network has the file; throws where it cannot be brought there. */
  bring: (content: FileContent, files: NetworkFiles) => Promise<unknown>;
  /** A message that waited for its file may take its turn. */
  onReady: () => void;
}

type Bringing = { is: 'under way' } | { is: 'there' } | { is: 'failed'; error: unknown };

/**
 * Files of messages that wait for their turn, brought to the network beside the line: only what belongs to the same chat
 * waits for one.
 */
export class FilesAhead {
  readonly #options: FilesAheadOptions;
  /** By the network's id of the message. */
  readonly #files = new Map<string, Bringing>();

  constructor(options: FilesAheadOptions) {
    this.#options = options;
  }

  /** Whether the message may take its turn: there is nothing to bring, or it is known what became of it. */
  isReady({ providerMessageId, content }: OutboundMessage, files: NetworkFiles): boolean {
    if (!isFileContent(content)) return true;
    const known = this.#files.get(providerMessageId);
    if (known) return known.is !== 'under way';
    const bringing: Bringing = { is: 'under way' };
    this.#files.set(providerMessageId, bringing);
    const ended = (how: Bringing) => {
      // It may have been forgotten meanwhile, and begun anew.
      if (this.#files.get(providerMessageId) !== bringing) return;
      this.#files.set(providerMessageId, how);
      this.#options.onReady();
    };
    void this.#options.bring(content, files).then(
      () => ended({ is: 'there' }),
      (error) => ended({ is: 'failed', error }),
    );
    return false;
  }

  /** Its turn has come. Throws where its file could not be brought, which is then tried anew for its next turn. */
  atTurn({ providerMessageId }: OutboundMessage): void {
    const known = this.#files.get(providerMessageId);
    if (known?.is !== 'failed') return;
    this.#files.delete(providerMessageId);
    throw new HandOverError(known.error, 'unprepared', 'file' satisfies PreparationFailure);
  }

  /** The message is not held here any more. */
  forget({ providerMessageId }: OutboundMessage): void {
    this.#files.delete(providerMessageId);
  }
}
