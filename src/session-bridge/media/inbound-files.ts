import type { InboundMessage } from '../../contract/bridge/bridge-frames.ts';
import { isFileContent } from '../../contract/messages/content.ts';
import type { FileFacts } from '../../contract/messages/media.ts';
import { errorText, type Log } from '../logging.ts';
import { FileForgotten, type NetworkFiles } from '../network/files/network-files.ts';
import { type EdgeFiles, FileRefused } from './edge-files.ts';
import { CorruptFile, unsealed } from './sealing.ts';
import type { Transfers } from './transfers.ts';

export interface InboundFilesOptions {
  edge: EdgeFiles;
  transfers: Transfers;
  log: Log;
  /** Journals the outcome of a file; null: it is not available. */
  report: (mediaId: string, file: FileFacts | null) => void;
}

/**
 * Streams files from the network to the edge without storing them, and verifies them on the way. A temporary failure is not
 * reported: the edge requests the file again.
 */
export class InboundFiles {
  readonly #options: InboundFilesOptions;
  #network: NetworkFiles | null = null;
  /** Requested files; they are transferred once there is a connection. */
  readonly #wanted = new Map<string, InboundMessage>();
  readonly #underWay = new Set<string>();
  /** Requested again while they were in transfer, for example by an edge that has lost what it received. */
  readonly #wantedAgain = new Set<string>();

  constructor(options: InboundFilesOptions) {
    this.#options = options;
  }

  /** The edge wants the file of this message. */
  want(message: InboundMessage): void {
    if (!isFileContent(message.content)) return;
    const { mediaId } = message.content.media;
    if (this.#underWay.has(mediaId)) this.#wantedAgain.add(mediaId);
    this.#wanted.set(mediaId, message);
    this.#start();
  }

  /** There is a connection, or none any more. */
  connected(network: NetworkFiles | null): void {
    this.#network = network;
    this.#start();
  }

  #start(): void {
    const network = this.#network;
    if (network === null) return;
    for (const [mediaId, message] of this.#wanted) {
      if (this.#underWay.has(mediaId)) continue;
      this.#underWay.add(mediaId);
      void this.#fetch(mediaId, message, network);
    }
  }

  async #fetch(mediaId: string, message: InboundMessage, network: NetworkFiles): Promise<void> {
    const { transfers, report, log } = this.#options;
    let isSettled = false;
    try {
      const file = await transfers.passing(() => this.#bring(message, network));
      report(mediaId, file);
      isSettled = true;
      log.info({ mediaId, bytes: file?.bytes, isThere: file !== null }, 'media.fetched');
    } catch (error) {
      log.warn({ mediaId, error: errorText(error) }, 'media.not_fetched');
    } finally {
      this.#underWay.delete(mediaId);
      const isWantedAgain = this.#wantedAgain.delete(mediaId) && !isSettled;
      if (isWantedAgain) this.#start();
      else this.#wanted.delete(mediaId);
    }
  }

  /** Null if it does not exist any more. Throws temporary failures. */
  async #bring(message: InboundMessage, network: NetworkFiles): Promise<FileFacts | null> {
    const { content } = message;
    if (!isFileContent(content) || !content.media.source || !content.media.sha256) return null;
    const { type: kind, media } = content;
    const { source, sha256 = '', mediaId, fileName, mimetype = 'application/octet-stream' } = media;
    if (!source) return null;
    const mediaKey = Buffer.from(source.mediaKey, 'base64');
    const seal = { mediaKey, kind, encSha256: source.encSha256, sha256 };
    let directPath: string | null = source.directPath;
    for (let isSecond = false; directPath !== null; isSecond = true) {
      try {
        const sealed = await network.download(directPath);
        return await this.#options.edge.write({ mediaId, kind, mimetype, fileName }, unsealed(sealed, seal));
      } catch (error) {
        // Too large, no room in the account, or of another number by now: the same again would be refused again.
        if (error instanceof FileRefused) {
          this.#options.log.warn({ mediaId, status: error.status }, 'media.refused');
          return null;
        }
        const isLost = error instanceof FileForgotten || error instanceof CorruptFile;
        if (!isLost) throw error;
        this.#options.log.info({ mediaId, isSecond, error: errorText(error) }, 'media.asked_again');
        directPath = isSecond ? null : await network.askAgain(message, mediaKey);
      }
    }
    return null;
  }
}
