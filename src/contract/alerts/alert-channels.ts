import { z } from 'zod';
import { timeZoneSchema } from '../clock-fields.ts';
import { numberIdsSchema, uuidSchema } from '../ids.ts';
import { type AlertKind, alertKindNames } from './alerts.ts';

export const alertKindSchema = z.enum(alertKindNames);

/** The ways for an alert to reach people. */
export const alertChannelKinds = ['email', 'slack', 'discord', 'telegram', 'webhook', 'whatsapp'] as const;
export type AlertChannelKind = (typeof alertChannelKinds)[number];

const botTokenPattern = /^\d{5,15}:[A-Za-z0-9_-]{30,60}$/;
const chatIdPattern = /^(-?\d{1,20}|@[A-Za-z0-9_]{4,64})$/;

const urlTarget = z.string().min(1).max(2048);
const emailTarget = z.string().max(254).trim().toLowerCase().pipe(z.email());

const newTelegramTarget = z.strictObject({
  botToken: z.string().regex(botTokenPattern, 'Must be the token from BotFather, such as 123456789:AAE….'),
  chatId: z.string().regex(chatIdPattern, 'Must be the ID of the chat, such as -1001234567890, or @channel.'),
});

/** Of a bot that is known already its token need not be said again. */
const telegramTarget = newTelegramTarget.partial({ botToken: true });

const whatsappTarget = z.strictObject({
  numberId: uuidSchema.nullable().default(null),
  to: z.string().min(1).max(64),
});

/** What a target has to be, by the kind of its channel. */
export const alertTargetSchemas = {
  email: emailTarget,
  slack: urlTarget,
  discord: urlTarget,
  webhook: urlTarget,
  telegram: newTelegramTarget,
  whatsapp: whatsappTarget,
} as const satisfies Record<AlertChannelKind, z.ZodType>;

/** Any of them; which one it has to be, its channel's kind says. */
export const alertTargetSchema = z.union(
  [z.string().min(1).max(2048), telegramTarget, whatsappTarget],
  'A text for e-mail, slack, discord and webhook; {botToken, chatId} for telegram; {numberId, to} for whatsapp.',
);
export type AlertTarget = z.output<typeof alertTargetSchema>;
export type TelegramTarget = z.output<typeof telegramTarget>;
export type WhatsappTarget = z.output<typeof whatsappTarget>;

/** Once a day, a list of what happened. */
const digestSchema = z.strictObject({
  /** By the clocks of the zone. */
  hour: z.int().min(0).max(23),
  timeZone: timeZoneSchema,
  /** Alerts do not go there one by one as well. */
  only: z.boolean().default(false),
});
export type Digest = z.output<typeof digestSchema>;

/** What a person sets on a channel, its kind and target apart. */
export const alertChannelFields = {
  kinds: z.union(
    [z.literal('all'), z.array(alertKindSchema).min(1).max(alertKindNames.length)],
    `Must be an array of kinds, or "all". The kinds: ${alertKindNames.join(', ')}.`,
  ),
  numberIds: numberIdsSchema,
  digest: digestSchema.nullable(),
  enabled: z.boolean(),
};

/** The number that an alert is about; null: it is about none, and concerns every channel. */
export function numberOfAlert(subject: string, detail: Record<string, string | number>): string | null {
  if (subject.startsWith('number:')) return subject.slice('number:'.length);
  return typeof detail.numberId === 'string' ? detail.numberId : null;
}

/** Nobody is told of these alerts for a while. */
export interface AlertMute {
  id: string;
  /** Null: all kinds. */
  kind: AlertKind | null;
  /** Null: all numbers, and what concerns none. */
  numberId: string | null;
  /** Milliseconds since 1970. */
  until: number;
}
