import { type AlertText, moreSentence, plainText, testSentence } from './alert-text.ts';

/** What Slack reads as markup. */
const forSlack = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Slack takes 50 blocks a message, and so many characters in one. */
const slackCharactersMax = 2_900;
const section = (text: string) => ({
  type: 'section',
  text: { type: 'mrkdwn', text: cut(text, slackCharactersMax) },
});

export function slackMessage(text: AlertText, isTest: boolean) {
  const { subject, lines, more, link } = text;
  const blocks = lines.map(({ title, when, todo, link: page, isOver }) => {
    const mark = isOver ? ':white_check_mark:' : ':warning:';
    const head = page === null ? `*${forSlack(title)}*` : `*<${page}|${forSlack(title)}>*`;
    return section(
      [`${mark} ${head}`, forSlack(when), forSlack(todo)].filter((part) => part !== '').join('\n'),
    );
  });
  return {
    text: forSlack(subject),
    blocks: [
      ...(lines.length === 1 && !isTest ? [] : [section(`*${forSlack(subject)}*`)]),
      ...(isTest ? [section(testSentence)] : []),
      ...blocks,
      ...(more > 0 ? [section(moreSentence(more))] : []),
      ...(link === null ? [] : [section(`<${link}|All alerts>`)]),
    ],
  };
}

const discordCharactersMax = 2_000;
/** What Discord reads as markup. */
const forDiscord = (text: string) => text.replaceAll(/[\\*_~`|>#[\]]/g, String.raw`\$&`);

export function discordMessage(text: AlertText, isTest: boolean) {
  const plain = {
    ...text,
    subject: forDiscord(text.subject),
    lines: text.lines.map((line) => ({
      ...line,
      title: `**${forDiscord(line.title)}**`,
      todo: forDiscord(line.todo),
    })),
  };
  // Names are other people's: one that is called @everyone rings for nobody.
  return {
    content: cut(plainText(plain, isTest), discordCharactersMax),
    allowed_mentions: { parse: [] as string[] },
  };
}

const telegramCharactersMax = 4_096;

export const telegramMessage = (chatId: string, text: AlertText, isTest: boolean) => ({
  chat_id: chatId,
  text: cut(plainText(text, isTest), telegramCharactersMax),
  link_preview_options: { is_disabled: true },
});

const whatsappCharactersMax = 4_096;
export const whatsappText = (text: AlertText, isTest: boolean) =>
  cut(plainText(text, isTest), whatsappCharactersMax);

/** Not in the middle of a character. */
function cut(text: string, charactersMax: number): string {
  return text.length <= charactersMax ? text : `${text.slice(0, charactersMax - 1).toWellFormed()}…`;
}
