import type { AlertChannelKind } from '../../../../../contract/alerts/alert-channels.ts';
import { sendToDiscord, sendToSlack, sendToTelegram } from './chat-apps.ts';
import { sendByEmail } from './email.ts';
import type { SendToChannel } from './sending.ts';
import { sendToWebhook } from './webhook.ts';
import { sendByWhatsapp } from './whatsapp.ts';

export const channels: Record<AlertChannelKind, SendToChannel> = {
  email: sendByEmail,
  slack: sendToSlack,
  discord: sendToDiscord,
  telegram: sendToTelegram,
  webhook: sendToWebhook,
  whatsapp: sendByWhatsapp,
};
