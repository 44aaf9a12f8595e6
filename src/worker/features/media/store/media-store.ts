import type { z } from 'zod';
import { type Refusal, refuse } from '../../../../contract/errors.ts';
import { timestampSchema, uuidSchema } from '../../../../contract/ids.ts';
import { fileFactsSchema, mediaDaysKept } from '../../../../contract/messages/media.ts';
import { type MediaKind, mediaBytesMax } from '../../../../contract/messages/media-kinds.ts';
import { dayMs } from '../../../../contract/times.ts';
import { askAccount } from '../../../object-calls.ts';
import {
  agreedType,
  anyType,
  believableType,
  isWebPage,
  kindOfType,
  pictureSize,
  tellingType,
  typeOfName,
  typeSeen,
  voiceSeconds,
} from '../file-types.ts';
import { InspectedBytes, TooManyBytes } from './inspected-bytes.ts';
import { writeObject } from './object-writer.ts';

/** What stands beside the bytes of a file. */
const storedMediaSchema = fileFactsSchema.extend({
  createdAt: timestampSchema,
  expiresAt: timestampSchema,
  /** Of a file that a number has received. */
  numberId: uuidSchema.optional(),
  /** The API key that it was uploaded with. */
  keyId: uuidSchema.optional(),
});
export type StoredMedia = z.infer<typeof storedMediaSchema>;

export interface NewMedia {
  mediaId: string;
  body: ReadableStream<Uint8Array>;
  /** How many bytes there are, where that is known. */
  bytesKnown: number | null;
  /** The type that whoever brings it says it has; null where nobody says. */
  typeNamed: string | null;
  /** The type is taken as far as the bytes agree, and is no reason to refuse them. */
  isTypeGuess?: true;
  /** A page for a browser that comes as something else is refused: people are asked there to sign in, or told of a fault. */
  refusesPages?: true;
  /** What it is to be sent as, where that is known: its limit holds. Else that of its type. */
  kind?: MediaKind;
  fileName?: string | undefined;
  numberId?: string;
  keyId?: string;
}

/** A key that is pinned strictly has to do with the files of its number, and with those that were uploaded with it. */
export const isFileOf = (
  { numberId, keyId }: Pick<StoredMedia, 'numberId' | 'keyId'>,
  key: { keyId: string; onlyNumberId: string | null },
): boolean => key.onlyNumberId === null || key.onlyNumberId === numberId || key.keyId === keyId;

export const tooLarge = (kind: MediaKind) =>
  refuse(
    'PAYLOAD_TOO_LARGE',
    `The file is larger than ${mediaBytesMax[kind]} bytes, the limit for this kind.`,
    {
      details: [{ kind, bytesMax: mediaBytesMax[kind] }],
    },
  );

export const notAsNamed = (named: string | null, seen: string | null) =>
  refuse(
    'UNSUPPORTED_MEDIA_TYPE',
    seen === null
      ? `The bytes are not of the type ${named}.`
      : `The bytes are of the type ${seen}, not of ${named}.`,
  );

const pageInstead = (expected: string) =>
  refuse(
    'UNSUPPORTED_MEDIA_TYPE',
    `It is a web page, not ${expected}: maybe a sign-in page or an error page.`,
  );

/** A file that something still names is stored anew so long before it would go. */
const renewedWithinMs = 7 * dayMs;

/**
 * The files of one account in R2. A file has two keys: its bytes, and its description. The description is written last, and
 * without it the file does not exist. The bucket's own rule deletes both (docs/features/media.md); an expired file does not
 * exist, deleted or not. The account counts files, and refuses those for which its plan has no room.
 */
export class MediaStore {
  readonly #env: Pick<Env, 'MEDIA' | 'ACCOUNT'>;
  readonly #bucket: R2Bucket;
  readonly #accountId: string;

  constructor(env: Pick<Env, 'MEDIA' | 'ACCOUNT'>, accountId: string) {
    this.#env = env;
    this.#bucket = env.MEDIA;
    this.#accountId = accountId;
  }

  /**
   * Stores the file, and replaces an existing one with the same id. Refuses it for its size or type, or if the account has no
   * room. Throws what the body throws.
   */
  async store(media: NewMedia, now: number): Promise<{ ok: true; media: StoredMedia } | Refusal> {
    let kind = media.kind ?? 'document';
    const { mediaId } = media;
    const room = await askAccount(this.#env, this.#accountId, (account) => account.storageRoom(mediaId));
    const roomBytes = room.bytesMax ?? Number.POSITIVE_INFINITY;
    const bytes = new InspectedBytes(media.body, () => Math.min(mediaBytesMax[kind], roomBytes));
    const head = await bytes.head();
    if (head.byteLength === 0) return refuse('VALIDATION_ERROR', 'The file is empty.');
    const seen = await typeSeen(head);
    const told = tellingType(media.typeNamed);
    if (media.refusesPages && isWebPage(head)) {
      const expected = told === 'text/html' ? await typeOfName(media.fileName) : told;
      const isPage = expected === null || /^text\/|html/.test(expected);
      if (!isPage) return this.#dropped(bytes, pageInstead(expected));
    }
    const named = agreedType(told, seen, head);
    const guessed = named ?? (media.isTypeGuess ? agreedType(null, seen, head) : null);
    if (guessed === null) return this.#dropped(bytes, notAsNamed(media.typeNamed, seen));
    const mimetype = guessed === anyType ? ((await believableType(media.fileName)) ?? anyType) : guessed;
    // A picture of which nobody says that it is one may be meant as a document.
    kind = media.kind ?? (media.typeNamed === null ? 'document' : kindOfType(media.typeNamed));
    if (media.bytesKnown !== null && media.bytesKnown > mediaBytesMax[kind]) {
      return this.#dropped(bytes, tooLarge(kind));
    }
    if ((media.bytesKnown ?? 0) > roomBytes) return this.#dropped(bytes, room.refusal);
    try {
      await writeObject(this.#bucket, this.#key(media.mediaId, 'bytes'), bytes.chunks(), media.bytesKnown);
    } catch (error) {
      if (error instanceof TooManyBytes) {
        return this.#dropped(bytes, bytes.bytes > mediaBytesMax[kind] ? tooLarge(kind) : room.refusal);
      }
      await bytes.drop();
      throw error;
    }
    const expiresAt = now + mediaDaysKept * dayMs;
    // Others may have taken the room meanwhile. It is counted before it exists: what is not counted is never kept.
    const file = { fileId: mediaId, bytes: bytes.bytes, expiresAt };
    const full = await askAccount(this.#env, this.#accountId, (account) => account.keepFile(file));
    if (full !== null) {
      await this.#bucket.delete([this.#key(mediaId, 'bytes'), this.#key(mediaId, 'about')]);
      await askAccount(this.#env, this.#accountId, (account) => account.giveBackFiles([mediaId]));
      return full;
    }
    const { fileName, numberId, keyId } = media;
    const stored: StoredMedia = {
      mediaId,
      mimetype,
      bytes: bytes.bytes,
      sha256: bytes.sha256(),
      ...(fileName !== undefined && { fileName }),
      ...pictureSize(mimetype, head),
      ...voiceSeconds(mimetype, bytes.tail),
      createdAt: new Date(now).toISOString(),
      expiresAt: new Date(expiresAt).toISOString(),
      ...(numberId !== undefined && { numberId }),
      ...(keyId !== undefined && { keyId }),
    };
    await this.#bucket.put(this.#key(mediaId, 'about'), JSON.stringify(stored));
    return { ok: true, media: stored };
  }

  async #dropped(bytes: InspectedBytes, refusal: Refusal): Promise<Refusal> {
    await bytes.drop();
    return refusal;
  }

  /** What is known of a file; null when there is none, or none any more. */
  async find(mediaId: string, now: number): Promise<StoredMedia | null> {
    const found = await this.#bucket.get(this.#key(mediaId, 'about'));
    if (found === null) return null;
    const media = storedMediaSchema.parse(await found.json());
    return Date.parse(media.expiresAt) > now ? media : null;
  }

  /** The bytes of a file that {@link find} has found, or of a part of it; null when they are gone. */
  bytes(mediaId: string, range?: { offset: number; length: number }): Promise<R2ObjectBody | null> {
    return this.#bucket.get(this.#key(mediaId, 'bytes'), range === undefined ? {} : { range });
  }

  /**
   * Stores a file anew where it would be gone before `until`, in a week: for what names it longer than files are kept. False:
   * there is none any more.
   */
  async renew(mediaId: string, now: number, until = now + renewedWithinMs): Promise<boolean> {
    const media = await this.find(mediaId, now);
    if (media === null) return false;
    if (Date.parse(media.expiresAt) > until) return true;
    const object = await this.bytes(mediaId);
    if (object === null) return false;
    const expiresAt = now + mediaDaysKept * dayMs;
    await this.#bucket.put(this.#key(mediaId, 'bytes'), object.body);
    const file = { fileId: mediaId, bytes: media.bytes, expiresAt };
    await askAccount(this.#env, this.#accountId, (account) => account.keepFile(file, true));
    const renewed: StoredMedia = { ...media, expiresAt: new Date(expiresAt).toISOString() };
    await this.#bucket.put(this.#key(mediaId, 'about'), JSON.stringify(renewed));
    return true;
  }

  #key(mediaId: string, part: 'bytes' | 'about'): string {
    return `${this.#accountId}/${mediaId}/${part}`;
  }
}
