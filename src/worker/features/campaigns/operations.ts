import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { campaignNameCharactersMax } from '../../../contract/campaigns/campaign.ts';
import type { Refusal } from '../../../contract/errors.ts';
import type { Campaign } from '../../../durable/campaign/campaign.ts';
import type { CampaignDefinition } from '../../../durable/campaign/definition.ts';
import type { CampaignView } from '../../../durable/campaign/view.ts';
import { newUuid } from '../../../durable/new-ids.ts';
import type { AppEnv } from '../../app-env.ts';
import { administrator } from '../../auth/callers.ts';
import { openDatabase } from '../../db/database.ts';
import { renderRefusal } from '../../http/answer/refusal-response.ts';
import { emptyBody, jsonBody } from '../../http/request/body/json-body.ts';
import { listQuery, page, query } from '../../http/request/query.ts';
import { auditOf } from '../audit-log/audit-context.ts';
import { changedDefinition, newDefinition } from './campaign-definition.ts';
import { changeCampaignSchema, createCampaignSchema } from './campaign-request.ts';
import { campaignPath, noSuchCampaign, objectOf, ownCampaign } from './own-campaign.ts';
import { campaignRecipientRoutes } from './recipient-operations.ts';
import type { campaignListSchema, campaignPreviewSchema, campaignSchema } from './records.ts';
import { auditCampaign, type CampaignRow, deleteCampaign, insertCampaign, listCampaigns } from './rows.ts';
import { campaignRecord, previewRecord } from './shown-campaign.ts';

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
  await insertCampaign(openDatabase(c.env.DB), row, auditOf(c));
  return c.json<z.infer<typeof campaignSchema>>(campaignRecord(view), 201);
}

campaignRoutes.post('/', jsonBody(createCampaignSchema), async (c) => {
  const made = await newDefinition(c.env, c.get('caller').accountId, c.req.valid('json'));
  return made.ok ? create(c, made.definition) : renderRefusal(c, made);
});

campaignRoutes.get('/', query(z.strictObject(listQuery)), async (c) => {
  const { limit, cursor } = c.req.valid('query');
  const rows = await listCampaigns(openDatabase(c.env.DB), c.get('caller').accountId, limit, cursor);
  const listed = page(
    rows,
    limit,
    ({ id }) => id,
    (row) => row,
  );
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
  return view === null
    ? renderRefusal(c, noSuchCampaign)
    : c.json<z.infer<typeof campaignSchema>>(campaignRecord(view));
});

campaignRoutes.patch('/:id', campaignPath, jsonBody(changeCampaignSchema), async (c) => {
  const row = await ownCampaign(c);
  const before = row && (await objectOf(c, row).definition());
  if (row === null || before === null) return renderRefusal(c, noSuchCampaign);
  const made = await changedDefinition(c.env, row.accountId, before, c.req.valid('json'));
  if (!made.ok) return renderRefusal(c, made);
  return answer(c, row, 'campaign.updated', await objectOf(c, row).edit(made.definition));
});

campaignRoutes.delete('/:id', campaignPath, async (c) => {
  const row = await ownCampaign(c);
  if (row === null) return renderRefusal(c, noSuchCampaign);
  const removed = await objectOf(c, row).remove();
  if (!removed.ok) return renderRefusal(c, removed);
  await deleteCampaign(openDatabase(c.env.DB), row, auditOf(c));
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

for (const [verb, { call, action }] of Object.entries(verbs)) {
  campaignRoutes.post(`/:id/${verb}`, campaignPath, emptyBody, async (c) => {
    const row = await ownCampaign(c);
    if (row === null) return renderRefusal(c, noSuchCampaign);
    return answer(c, row, action, await call(objectOf(c, row)));
  });
}

campaignRoutes.post('/:id/preview', campaignPath, emptyBody, async (c) => {
  const row = await ownCampaign(c);
  const preview = row && (await objectOf(c, row).preview());
  return preview === null
    ? renderRefusal(c, noSuchCampaign)
    : c.json<z.infer<typeof campaignPreviewSchema>>(previewRecord(preview));
});

campaignRoutes.post('/:id/duplicate', campaignPath, emptyBody, async (c) => {
  const row = await ownCampaign(c);
  const definition = row && (await objectOf(c, row).definition());
  if (definition === null) return renderRefusal(c, noSuchCampaign);
  const name = `${definition.name.slice(0, campaignNameCharactersMax - 4)} (2)`;
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
  await auditCampaign(openDatabase(c.env.DB), row, action, auditOf(c));
  return c.json<z.infer<typeof campaignSchema>>(campaignRecord(result));
}
