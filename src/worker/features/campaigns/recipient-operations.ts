import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { recipientStatuses, variantsMax } from '../../../contract/campaigns/campaign.ts';
import { renderTemplate, variablesOf } from '../../../contract/campaigns/template.ts';
import { textOf } from '../../../contract/messages/content.ts';
import { contentFor } from '../../../durable/campaign/audience/judge-member.ts';
import type { RecipientFilter } from '../../../durable/campaign/recipients/recipient-rows.ts';
import { newUuid } from '../../../durable/new-ids.ts';
import type { AppEnv } from '../../app-env.ts';
import { sometimesSteppedUp, stepUpRefusal } from '../../auth/step-up.ts';
import { renderRefusal } from '../../http/answer/refusal-response.ts';
import { jsonBody } from '../../http/request/body/json-body.ts';
import { encodeCursor, query, signedListQuery } from '../../http/request/query.ts';
import { invalidField } from '../../http/request/validation-details.ts';
import { askAccount } from '../../object-calls.ts';
import { readRecipient } from '../messages/sending/known-addresses.ts';
import { campaignPath, noSuchCampaign, objectOf, ownCampaign } from './own-campaign.ts';
import type { campaignTestSchema, recipientListSchema } from './records.ts';
import { csvHead, csvLine, recipientRecord } from './shown-campaign.ts';

/** Whom a campaign is for, one by one; and a message of it to somebody who tries it. */
export const campaignRecipientRoutes = new Hono<AppEnv>();

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
      nextCursor: nextAfter === null ? null : encodeCursor(String(nextAfter)),
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
