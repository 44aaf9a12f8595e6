import type { Context } from 'hono';
import type { Campaign } from '../../../durable/campaign/campaign.ts';
import type { AppEnv } from '../../app-env.ts';
import { openDatabase } from '../../db/database.ts';
import { notFound, uuidPathId } from '../../http/request/path-id.ts';
import { type CampaignRow, findCampaign } from './rows.ts';

export const noSuchCampaign = notFound('campaign');
export const campaignPath = uuidPathId('id', 'campaign');

/** The campaign that the path names, when it belongs to the caller's account. */
export const ownCampaign = (c: Context<AppEnv>): Promise<CampaignRow | null> =>
  findCampaign(openDatabase(c.env.DB), c.get('caller').accountId, c.req.param('id') ?? '');

export const objectOf = (c: Context<AppEnv>, { id }: Pick<CampaignRow, 'id'>): DurableObjectStub<Campaign> =>
  c.env.CAMPAIGN.getByName(id);
