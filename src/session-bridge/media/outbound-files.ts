import { setTimeout as delay } from 'node:timers/promises';
import type { FileContent } from '../../contract/messages/content.ts';
import { voiceType } from '../../contract/messages/media-kinds.ts';
import type { NetworkFiles } from '../network/files/network-files.ts';
import { type EdgeFiles, FileRefused } from './edge-files.ts';
import type { MediaRoom } from './media-room.ts';
import type { SealedPlace } from './sealed-bytes.ts';
import { CorruptFile, sealInto } from './sealing.ts';
import { ticketKind, type UploadTicket } from './upload-tickets.ts';
import { assertOpus, NoVoiceNote } from './voice-notes/voice-notes.ts';

const attemptsMax = 4;
const firstWaitMs = 500;

/** A file could not be brought to the network, for all its attempts. The message is a sentence for a person. */
export class FileProblem extends Error {}

export interface OutboundFilesOptions {
  numberId: string;
  edge: EdgeFiles;
  media: Omit<MediaRoom, 'inbound'>;
}

/** What is uploaded: sealed, with the hashes of the file and of the sealed bytes as a ticket has them. */
type SealedUpload = SealedPlace & Pick<UploadTicket, 'sha256' | 'encSha256'>;

/** Uploads: each file goes to the network once, however many recipients it has within some days. */
export class OutboundFiles {
  readonly #options: OutboundFilesOptions;
  /** Uploads in progress, by kind and hash. */
  readonly #underWay = new Map<string, Promise<UploadTicket>>();

  constructor(options: OutboundFilesOptions) {
    this.#options = options;
  }

  /**
   * Returns where the network has the file, and uploads it first if that is not known. Throws {@link FileProblem} if the edge
   * does not have it or returns another file, or if the network refuses it.
   */
  ticketFor(content: FileContent, network: NetworkFiles): Promise<UploadTicket> {
    const { numberId, media } = this.#options;
    const { sha256 } = content.media;
    const kind = ticketKind(content);
    if (sha256 === undefined) return Promise.reject(new Error('nobody has the file yet'));
    const known = media.tickets.find(numberId, kind, sha256);
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
        if (error instanceof NoVoiceNote) throw new FileProblem(error.message, { cause: error });
        const isFinal = error instanceof FileRefused || error instanceof CorruptFile;
        if (isFinal || network.isOver || attempt === attemptsMax) {
          const because = error instanceof Error ? error.message : String(error);
          throw new FileProblem(`Its file could not be uploaded: ${because}.`, { cause: error });
        }
        await delay(firstWaitMs * 3 ** (attempt - 1));
      }
    }
  }

  #uploadOnce(content: FileContent, sha256: string, network: NetworkFiles): Promise<UploadTicket> {
    const { edge, media: room } = this.#options;
    const { type: kind, media } = content;
    const isConverted = media.voice === true && media.mimetype !== voiceType;
    const transfers = isConverted ? room.converted : room.outbound;
    const diskBytes = (media.bytes ?? 0) * (isConverted ? 2 : 1);
    return transfers.withFile(diskBytes, async (path) => {
      const sealed = await sealInto(path, await edge.read(media.mediaId), kind);
      if (sealed.sha256.toString('hex') !== sha256) throw new CorruptFile('the edge gave another file');
      const { bytes } = sealed;
      const place = { path, kind, mediaKey: sealed.mediaKey.toString('base64'), bytes };
      const upload = (file: SealedUpload) => this.#uploadSealed(content, sha256, file, network);
      if (isConverted) return room.voiceNotes.with(place, (note) => upload({ ...note, kind }));
      if (media.voice) await assertOpus(place);
      return upload({ ...place, sha256, encSha256: sealed.encSha256.toString('base64') });
    });
  }

  /** `sha256`: of the file as it was given. */
  async #uploadSealed(
    content: FileContent,
    sha256: string,
    { path, kind, ...file }: SealedUpload,
    network: NetworkFiles,
  ): Promise<UploadTicket> {
    const { numberId, media: room } = this.#options;
    const { mimetype, voice: isVoice = false } = content.media;
    const { mediaKey, bytes } = file;
    const [place, preview] = await Promise.all([
      network.upload(path, kind, file.encSha256),
      room.previews.of({ path, kind, mimetype, isVoice, mediaKey, bytes }),
    ]);
    const ticket: UploadTicket = { ...place, ...file, uploadedAt: Date.now(), preview };
    room.tickets.keep(numberId, ticketKind(content), sha256, ticket);
    return ticket;
  }
}
