import { settingsOf } from '../../../../../settings/worker-settings.ts';
import { webhookUrlProblem, webhookUrlRules } from '../../../../outbound-http/webhook-url.ts';
import { postCallback } from '../../../webhooks/delivery/callback.ts';
import { isTelegram } from '../../channels/channel-target.ts';
import { discordMessage, slackMessage, telegramMessage } from '../../words/chat-messages.ts';
import { type AttemptResult, givenUp, resultOf, type SendToChannel } from '../attempt.ts';

const headers = { 'Content-Type': 'application/json', 'User-Agent': 'Heliograph-Alerts/1.0' };

/** Posts to a URL that a person gave, behind the same rules as webhooks. */
async function post(env: Env, url: string | undefined, body: object, who: string): Promise<AttemptResult> {
  const problem = webhookUrlProblem(url ?? '', webhookUrlRules(settingsOf(env)));
  if (url === undefined || problem !== null) return givenUp(`The URL is not allowed. ${problem}`);
  return resultOf(await postCallback(env, url, headers, JSON.stringify(body)), who);
}

export const sendToSlack: SendToChannel = ({ env, secret, text, isTest }) =>
  post(env, secret.url, slackMessage(text, isTest), 'Slack');

export const sendToDiscord: SendToChannel = ({ env, secret, text, isTest }) =>
  post(env, secret.url, discordMessage(text, isTest), 'Discord');

/** The token stands in the URL, as its API wants it: the URL goes nowhere else. */
export const sendToTelegram: SendToChannel = async ({ env, order, secret, text, isTest }) => {
  const { shownTarget } = order.channel;
  if (!isTelegram(shownTarget)) return givenUp('The channel has no chat.');
  const base = settingsOf(env).TELEGRAM_API_URL.replace(/\/$/, '');
  const body = JSON.stringify(telegramMessage(shownTarget.chatId, text, isTest));
  const url = `${base}/bot${secret.botToken ?? ''}/sendMessage`;
  return resultOf(await postCallback(env, url, headers, body), 'Telegram');
};
