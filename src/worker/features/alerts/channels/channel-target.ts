import type {
  AlertChannelKind,
  AlertTarget,
  TelegramTarget,
  WhatsappTarget,
} from '../../../../contract/alerts/alert-channels.ts';
import { openSecret, sealSecret } from '../../../../durable/sealed-secret.ts';

/** All that is needed to reach a channel: what is sealed of it. */
export interface SecretTarget {
  /** Slack, Discord, webhook. */
  url?: string;
  /** Telegram. */
  botToken?: string;
  /** What signs, of a webhook. */
  signingSecret?: string;
  /** What has signed before it, and until when it signs too: milliseconds since 1970. */
  previousSecret?: string;
  previousUntil?: number;
}

/** How much of a secret is shown, at its end: enough to tell two apart. */
const shownCharacters = 4;
const ending = (secret: string) => secret.slice(-shownCharacters);

/** Of a URL that is a secret itself: its host, and its end. */
function shownUrl(url: string): string {
  const { origin } = new URL(url);
  return `${origin}/…${ending(url)}`;
}

/** Of a URL that is signed: all but what may be a token in it. */
function withoutQuery(url: string): string {
  const { origin, pathname, search } = new URL(url);
  return `${origin}${pathname}${search === '' ? '' : '?…'}`;
}

/** What may be shown of a target, and what is sealed of it; null: nothing of it is secret. */
export function splitTarget(
  kind: AlertChannelKind,
  target: AlertTarget,
): { shown: AlertTarget; secret: SecretTarget | null } {
  if (typeof target !== 'string') {
    if (!('chatId' in target)) return { shown: target, secret: null };
    const { botToken = '', chatId } = target;
    const shown: TelegramTarget = { botToken: `${botToken.split(':')[0]}:…${ending(botToken)}`, chatId };
    return { shown, secret: { botToken } };
  }
  if (kind === 'email') return { shown: target, secret: null };
  return { shown: kind === 'webhook' ? withoutQuery(target) : shownUrl(target), secret: { url: target } };
}

export const sealTarget = (env: Env, channelId: string, secret: SecretTarget): Promise<string> =>
  sealSecret(env, channelId, JSON.stringify(secret));

export async function openTarget(env: Env, channelId: string, sealed: string | null): Promise<SecretTarget> {
  return sealed === null ? {} : JSON.parse(await openSecret(env, channelId, sealed));
}

export const isWhatsapp = (target: AlertTarget): target is WhatsappTarget =>
  typeof target !== 'string' && 'to' in target;
export const isTelegram = (target: AlertTarget): target is TelegramTarget =>
  typeof target !== 'string' && 'chatId' in target;
