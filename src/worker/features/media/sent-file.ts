import { createHash } from 'node:crypto';
import { invalidField, type Refusal, refuse } from '../../../contract/errors.ts';
import { onlyGiven } from '../../../contract/given.ts';
import { isFileContent, type MessageContent } from '../../../contract/messages/content.ts';
import {
  type MediaKind,
  mediaBytesMax,
  mediaTypes,
  voiceTypes,
} from '../../../contract/messages/media-kinds.ts';
import { dayMs } from '../../../contract/times.ts';
import { noSuchFile, type SentFile } from '../../../durable/account/admission/send-request.ts';
import { newUuid } from '../../../durable/new-ids.ts';
import { settingsOf } from '../../../settings/worker-settings.ts';
import { webhookUrlProblem, webhookUrlRules } from '../../outbound-http/webhook-url.ts';
import type { FileInput } from '../messages/sending/send-content.ts';
import { agreedType, anyType, believableType, tellingType, typeSeen } from './file-types.ts';
import { MediaStore, notAsNamed, type StoredMedia, tooLarge } from './store/media-store.ts';

/**
 * The content with the facts about its file, or the refusal. Bytes in the request are stored here, under an id made from them.
 * So the same bytes are one file, and a repeated request stores nothing.
 *
 * @param leavesAt when the message may leave; the file is kept until a day later, as long as it may wait then. Null: it is not sent
 */
export async function withSentFile(
  env: Env,
  accountId: string,
  content: MessageContent,
  input: FileInput,
  leavesAt: number | null = null,
): Promise<({ ok: true; content: MessageContent } & SentFile) | Refusal> {
  if ('url' in input.source) return withFileToFetch(env, content, input.kind, input.source.url);
  const now = Date.now();
  const store = new MediaStore(env, accountId);
  const neededUntil = leavesAt === null ? now : leavesAt + dayMs;
  const found = await fileOf(store, input, now, neededUntil);
  if (!found.ok) return found;
  const unfit = misfit(found.media, input);
  if (unfit !== null) return unfit;
  if (Date.parse(found.media.expiresAt) < neededUntil)
    await store.renew(found.media.mediaId, now, neededUntil);
  if (!('media' in content)) throw new Error('a message without a file has one');
  const { mediaId, bytes, sha256, fileName, durationSeconds, width, height } = found.media;
  const ownName = content.media.fileName ?? fileName;
  const told = found.media.mimetype === anyType ? await believableType(ownName) : null;
  const mimetype = told ?? found.media.mimetype;
  const facts = { mediaId, mimetype, bytes, sha256, durationSeconds, width, height };
  const name = input.kind === 'document' ? { fileName: ownName } : {};
  const media = { ...content.media, ...onlyGiven(facts), ...(name.fileName !== undefined && name) };
  const sent = { ok: true as const, content: { ...content, media } };
  if (!('mediaId' in input.source)) return sent;
  const { numberId, keyId } = found.media;
  return { ...sent, fileOf: onlyGiven({ field: `${input.kind}.mediaId`, numberId, keyId }) };
}

/** The file is fetched when the message is accepted; until then nothing is known of it but its id. */
function withFileToFetch(
  env: Env,
  content: MessageContent,
  kind: MediaKind,
  url: string,
): { ok: true; content: MessageContent; fileUrl: string } | Refusal {
  const problem = webhookUrlProblem(url, webhookUrlRules(settingsOf(env)));
  if (problem !== null) return invalidField(`${kind}.url`, problem);
  if (!isFileContent(content)) throw new Error('a message without a file has one');
  const media = { ...content.media, mediaId: newUuid(), status: 'pending' as const };
  return { ok: true, content: { ...content, media }, fileUrl: url };
}

async function fileOf(
  store: MediaStore,
  input: FileInput,
  now: number,
  neededUntil: number,
): Promise<{ ok: true; media: StoredMedia } | Refusal> {
  const { kind, source } = input;
  if ('url' in source) throw new Error('a file at a URL is fetched later');
  if ('mediaId' in source) {
    const media = await store.find(source.mediaId, now);
    if (media !== null) return { ok: true, media };
    return noSuchFile(`${kind}.mediaId`);
  }
  const unfit = await unfitData(input);
  if (unfit !== null) return unfit;
  const bytes = Buffer.from(source.data, 'base64');
  const typeNamed = tellingType(source.mimetype ?? null);
  const mediaId = idOfBytes(bytes);
  const media = await store.find(mediaId, now);
  // One that goes soon is stored anew: the message may wait.
  const isKept = media !== null && Date.parse(media.expiresAt) > Math.max(now + 7 * dayMs, neededUntil);
  if (isKept) return { ok: true, media };
  const body = new Response(bytes).body as ReadableStream<Uint8Array>;
  return store.store({ mediaId, body, bytesKnown: bytes.byteLength, typeNamed, kind }, now);
}

/** Why the bytes in the request cannot be sent; null when they can, or when there are none in it. Nothing is stored. */
export async function unfitData(input: FileInput): Promise<Refusal | null> {
  const { kind, source } = input;
  if (!('data' in source)) return null;
  const unfit = await unfitBytes(
    Buffer.from(source.data, 'base64'),
    tellingType(source.mimetype ?? null),
    input,
  );
  return unfit && { ...unfit, details: [{ path: `${kind}.data`, message: unfit.message }] };
}

/** What would be refused is not stored first. */
async function unfitBytes(
  bytes: Uint8Array,
  typeNamed: string | null,
  input: FileInput,
): Promise<Refusal | null> {
  if (bytes.byteLength === 0) return refuse('VALIDATION_ERROR', 'The file is empty.');
  const seen = await typeSeen(bytes);
  const mimetype = agreedType(typeNamed, seen, bytes);
  if (mimetype === null) return notAsNamed(typeNamed, seen);
  return misfit({ mimetype, bytes: bytes.byteLength }, input);
}

/** An UUIDv8 of the bytes (RFC 9562). */
function idOfBytes(bytes: Uint8Array): string {
  const hex = createHash('sha256').update(bytes).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Why a file cannot be sent as this kind; null when it can. */
export function misfit(
  { mimetype, bytes }: Pick<StoredMedia, 'mimetype' | 'bytes'>,
  { kind, isVoice }: Pick<FileInput, 'kind' | 'isVoice'>,
): Refusal | null {
  if (bytes > mediaBytesMax[kind]) return tooLarge(kind);
  const types = isVoice ? voiceTypes : mediaTypes[kind];
  if (types === null || types.includes(mimetype)) return null;
  const message = isVoice
    ? `The file is ${mimetype}, which cannot be converted to a voice note: send Opus in Ogg, MP3, WAV, or WebM ` +
      'with Opus, or leave out `voice`.'
    : `The file is ${mimetype}: a message of the type ${kind} takes ${types.join(', ')}.`;
  const path = isVoice ? `${kind}.voice` : kind;
  return refuse('UNSUPPORTED_MEDIA_TYPE', message, { details: [{ path, message }] });
}
