import type { proto } from '@whiskeysockets/baileys';
import {
  type MessageContent,
  type QuotedMessage,
  type Referral,
  textOf,
} from '../../../../contract/messages/content.ts';
import { isSelf, type OwnAccount, type Person, personOf } from '../../stanzas/jids.ts';
import { readContent } from './read-content.ts';
import { clipped } from './read-words.ts';
import { type Unwrapped, unwrap } from './unwrap.ts';

type Context = Pick<MessageContent, 'quoted' | 'mentions' | 'isForwarded' | 'isEphemeral' | 'referral'>;

/** Completes a person as far as the session knows the pair of number and alias. */
export type Complete = (person: Person) => Promise<Person>;

const mentionsMax = 1024;
const quotedTextMax = 1024;

/** What a message refers to, and how it came about. What does not apply is left out. */
export async function readContext(
  { message, kind, isEphemeral }: Unwrapped,
  own: OwnAccount,
  complete: Complete,
): Promise<Context> {
  const info = contextInfoOf(message, kind);
  const quoted = info && (await readQuoted(info, own, complete));
  const mentions = await mentionsIn(info, complete);
  const referral = info?.externalAdReply && readReferral(info.externalAdReply);
  return {
    ...(quoted && { quoted }),
    ...(mentions.length > 0 && { mentions }),
    ...((info?.isForwarded || info?.forwardingScore) && { isForwarded: true }),
    ...((isEphemeral || info?.expiration) && { isEphemeral: true }),
    ...(referral && { referral }),
  };
}

function contextInfoOf(
  message: proto.IMessage,
  kind: keyof proto.IMessage | null,
): proto.IContextInfo | null {
  const part = kind && message[kind];
  if (!part || typeof part !== 'object' || !('contextInfo' in part)) return null;
  return part.contextInfo ?? null;
}

async function readQuoted(
  { stanzaId, participant, quotedMessage }: proto.IContextInfo,
  own: OwnAccount,
  complete: Complete,
): Promise<QuotedMessage | null> {
  if (!stanzaId || stanzaId.length > 128) return null;
  const author = participant ? await complete(personOf(participant, undefined)) : null;
  const isOwn = author !== null && isSelf(author, own);
  const content = quotedMessage && readContent(unwrap(quotedMessage), 'quoted');
  const digits = isOwn ? own.phoneNumber : (author?.phoneNumber ?? author?.lid);
  return {
    providerMessageId: stanzaId,
    isOwn,
    ...(digits && { author: digits }),
    ...(!isOwn && author?.lid && { authorLid: author.lid }),
    text: content ? clipped(textOf(content), quotedTextMax) : '',
  };
}

async function mentionsIn(info: proto.IContextInfo | null, complete: Complete): Promise<string[]> {
  const people = (info?.mentionedJid ?? []).slice(0, mentionsMax).map((jid) => personOf(jid, undefined));
  const completed = await Promise.all(people.map(complete));
  return completed.flatMap(({ phoneNumber, lid }) => phoneNumber ?? lid ?? []);
}

function readReferral(ad: proto.ContextInfo.IExternalAdReplyInfo): Referral | null {
  const parts = {
    sourceType: ad.sourceType && clipped(ad.sourceType, 64),
    sourceId: ad.sourceId && clipped(ad.sourceId, 255),
    sourceUrl: ad.sourceUrl && clipped(ad.sourceUrl, 2048),
    headline: ad.title && clipped(ad.title, 1000),
    body: ad.body && clipped(ad.body, 4096),
    clickId: ad.ctwaClid && clipped(ad.ctwaClid, 2048),
  };
  // A card with a picture around a link looks the same, but comes from no advertisement.
  if (!parts.sourceId && !parts.clickId && ad.sourceType !== 'ad') return null;
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value));
}
