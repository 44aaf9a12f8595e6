import { z } from 'zod';
import { campaignWindowSchema, variantsMax, winnerRuleSchema } from '../../../contract/campaigns/campaign.ts';
import { variableProblem } from '../../../contract/campaigns/template.ts';
import { timeZoneSchema } from '../../../contract/clock-fields.ts';
import { type AudienceSource, audienceContactsMax } from '../../../contract/contacts/audience.ts';
import { labelCharactersMax } from '../../../contract/contacts/contact.ts';
import { invalidField, type Refusal } from '../../../contract/errors.ts';
import { onlyGiven } from '../../../contract/given.ts';
import { uuidSchema } from '../../../contract/ids.ts';
import { isFileContent } from '../../../contract/messages/content.ts';
import type { CampaignDefinition, CampaignText } from '../../../durable/campaign/definition.ts';
import type { ContactImport } from '../../../durable/event-log/contacts/imports/import-rows.ts';
import { nameSchema, timeText } from '../../http/request/shared-fields.ts';
import { askLog } from '../../object-calls.ts';
import { fetchToStore } from '../media/fetch-file.ts';
import { withSentFile } from '../media/sent-file.ts';
import { contentSchema, sentContent, sentFile } from '../messages/sending/send-content.ts';
import { foreignNumberRefusal } from '../numbers/own-number.ts';

/** A message to send, without a recipient: its texts may hold variables. */
const messageSchema = contentSchema({}).superRefine((message, context) => {
  const { path, template } = templateOf(message);
  const problem = variableProblem(template);
  if (problem !== null) context.addIssue({ code: 'custom', path, message: problem });
});
type CampaignMessage = z.infer<typeof messageSchema>;

/** The text of a message that variables are looked for in, and where it stands. */
function templateOf(message: z.infer<typeof messageSchema>): { path: string[]; template: string } {
  if (message.type === undefined || message.type === 'text')
    return { path: ['text'], template: message.text };
  const file = (message as Record<string, unknown>)[message.type];
  const caption = typeof file === 'object' && file !== null && 'caption' in file ? file.caption : undefined;
  return { path: [message.type, 'caption'], template: typeof caption === 'string' ? caption : '' };
}

const sources = ['contactIds', 'label', 'segmentId', 'csv', 'all'] as const;

/** Whom it is for: one of five, and whether also those who have never written. */
const audienceSchema = z
  .strictObject({
    contactIds: z.array(uuidSchema).min(1).max(audienceContactsMax).optional(),
    label: z.string().min(1).max(labelCharactersMax).optional(),
    segmentId: uuidSchema.optional(),
    csv: uuidSchema.optional(),
    all: z.literal(true).optional(),
    coldContacts: z.boolean().default(false),
  })
  .refine((audience) => sources.filter((source) => audience[source] !== undefined).length === 1, {
    message: `Give exactly one of ${sources.join(', ')}.`,
  });

const fields = {
  name: nameSchema,
  message: messageSchema,
  variants: z.array(messageSchema).max(variantsMax - 1),
  winner: winnerRuleSchema.nullable(),
  audience: audienceSchema,
  numberIds: z.union(
    [z.literal('pool'), z.array(uuidSchema).min(1).max(100)],
    'Must be an array of number IDs, or "pool".',
  ),
  startAt: timeText.nullable(),
  window: campaignWindowSchema.nullable(),
  timeZone: timeZoneSchema,
  ratePerHour: z.int().min(1).max(100_000).nullable(),
  stopAfterFailures: z.int().min(1).max(1_000_000),
  whenQuotaEnds: z.enum(['wait', 'end']),
  replyDays: z.int().min(1).max(30),
};

/** The body of `POST /v1/campaigns`. */
export const createCampaignSchema = z.strictObject({
  ...fields,
  variants: fields.variants.default([]),
  winner: fields.winner.default(null),
  numberIds: fields.numberIds.default('pool'),
  startAt: fields.startAt.default(null),
  window: fields.window.default(null),
  timeZone: fields.timeZone.default('UTC'),
  ratePerHour: fields.ratePerHour.default(null),
  stopAfterFailures: fields.stopAfterFailures.default(20),
  whenQuotaEnds: fields.whenQuotaEnds.default('wait'),
  replyDays: fields.replyDays.default(7),
});
export type CreateCampaign = z.output<typeof createCampaignSchema>;

/** The body of `PATCH /v1/campaigns/:id`. */
export const changeCampaignSchema = z.strictObject(fields).partial();
export type CampaignChanges = z.output<typeof changeCampaignSchema>;

type Made = { ok: true; definition: CampaignDefinition } | Refusal;

/** What a campaign is to do, of the body of a request; its files are stored, and its numbers looked at. */
export async function newDefinition(env: Env, accountId: string, body: CreateCampaign): Promise<Made> {
  const { message, variants, ...rest } = body;
  const texts = await textsOf(env, accountId, message, variants);
  if (!texts.ok) return texts;
  const { coldContacts, ...audience } = rest.audience;
  return checked(env, accountId, {
    name: rest.name,
    texts: texts.texts,
    winner: rest.winner,
    audience: sourceOf(audience),
    coldContacts,
    numberIds: rest.numberIds === 'pool' ? null : [...new Set(rest.numberIds)],
    startAt: rest.startAt === null ? null : Date.parse(rest.startAt),
    window: rest.window,
    timeZone: rest.timeZone,
    ratePerHour: rest.ratePerHour,
    stopAfterFailures: rest.stopAfterFailures,
    whenQuotaEnds: rest.whenQuotaEnds,
    replyDays: rest.replyDays,
  });
}

/** The definition with what the body of a PATCH changes of it. */
export async function changedDefinition(
  env: Env,
  accountId: string,
  before: CampaignDefinition,
  changes: CampaignChanges,
): Promise<Made> {
  const { message, variants, audience, numberIds, startAt, ...plain } = changes;
  let { texts } = before;
  if (message !== undefined) {
    const made = await textsOf(env, accountId, message, []);
    if (!made.ok) return made;
    texts = [...made.texts, ...texts.slice(1)];
  }
  if (variants !== undefined) {
    const made = await Promise.all(
      variants.map((one, index) => textOf(env, accountId, one, `variants.${index}`)),
    );
    const refused = made.find((one) => !('content' in one));
    if (refused !== undefined) return refused as Refusal;
    texts = [...texts.slice(0, 1), ...(made as CampaignText[])];
  }
  const { coldContacts, ...source } = audience ?? {};
  return checked(env, accountId, {
    ...before,
    ...onlyGiven(plain),
    texts,
    ...(audience !== undefined && { audience: sourceOf(source), coldContacts: coldContacts === true }),
    ...(numberIds !== undefined && { numberIds: numberIds === 'pool' ? null : [...new Set(numberIds)] }),
    ...(startAt !== undefined && { startAt: startAt === null ? null : Date.parse(startAt) }),
  });
}

async function checked(env: Env, accountId: string, definition: CampaignDefinition): Promise<Made> {
  const { numberIds, winner, texts, audience } = definition;
  if (winner !== null && texts.length < 2) {
    return invalidField('winner', 'Needs variants to choose from.');
  }
  if ('csv' in audience) {
    const found = (await askLog(env, accountId, (log) => log.contactImport(audience.csv))) as Pick<
      ContactImport,
      'status'
    > | null;
    if (found === null) return invalidField('audience.csv', 'The account has no such import of contacts.');
    if (found.status !== 'finished') {
      return invalidField('audience.csv', `This import of contacts is ${found.status}: it must be finished.`);
    }
  }
  if ('segmentId' in audience) {
    const { segmentId } = audience;
    const segment = await askLog(env, accountId, (log) => log.contactSegment(segmentId));
    if (segment === null) return invalidField('audience.segmentId', 'The account has no such segment.');
  }
  const foreign = await foreignNumberRefusal(env, accountId, numberIds);
  return foreign ?? { ok: true, definition };
}

function sourceOf(source: {
  contactIds?: string[] | undefined;
  label?: string | undefined;
  segmentId?: string | undefined;
  csv?: string | undefined;
}): AudienceSource {
  const { contactIds, label, segmentId, csv } = source;
  if (contactIds !== undefined) return { contactIds };
  if (label !== undefined) return { label };
  if (csv !== undefined) return { csv };
  return segmentId === undefined ? { all: true } : { segmentId };
}

async function textsOf(
  env: Env,
  accountId: string,
  message: CampaignMessage,
  variants: readonly CampaignMessage[],
): Promise<{ ok: true; texts: CampaignText[] } | Refusal> {
  const texts: CampaignText[] = [];
  for (const [index, one] of [message, ...variants].entries()) {
    const text = await textOf(env, accountId, one, index === 0 ? 'message' : `variants.${index - 1}`);
    if (!('content' in text)) return text;
    texts.push(text);
  }
  return { ok: true, texts };
}

/** The file of a text is stored once, for all recipients. */
async function textOf(
  env: Env,
  accountId: string,
  message: CampaignMessage,
  path: string,
): Promise<CampaignText | Refusal> {
  const content = sentContent(message);
  const file = sentFile(message);
  if (file === null) return { body: JSON.stringify(message), content };
  const found = await withSentFile(env, accountId, content, file);
  if (!found.ok) return inside(found, path);
  if (!isFileContent(found.content)) throw new Error('a message without a file has one');
  let media = found.content.media;
  if (found.fileUrl !== undefined) {
    const { kind, isVoice } = file;
    const named = media.fileName === undefined ? {} : { fileName: media.fileName };
    const wanted = { url: found.fileUrl, mediaId: media.mediaId, kind, isVoice, ...named };
    const fetched = await fetchToStore(env, accountId, wanted);
    if (!fetched.ok) return invalidField(`${path}.${kind}.url`, fetched.reason);
    const { status: _, ...known } = media;
    media = { ...known, ...fetched.file };
  }
  const { mediaId, caption, fileName } = media;
  const own = (message as unknown as Record<string, Record<string, unknown>>)[file.kind] ?? {};
  const { url: _url, data: _data, mimetype: _mimetype, ...others } = own;
  const shown = { ...others, mediaId, ...(caption !== undefined && { caption }) };
  const named = file.kind === 'document' && fileName !== undefined ? { ...shown, fileName } : shown;
  const body = JSON.stringify({ ...message, [file.kind]: named });
  return { body, content: { ...found.content, media } };
}

/** The refusal with the place of the message before its paths. */
function inside(refusal: Refusal, path: string): Refusal {
  const details = refusal.details?.map((detail) =>
    typeof detail.path === 'string' ? { ...detail, path: `${path}.${detail.path}` } : detail,
  );
  return { ...refusal, ...(details && { details }) };
}
