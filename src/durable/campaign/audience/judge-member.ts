import type { SkipReason } from '../../../contract/campaigns/campaign.ts';
import { renderTemplate, type TemplateValues, variablesOf } from '../../../contract/campaigns/template.ts';
import type { AudienceMember } from '../../../contract/contacts/audience.ts';
import { type MessageContent, textOf } from '../../../contract/messages/content.ts';
import { textCharactersMax } from '../../../contract/messages/message.ts';
import type { CampaignDefinition } from '../definition.ts';
import type { RecipientState } from '../ports.ts';

/** Longest text of a message, and of what stands under a file. */
const captionCharactersMax = 1024;

type Judged = { skip: SkipReason } | { skip: null; values: TemplateValues };

/** Whether somebody gets the campaign, and what its texts say of them. */
export function judgeMember(
  member: AudienceMember,
  state: RecipientState,
  { texts, coldContacts }: Pick<CampaignDefinition, 'texts' | 'coldContacts'>,
): Judged {
  if (state.optedOutAt !== null) return { skip: 'opted_out' };
  const hasWritten =
    member.wroteTo.length > 0 || member.lastInboundAt !== null || state.lastInboundAt !== null;
  if (!coldContacts && !hasWritten) return { skip: 'never_wrote' };
  const names = new Set(texts.flatMap(({ content }) => variablesOf(textOf(content)).map(({ name }) => name)));
  const known = valuesOf(member);
  const values = Object.fromEntries(
    [...names].flatMap((name) => {
      const value = Object.hasOwn(known, name) ? known[name] : undefined;
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
  for (const { content } of texts) {
    const rendered = renderTemplate(textOf(content), values);
    if (!rendered.ok) return { skip: 'missing_variable' };
    const most = content.type === 'text' ? textCharactersMax : captionCharactersMax;
    if ([...rendered.text].length > most) return { skip: 'too_long' };
    if (content.type === 'text' && rendered.text.trim() === '') return { skip: 'missing_variable' };
  }
  return { skip: null, values };
}

/** What a text may say of somebody. */
function valuesOf({ name, pushName, phoneNumber, attributes }: AudienceMember): TemplateValues {
  const called = name ?? pushName;
  const own = Object.entries(attributes).map(([key, value]) => [`attributes.${key}`, String(value)] as const);
  return {
    ...Object.fromEntries(own.filter(([, value]) => value.trim() !== '')),
    ...(phoneNumber !== null && { phone: phoneNumber }),
    ...(called !== null && called.trim() !== '' && { name: called }),
  };
}

/** The content with its text filled in. */
export function contentFor(content: MessageContent, values: TemplateValues): MessageContent {
  const fill = (template: string) => {
    const rendered = renderTemplate(template, values);
    return rendered.ok ? rendered.text : '';
  };
  if (content.type === 'text') return { ...content, text: fill(content.text) };
  if (!('media' in content) || content.media.caption === undefined) return content;
  return { ...content, media: { ...content.media, caption: fill(content.media.caption) } };
}
