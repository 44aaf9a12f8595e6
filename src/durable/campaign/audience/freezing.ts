import type { SkipReason } from '../../../contract/campaigns/campaign.ts';
import { renderTemplate, type TemplateValues, variablesOf } from '../../../contract/campaigns/template.ts';
import { type AudienceMember, addressOfMember } from '../../../contract/contacts/audience.ts';
import { ownValue } from '../../../contract/given.ts';
import { type MessageContent, textOf } from '../../../contract/messages/content.ts';
import { textCharactersMax } from '../../../contract/messages/message.ts';
import { aliasAddress } from '../../../contract/messages/recipient.ts';
import type { CampaignDefinition } from '../definition.ts';
import type { OutcomesParts } from '../outcomes/outcomes.ts';
import type { CampaignPorts, RecipientState } from '../ports.ts';
import { count, recipientIdOf, variantOf } from '../recipient.ts';
import type { RecipientRows } from '../recipient-rows.ts';
import type { CampaignStore } from '../store.ts';
import { type RecipientZones, zonesOf } from './open-hours.ts';

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
      const value = ownValue(known, name);
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

/** Members in one page: a transaction. */
const audienceStep = 500;

export interface FreezingParts {
  store: CampaignStore;
  rows: RecipientRows;
  zones: RecipientZones;
  ports: Pick<CampaignPorts, 'audience' | 'recipients'>;
  stop: OutcomesParts['stop'];
}

/** Writes down whom the campaign is for, a page at a time: what changes afterwards changes nothing about it. */
export async function freezePage({ store, rows, zones, ports, stop }: FreezingParts): Promise<void> {
  const { definition, progress } = store.known;
  const found = await ports.audience(definition.audience, progress.frozenUpTo, audienceStep);
  if (!found.ok) {
    // Nobody can say any more who the others were: to go on with those who are written down would leave them out unseen.
    store.change((now) => stop(now, 'audience_gone'));
    return;
  }
  const addresses = found.members.map(addressOfMember);
  const states = addresses.length === 0 ? [] : await ports.recipients(addresses);
  store.change((now) => {
    // Somebody else may have come first, or nobody wants it any more.
    if (now.frozenUpTo !== progress.frozenUpTo || now.isFrozen || now.status !== 'running') return;
    for (const [index, member] of found.members.entries()) {
      const state = states[index] ?? { optedOutAt: null, lastInboundAt: null };
      insert(member, state, now.tally);
    }
    now.frozenUpTo = found.nextAfter;
    now.isFrozen = found.nextAfter === null;
  });

  function insert(member: AudienceMember, state: RecipientState, tally: Parameters<typeof count>[0]): void {
    const { lid, contactId } = member;
    const address = addressOfMember(member);
    const id = recipientIdOf(address);
    // Written down under their alias, before it was known whose that is.
    const other = lid === null ? null : recipientIdOf(aliasAddress(lid));
    if (id === null || (other !== null && other !== id && rows.find(other) !== null)) return;
    const judged = judgeMember(member, state, definition);
    const variant = variantOf(progress.campaignId, address, definition.texts.length, definition.winner);
    const to = judged.skip !== null ? 'skipped' : variant === null ? 'held' : 'pending';
    const isNew = rows.insert({
      id,
      contactId,
      state: to,
      variant,
      zone: zones.idOf(zonesOf(member, definition, Date.now())),
      values: judged.skip === null ? judged.values : {},
      reason: judged.skip,
    });
    if (isNew) count(tally, null, to, variant);
  }
}
