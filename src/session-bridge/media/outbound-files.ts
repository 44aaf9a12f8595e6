import { setTimeout as delay } from 'node:timers/promises';
import type { FileContent } from '../../contract/messages/content.ts';
import type { NetworkFiles } from '../network/files/network-files.ts';
import { type EdgeFiles, FileRefused } from './edge-files.ts';
import type { Previews } from './previews/previews.ts';
import { CorruptFile, sealInto } from './sealing.ts';
import type { Transfers } from './transfers.ts';
import type { UploadTicket, UploadTickets } from './upload-tickets.ts';

const attemptsMax = 4;
const firstWaitMs = 500;

/** A file could not be brought to the network, for all its attempts. */
export class FileProblem extends Error {}

export interface OutboundFilesOptions {
  numberId: string;
  edge: EdgeFiles;
  tickets: UploadTickets;
  transfers: Transfers;
  previews: Previews;
}

/** Uploads: each file goes to the network once, however many recipients it has within some days. */
export class OutboundFiles {
  readonly #options: OutboundFilesOptions;
  /** Uploads that are under way, by kind and hash. */
  readonly #underWay = new Map<string, Promise<UploadTicket>>();

  constructor(options: OutboundFilesOptions) {
    this.#options = options;
  }

  /**
   * Where the network has the file; uploads it first where that is not known. Throws {@link FileProblem} where the
   * edge does not have it, or gives another one, or the network does not take it.
   */
  ticketFor(content: FileContent, network: NetworkFiles): Promise<UploadTicket> {
    const { numberId, tickets } = this.#options;
    const { type: kind, media } = content;
    const { sha256 } = media;
    if (sha256 === undefined) return Promise.reject(new Error('nobody has the file yet'));
    const known = tickets.find(numberId, kind, sha256);
    if (known !== null) return Promise.resolve(known);
    const key = `${kind} ${sha256}`;
    const underWay = this.#underWay.get(key);
    if (underWay !== undefined) return underWay;
    const upload = this.#upload(content, sha256, network).finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, upload);
    return upload;
  }

  /** Tries again what may pass, over this connection. */
  async #upload(content: FileContent, sha256: string, network: NetworkFiles): Promise<UploadTicket> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#uploadOnce(content, sha256, network);
      } catch (error) {
        const isFinal = error instanceof FileRefused || error instanceof CorruptFile;
        if (isFinal || network.isOver || attempt === attemptsMax) {
          throw new FileProblem(error instanceof Error ? error.message : String(error), { cause: error });
        }
        await delay(firstWaitMs * 3 ** (attempt - 1));
      }
    }
  }

  #uploadOnce(
    { type: kind, media }: FileContent,
    sha256: string,
    network: NetworkFiles,
  ): Promise<UploadTicket> {
    const { numberId, edge, tickets, transfers, previews } = this.#options;
    return transfers.withFile(media.bytes ?? 0, async (path) => {
      const sealed = await sealInto(path, await edge.read(media.mediaId), kind);
      if (sealed.sha256.toString('hex') !== sha256) throw new CorruptFile('the edge gave another file');
      const encSha256 = sealed.encSha256.toString('base64');
      const [mediaKey, { bytes }] = [sealed.mediaKey.toString('base64'), sealed];
      const { mimetype, voice: isVoice = false } = media;
      const [place, preview] = await Promise.all([
        network.upload(path, kind, encSha256),
        previews.of({ path, kind, mimetype, isVoice, mediaKey, bytes }),
      ]);
      const uploadedAt = Date.now();
      const ticket: UploadTicket = { ...place, mediaKey, encSha256, sha256, bytes, uploadedAt, preview };
      tickets.keep(numberId, kind, ticket);
      return ticket;
    });
  }
}
