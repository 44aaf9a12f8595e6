import type { Mail } from '../../../mail/mailer.ts';
import { type AlertText, moreSentence, plainText, testSentence } from './alert-text.ts';

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (text: string) => text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');

const font = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,sans-serif";
const why = 'You get this e-mail because this address is an alert channel of the account.';

/** An e-mail that tells of alerts, as text and as simple HTML. */
export function alertLetter(to: string, text: AlertText, isTest: boolean): Mail {
  const { subject, link } = text;
  const footer = link === null ? why : `${why} Manage channels: ${link}/channels`;
  return {
    kind: 'alert',
    to,
    subject,
    text: `${plainText(text, isTest)}\n\n-- \n${footer}\n`,
    html: html(text, isTest),
  };
}

function html({ subject, lines, more, link }: AlertText, isTest: boolean): string {
  const blocks = lines.map(
    ({ title, when, todo, link: page, isOver }) => `
    <tr><td style="padding:12px 0;border-top:1px solid #dfe3e8">
      <div style="font-weight:600;color:${isOver ? '#1d6b3f' : '#9c2b23'}">${escaped(title)}</div>
      <div style="color:#5b6572;font-size:13px">${escaped(when)}</div>
      ${todo === '' ? '' : `<div style="margin-top:6px">${escaped(todo)}</div>`}
      ${page === null ? '' : `<div style="margin-top:6px"><a href="${escaped(page)}" style="color:#1b4f9c">View details</a></div>`}
    </td></tr>`,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escaped(subject)}</title></head>
<body style="margin:0;padding:24px;background:#f5f6f8;color:#1c2430;font-size:15px;line-height:1.5;${font}">
<table role="presentation" style="max-width:560px;width:100%;margin:0 auto;background:#fff;border:1px solid #dfe3e8;border-radius:10px;padding:8px 24px 16px">
    <tr><td style="padding:12px 0;font-size:17px;font-weight:600">${escaped(subject)}</td></tr>
    ${isTest ? `<tr><td style="padding:0 0 12px">${escaped(testSentence)}</td></tr>` : ''}${blocks.join('')}
    ${more > 0 ? `<tr><td style="padding:12px 0">${escaped(moreSentence(more))}</td></tr>` : ''}
    ${link === null ? '' : `<tr><td style="padding:12px 0;border-top:1px solid #dfe3e8"><a href="${escaped(link)}" style="color:#1b4f9c">All alerts</a></td></tr>`}
    <tr><td style="padding:12px 0 0;color:#5b6572;font-size:12px">${escaped(why)}${link === null ? '' : ` <a href="${escaped(`${link}/channels`)}" style="color:#5b6572">Manage channels</a>`}</td></tr>
</table></body></html>
`;
}
