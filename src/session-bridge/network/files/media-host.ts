import {
  decryptMediaRetryData,
  encryptMediaRetryRequest,
  jidEncode,
  proto,
  type WASocket,
} from '@whiskeysockets/baileys';
import type { Dispatcher } from 'undici';
import type { MediaKind } from '../../../contract/messages/media-kinds.ts';
import { FileForgotten, type FileOrigin, type NetworkFiles, type UploadedPlace } from './network-files.ts';

/** A way by which something is downloaded. */
export type Downloads = Pick<Dispatcher, 'dispatch'>;

/** Created with the first download: the library takes 4 MiB at least, and most bridges never download this way. */
export function lateDispatcher(make: (undici: typeof import('undici')) => Dispatcher): Downloads {
  let made: Promise<Dispatcher> | null = null;
  return {
    dispatch: (options, handler) => {
      made ??= import('undici').then(make);
      made
        .then((dispatcher) => void dispatcher.dispatch(options, handler))
        .catch((error: Error) => handler.onResponseError?.(null as never, error));
      return true;
    },
  };
}

/** How long an upload may take, and how long a download may be silent or a phone think about a file. */
const uploadMs = 10 * 60_000;
const downloadMs = 10 * 60_000;
const reuploadMs = 60_000;

/** The files of one connection, by the client's own upload and the network's own hosts. */
export class MediaHost implements NetworkFiles {
  readonly #sock: WASocket;
  /** The way to the hosts; the client's own knows it already. */
  readonly #way: RequestInit;

  /** `way`: the dispatcher of a proxy, where there is one. */
  constructor(sock: WASocket, way: RequestInit) {
    this.#sock = sock;
    this.#way = way;
  }

  get isOver(): boolean {
    return !this.#sock.ws.isOpen;
  }

  /** The host that the network names for files. */
  async host(): Promise<string> {
    const { hosts } = await this.#sock.refreshMediaConn(false);
    return hosts[0]?.hostname ?? '';
  }

  async upload(path: string, kind: MediaKind, encSha256: string): Promise<UploadedPlace> {
    const upload = () =>
      this.#sock.waUploadToServer(path, {
        mediaType: kind,
        fileEncSha256B64: encSha256,
        timeoutMs: uploadMs,
      });
    // An authorisation that is over is renewed by the first attempt, and used by the second alone.
    const { mediaUrl, directPath } = await upload().catch(upload);
    return { url: mediaUrl, directPath };
  }

  async download(directPath: string): Promise<AsyncIterable<Uint8Array>> {
    const origin = `https://${await this.host()}`;
    const url = new URL(directPath, origin);
    // A path that leads to another host is no path.
    if (url.origin !== new URL(origin).origin) throw new FileForgotten('the path is none of the network');
    const response = await fetch(url, {
      ...this.#way,
      headers: { Origin: 'https://web.whatsapp.com' },
      redirect: 'error',
      signal: AbortSignal.timeout(downloadMs),
    });
    if (response.ok && response.body) return response.body;
    await response.body?.cancel();
    if (response.status === 404 || response.status === 410) {
      throw new FileForgotten(`the network answered ${response.status}`);
    }
    throw new Error(`the network answered ${response.status}`);
  }

  async askAgain(origin: FileOrigin, mediaKey: Uint8Array): Promise<string | null> {
    const { ev, authState } = this.#sock;
    const me = authState.creds.me?.id;
    if (me === undefined) return null;
    const { providerMessageId, from, senderLid, groupId, sentTo } = origin;
    const author = jidEncode(from, from === senderLid ? 'lid' : 's.whatsapp.net');
    const key = {
      id: providerMessageId,
      remoteJid: groupId ?? (sentTo === undefined ? author : jidEncode(sentTo, 's.whatsapp.net')),
      fromMe: sentTo !== undefined,
      ...(groupId && { participant: author }),
    };
    const request = await encryptMediaRetryRequest(key, Buffer.from(mediaKey), me);
    const { promise, resolve, reject } = Promise.withResolvers<string | null>();
    const tooLate = setTimeout(() => resolve(null), reuploadMs);
    const hearEnd: Parameters<typeof ev.on<'connection.update'>>[1] = ({ connection }) => {
      if (connection === 'close') reject(new Error('the connection has ended'));
    };
    const hear: Parameters<typeof ev.on<'messages.media-update'>>[1] = (updates) => {
      const update = updates.find((it) => it.key.id === providerMessageId);
      if (update) resolve(pathIn(update.media, mediaKey, providerMessageId));
    };
    ev.on('messages.media-update', hear);
    ev.on('connection.update', hearEnd);
    try {
      const [path] = await Promise.all([promise, this.#sock.sendNode(request)]);
      return path;
    } finally {
      clearTimeout(tooLate);
      ev.off('messages.media-update', hear);
      ev.off('connection.update', hearEnd);
    }
  }
}

type SealedAnswer = Parameters<typeof decryptMediaRetryData>[0] | undefined;

function pathIn(media: SealedAnswer, mediaKey: Uint8Array, id: string): string | null {
  if (!media) return null;
  try {
    const { result, directPath } = decryptMediaRetryData(media, mediaKey, id);
    return result === proto.MediaRetryNotification.ResultType.SUCCESS ? (directPath ?? null) : null;
  } catch {
    return null;
  }
}
