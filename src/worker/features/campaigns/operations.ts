import { type Context, Hono } from 'hono';
import { z } from 'zod';
import {
  campaignNameCharactersMax,
  recipientStatuses,
  variantsMax,
} from '../../../contract/campaigns/campaign.ts';
import { renderTemplate, variablesOf } from '../../../contract/campaigns/template.ts';
import { invalidField, type Refusal } from '../../../contract/errors.ts';
import { textOf } from '../../../contract/messages/content.ts';
import { cutText } from '../../../contract/texts/text.ts';
import { contentFor } from '../../../durable/campaign/audience/freezing.ts';
import type { Campaign } from '../../../durable/campaign/campaign.ts';
import type { CampaignDefinition } from '../../../durable/campaign/definition.ts';
import type { CampaignView } from '../../../durable/campaign/progress.ts';
import type { RecipientFilter } from '../../../durable/campaign/recipient-rows.ts';
import { newUuid } from '../../../durable/new-ids.ts';
import type { AppEnv } from '../../app-env.ts';
import { administrator } from '../../auth/callers.ts';
import { sometimesSteppedUp, stepUpRefusal } from '../../auth/step-up.ts';
import { openDatabase } from '../../db/database.ts';
import { renderRefusal } from '../../http/answer/refusal-response.ts';
import { emptyBody, jsonBody } from '../../http/request/body/json-body.ts';
import { cursorBehind, listQuery, page, query, signedListQuery } from '../../http/request/query.ts';
import { notFound, uuidPathId } from '../../http/request/shared-fields.ts';
import { askAccount } from '../../object-calls.ts';
import { auditOf } from '../audit-log/audit-context.ts';
import { writeAuditEntry } from '../audit-log/rows.ts';
import { readRecipient } from '../messages/sending/known-addresses.ts';
import {
  changeCampaignSchema,
  changedDefinition,
  createCampaignSchema,
  newDefinition,
} from './campaign-definition.ts';
import { keepCampaignFiles } from './campaign-files.ts';
import type {
  campaignListSchema,
  campaignPreviewSchema,
  campaignSchema,
  campaignTestSchema,
  recipientListSchema,
} from './records.ts';
import { type CampaignRow, deleteCampaign, findCampaign, insertCampaign, listCampaigns } from './rows.ts';
import { campaignRecord, csvHead, csvLine, previewRecord, recipientRecord } from './shown-campaign.ts';

const noSuchCampaign = notFound('campaign');
const campaignPath = uuidPathId('id', 'campaign');

/** The campaign that the path names, when it belongs to the caller's account. */
const ownCampaign = (c: Context<AppEnv>): Promise<CampaignRow | null> =>
  findCampaign(openDatabase(c.env.DB), c.get('caller').accountId, c.req.param('id') ?? '');

const objectOf = (c: Context<AppEnv>, { id }: Pick<CampaignRow, 'id'>): DurableObjectStub<Campaign> =>
  c.env.CAMPAIGN.getByName(id);

/** Whom a campaign is for, one by one; and a message of it to somebody who tries it. */
const campaignRecipientRoutes = new Hono<AppEnv>();

const recipientsQuery = z.strictObject({
  ...signedListQuery,
  status: z.enum([...recipientStatuses, 'replied', 'opted_out']).optional(),
});

/** Recipients that one step of a file asks for. */
const fileStep = 1_000;

campaignRecipientRoutes.get(
  '/:id/recipients',
  campaignPath,
  sometimesSteppedUp,
  query(recipientsQuery),
  async (c) => {
    const { limit, cursor = null, status = null } = c.req.valid('query');
    const row = await ownCampaign(c);
    if (row === null) return renderRefusal(c, noSuchCampaign);
    const campaign = objectOf(c, row);
    const wantsFile = (c.req.header('Accept') ?? '').includes('text/csv');
    const stepUp = wantsFile ? stepUpRefusal(c) : null;
    if (stepUp !== null) return renderRefusal(c, stepUp);
    if (wantsFile) return recipientsFile(c, row.id, { status });
    const { recipients, nextAfter } = await campaign.recipients({ status }, limit, cursor);
    return c.json<z.infer<typeof recipientListSchema>>({
      data: recipients.map(recipientRecord),
      nextCursor: nextAfter === null ? null : cursorBehind(c, String(nextAfter)),
    });
  },
);

/** All of them, written as they are read: however many they are. */
function recipientsFile(c: Context<AppEnv>, campaignId: string, filter: RecipientFilter): Response {
  const { env } = c;
  const encoder = new TextEncoder();
  let after: number | null = null;
  const lines = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(encoder.encode(csvHead)),
    pull: async (controller) => {
      const page = await env.CAMPAIGN.getByName(campaignId).recipients(filter, fileStep, after);
      controller.enqueue(encoder.encode(page.recipients.map(csvLine).join('')));
      after = page.nextAfter;
      if (after === null) controller.close();
    },
  });
  return c.body(lines, 200, {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="campaign-${campaignId}.csv"`,
  });
}

const testSchema = z.strictObject({
  to: z.string(),
  variant: z
    .int()
    .min(0)
    .max(variantsMax - 1)
    .default(0),
});

/** What is not known stands there as the name of the variable. */
campaignRecipientRoutes.post('/:id/test', campaignPath, jsonBody(testSchema), async (c) => {
  const row = await ownCampaign(c);
  const definition = row && (await objectOf(c, row).definition());
  if (row === null || definition === null) return renderRefusal(c, noSuchCampaign);
  const { to: input, variant } = c.req.valid('json');
  const recipient = await readRecipient(c.env, row.accountId, input);
  if (!recipient.ok) return renderRefusal(c, recipient);
  const { to, chatType } = recipient;
  if (chatType !== 'personal') return renderRefusal(c, invalidField('to', 'Not a phone number.'));
  const text = definition.texts[variant];
  if (text === undefined) return renderRefusal(c, invalidField('variant', 'There is no such text.'));
  const template = textOf(text.content);
  const named = Object.fromEntries(
    variablesOf(template)
      .filter(({ fallback }) => fallback === null)
      .map(({ name }) => [name, `[${name}]`]),
  );
  const values = { ...named, phone: to };
  const content = contentFor(text.content, values);
  const send = {
    campaignId: row.id,
    numberIds: definition.numberIds,
    to,
    content,
    idempotencyKey: `campaign-test:${row.id}:${newUuid()}`,
  };
  const [sent] = await askAccount(c.env, row.accountId, (account) => account.sendForCampaign([send]));
  if (sent === undefined) throw new Error('the account has not answered for the test');
  if (!sent.ok) return renderRefusal(c, sent);
  const rendered = renderTemplate(template, values);
  const { messageId, numberId } = sent;
  return c.json<z.infer<typeof campaignTestSchema>>(
    { messageId, numberId, to, text: rendered.ok ? rendered.text : template },
    202,
  );
});

/** Campaigns: what they are to do and how far they are is in their objects, the list of them in D1. */
export const campaignRoutes = new Hono<AppEnv>();
campaignRoutes.use(administrator);
campaignRoutes.route('/', campaignRecipientRoutes);

/** Campaigns of a list that are asked themselves how far they are; of the others it stands what they told last. */
const askedMax = 10;

async function create(c: Context<AppEnv>, definition: CampaignDefinition): Promise<Response> {
  const { accountId } = c.get('caller');
  const id = newUuid();
  const view = await c.env.CAMPAIGN.getByName(id).create(accountId, id, definition);
  const { name } = definition;
  const { status, counts, createdAt } = view;
  const row: CampaignRow = { id, accountId, name, status, counts, createdAt };
  await insertCampaign(row, auditOf(c));
  return c.json<z.infer<typeof campaignSchema>>(campaignRecord(view), 201);
}

campaignRoutes.post('/', jsonBody(createCampaignSchema), async (c) => {
  const made = await newDefinition(c.env, c.get('caller').accountId, c.req.valid('json'));
  return made.ok ? create(c, made.definition) : renderRefusal(c, made);
});

campaignRoutes.get('/', query(z.strictObject(listQuery)), async (c) => {
  const { limit, cursor } = c.req.valid('query');
  const rows = await listCampaigns(openDatabase(c.env.DB), c.get('caller').accountId, limit, cursor);
  const listed = page(c, rows, limit, ({ id }) => id);
  const lasting = listed.data.filter(({ status }) => status === 'running' || status === 'paused');
  const asked = lasting.slice(0, askedMax);
  const views = await Promise.all(asked.map((row) => objectOf(c, row).view()));
  const viewOf = new Map(asked.map(({ id }, index) => [id, views[index] ?? null]));
  const data = listed.data.map((row) => summary(row, viewOf.get(row.id) ?? null));
  return c.json<z.infer<typeof campaignListSchema>>({ ...listed, data });
});

const summary = ({ id, name, status, counts, createdAt }: CampaignRow, view: CampaignView | null) => ({
  campaignId: id,
  name,
  status: view?.status ?? status,
  reason: view?.reason ?? null,
  counts: view?.counts ?? counts,
  createdAt: new Date(createdAt).toISOString(),
});

campaignRoutes.get('/:id', campaignPath, async (c) => {
  const row = await ownCampaign(c);
  const view = row && (await objectOf(c, row).view());
  if (view === null) return renderRefusal(c, noSuchCampaign);
  return c.json<z.infer<typeof campaignSchema>>(campaignRecord(view));
});

campaignRoutes.patch('/:id', campaignPath, jsonBody(changeCampaignSchema), async (c) => {
  const row = await ownCampaign(c);
  if (row === null) return renderRefusal(c, noSuchCampaign);
  for (;;) {
    const before = await objectOf(c, row).definition();
    if (before === null) return renderRefusal(c, noSuchCampaign);
    const made = await changedDefinition(c.env, row.accountId, before, c.req.valid('json'));
    if (!made.ok) return renderRefusal(c, made);
    const edited = await objectOf(c, row).edit(made.definition, before);
    // Somebody else was quicker: both changes are kept.
    if (edited !== null) return answer(c, row, 'campaign.updated', edited);
  }
});

campaignRoutes.delete('/:id', campaignPath, async (c) => {
  const row = await ownCampaign(c);
  if (row === null) return renderRefusal(c, noSuchCampaign);
  const removed = await objectOf(c, row).remove();
  if (!removed.ok) return renderRefusal(c, removed);
  await deleteCampaign(row, auditOf(c));
  return c.body(null, 204);
});

/** What can be done to a campaign, by the last part of its path. */
const verbs = {
  start: { call: (campaign: DurableObjectStub<Campaign>) => campaign.start(), action: 'campaign.started' },
  pause: { call: (campaign: DurableObjectStub<Campaign>) => campaign.pause(), action: 'campaign.paused' },
  resume: { call: (campaign: DurableObjectStub<Campaign>) => campaign.resume(), action: 'campaign.resumed' },
  cancel: {
    call: (campaign: DurableObjectStub<Campaign>) => campaign.cancel(),
    action: 'campaign.cancelled',
  },
  'retry-failed': {
    call: (campaign: DurableObjectStub<Campaign>) => campaign.retryFailed(),
    action: 'campaign.retried',
  },
} as const;

/** What lets it send: its files have to be there. */
const sends: readonly string[] = ['start', 'resume', 'retry-failed'];

for (const [verb, { call, action }] of Object.entries(verbs)) {
  campaignRoutes.post(`/:id/${verb}`, campaignPath, emptyBody, async (c) => {
    const row = await ownCampaign(c);
    if (row === null) return renderRefusal(c, noSuchCampaign);
    const definition = sends.includes(verb) ? await objectOf(c, row).definition() : null;
    const gone = definition && (await keepCampaignFiles(c.env, row.accountId, definition));
    if (gone !== null) return renderRefusal(c, gone);
    return answer(c, row, action, await call(objectOf(c, row)));
  });
}

campaignRoutes.post('/:id/preview', campaignPath, emptyBody, async (c) => {
  const row = await ownCampaign(c);
  const preview = row && (await objectOf(c, row).preview());
  if (preview === null) return renderRefusal(c, noSuchCampaign);
  return c.json<z.infer<typeof campaignPreviewSchema>>(previewRecord(preview));
});

/** Behind the name of a copy. */
const copyMark = ' (2)';

campaignRoutes.post('/:id/duplicate', campaignPath, emptyBody, async (c) => {
  const row = await ownCampaign(c);
  const definition = row && (await objectOf(c, row).definition());
  if (definition === null) return renderRefusal(c, noSuchCampaign);
  const name = `${cutText(definition.name, campaignNameCharactersMax - copyMark.length)}${copyMark}`;
  const isOver = definition.startAt !== null && definition.startAt <= Date.now();
  return create(c, { ...definition, name, startAt: isOver ? null : definition.startAt });
});

async function answer(
  c: Context<AppEnv>,
  row: CampaignRow,
  action: `campaign.${string}`,
  result: CampaignView | Refusal,
): Promise<Response> {
  if (!result.ok) return renderRefusal(c, result);
  await writeAuditEntry(auditOf(c), action, `campaign:${row.id}`, row.name);
  return c.json<z.infer<typeof campaignSchema>>(campaignRecord(result));
}
