import type { InboundMessage } from '../../../contract/bridge/bridge-frames.ts';
import type { MediaKind } from '../../../contract/messages/media-kinds.ts';

/** Where the network has a file. */
export interface UploadedPlace {
  url: string;
  directPath: string;
}

/** The network does not have the file any more. */
export class FileForgotten extends Error {}

/** A message that brought a file. */
export type FileOrigin = Pick<
  InboundMessage,
  'providerMessageId' | 'from' | 'senderLid' | 'groupId' | 'sentTo'
>;

/** Files at the network: hosts and paths are its own alone, whatever a message says. */
export interface NetworkFiles {
  /** The connection has ended: what needs to ask the network fails from here on. */
  readonly isOver: boolean;
  /** Uploads sealed bytes from a file of ours. Throws when no host takes them. */
  upload(path: string, kind: MediaKind, encSha256: string): Promise<UploadedPlace>;
  /** Sealed bytes as they come. Throws {@link FileForgotten} where the network has them no more. */
  download(directPath: string): Promise<AsyncIterable<Uint8Array>>;
  /**
   * Asks the sender's phone to upload the file again. Returns the new path, or null if the phone cannot do it or does not
   * answer. Throws if the connection ends before that is known.
   */
  askAgain(origin: FileOrigin, mediaKey: Uint8Array): Promise<string | null>;
}
