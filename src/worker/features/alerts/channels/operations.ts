import { type Context, Hono } from 'hono';
import { z } from 'zod';
import {
  type AlertChannelKind,
  type AlertTarget,
  alertChannelFields,
  alertTargetSchema,
  alertTargetSchemas,
} from '../../../../contract/alerts/alert-channels.ts';
import { invalidField, type Refusal, refuse } from '../../../../contract/errors.ts';
import { newUuid } from '../../../../durable/new-ids.ts';
import { settingsOf } from '../../../../settings/worker-settings.ts';
import type { AppEnv } from '../../../app-env.ts';
import { administrator, personOf } from '../../../auth/callers.ts';
import { sometimesSteppedUp, steppedUp, stepUpRefusal } from '../../../auth/step-up.ts';
import { configurationChanged } from '../../../configuration-changed.ts';
import { openDatabase } from '../../../db/database.ts';
import { renderRefusal } from '../../../http/answer/refusal-response.ts';
import { emptyBody, jsonBody } from '../../../http/request/body/json-body.ts';
import { listQuery, page, query } from '../../../http/request/query.ts';
import { nameSchema, nullForAll } from '../../../http/request/shared-fields.ts';
import { askAccount } from '../../../object-calls.ts';
import { webhookUrlProblem, webhookUrlRules } from '../../../outbound-http/webhook-url.ts';
import { auditOf } from '../../audit-log/audit-context.ts';
import { readRecipient } from '../../messages/sending/known-addresses.ts';
import { foreignNumberRefusal } from '../../numbers/own-number.ts';
import { foreignNumbers } from '../../numbers/rows.ts';
import { newWebhookSecret, rotationMs } from '../../webhooks/delivery/signature.ts';
import type { alertChannelListSchema, alertChannelSchema, createdAlertChannelSchema } from '../records.ts';
import {
  type AlertChannelRow,
  alertChannelsMax,
  deleteAlertChannel,
  hasRoomForAlertChannel,
  insertAlertChannel,
  listAlertChannels,
  rotateChannelSecret,
  updateAlertChannel,
} from '../rows/alert-channels.ts';
import {
  isTelegram,
  isWhatsapp,
  openTarget,
  type SecretTarget,
  sealTarget,
  splitTarget,
} from './channel-target.ts';
import { askAddress, confirmationRoutes, mayAsk } from './confirmation-operations.ts';
import { channelDeliveryRoutes } from './delivery-operations.ts';
import {
  channelPath,
  isAgreed,
  membersAmong,
  noSuchChannel,
  ownChannel,
  showChannel,
  showChannels,
} from './own-channel.ts';

export const alertChannelRoutes = new Hono<AppEnv>();
// Whoever is asked whether they want alerts may have no user here.
alertChannelRoutes.route('/', confirmationRoutes);
alertChannelRoutes.use(administrator);
alertChannelRoutes.route('/', channelDeliveryRoutes);

const { kinds, numberIds, digest, enabled } = alertChannelFields;
const fields = { name: nameSchema.nullable(), kinds, numberIds, digest, enabled };
const newFields = {
  name: fields.name.default(null),
  kinds: kinds.default('all'),
  numberIds: numberIds.default('all'),
  digest: digest.default(null),
  enabled: enabled.default(true),
};
const ofKind = <Kind extends AlertChannelKind>(kind: Kind) =>
  z.strictObject({ kind: z.literal(kind), target: alertTargetSchemas[kind], ...newFields });

/** Body of `POST /v1/alert-channels`. */
const createSchema = z.discriminatedUnion('kind', [
  ofKind('email'),
  ofKind('slack'),
  ofKind('discord'),
  ofKind('telegram'),
  ofKind('webhook'),
  ofKind('whatsapp'),
]);
const changesSchema = z.strictObject({ target: alertTargetSchema, ...fields }).partial();

const full = refuse('CONFLICT', `An account can have at most ${alertChannelsMax} alert channels.`);

const sealed = (env: Env, id: string, secret: SecretTarget | null) =>
  secret === null ? null : sealTarget(env, id, secret);

alertChannelRoutes.post('/', steppedUp, jsonBody(createSchema), async (c) => {
  const input = c.req.valid('json');
  const problem = await foreignNumberRefusal(c.env, c.get('caller').accountId, input.numberIds);
  if (problem !== null) return renderRefusal(c, problem);
  const target = await readTarget(c, input.kind, input.target);
  if (!target.ok) return renderRefusal(c, target);
  const db = openDatabase(c.env.DB);
  const { accountId } = personOf(c);
  if (!(await hasRoomForAlertChannel(db, accountId))) return renderRefusal(c, full);
  const id = newUuid();
  const signingSecret = input.kind === 'webhook' ? newWebhookSecret() : undefined;
  const secret = signingSecret === undefined ? target.secret : { ...target.secret, signingSecret };
  const row: AlertChannelRow = {
    id,
    accountId,
    kind: input.kind,
    name: input.name,
    shownTarget: target.shown,
    sealedTarget: await sealed(c.env, id, secret),
    kinds: nullForAll(input.kinds),
    numberIds: nullForAll(input.numberIds),
    digest: input.digest,
    enabled: input.enabled,
    confirmedAt: null,
    confirmationHash: null,
    confirmationExpiresAt: null,
    createdAt: Date.now(),
  };
  const isStranger = !isAgreed(row, await membersAmong(c, [row]));
  const asked = isStranger ? await mayAsk(c, String(row.shownTarget)) : null;
  if (asked !== null && !asked.ok) return renderRefusal(c, asked);
  if (!(await insertAlertChannel(row, auditOf(c)))) return renderRefusal(c, full);
  await configurationChanged(c.env, accountId);
  if (isStranger) await askAddress(c, row);
  const shown = await showChannel(c, row);
  return c.json<z.infer<typeof createdAlertChannelSchema>>(
    { ...shown, ...(signingSecret !== undefined && { secret: signingSecret }) },
    201,
  );
});

alertChannelRoutes.get('/', query(z.strictObject(listQuery)), async (c) => {
  const { limit, cursor } = c.req.valid('query');
  const rows = await listAlertChannels(openDatabase(c.env.DB), personOf(c).accountId, limit, cursor);
  const shown = page(c, rows, limit, (row) => row.id);
  return c.json<z.infer<typeof alertChannelListSchema>>({
    ...shown,
    data: await showChannels(c, shown.data),
  });
});

alertChannelRoutes.get('/:id', channelPath, async (c) => {
  const row = await ownChannel(c);
  if (row === null) return renderRefusal(c, noSuchChannel);
  return c.json<z.infer<typeof alertChannelSchema>>(await showChannel(c, row));
});

alertChannelRoutes.patch('/:id', channelPath, sometimesSteppedUp, jsonBody(changesSchema), async (c) => {
  const row = await ownChannel(c);
  if (row === null) return renderRefusal(c, noSuchChannel);
  const { target, kinds, numberIds, ...plain } = c.req.valid('json');
  const problem = await foreignNumberRefusal(c.env, c.get('caller').accountId, numberIds);
  if (problem !== null) return renderRefusal(c, problem);
  const read = target === undefined ? null : await readChangedTarget(c, row, target);
  if (read !== null && !read.ok) return renderRefusal(c, read);
  const stepUp = target === undefined ? null : stepUpRefusal(c);
  if (stepUp !== null) return renderRefusal(c, stepUp);
  const changes: Partial<AlertChannelRow> = {
    ...plain,
    ...(kinds !== undefined && { kinds: nullForAll(kinds) }),
    ...(numberIds !== undefined && { numberIds: nullForAll(numberIds) }),
    ...(read !== null && { shownTarget: read.shown, sealedTarget: await sealed(c.env, row.id, read.secret) }),
  };
  // Whoever has agreed has agreed for their own address.
  const isMoved = read !== null && row.kind === 'email' && read.shown !== row.shownTarget;
  const moved = { ...row, shownTarget: read?.shown ?? row.shownTarget, confirmedAt: null };
  const isStranger = isMoved && !isAgreed(moved, await membersAmong(c, [moved]));
  const asked = isStranger ? await mayAsk(c, String(moved.shownTarget)) : null;
  if (asked !== null && !asked.ok) return renderRefusal(c, asked);
  const agreement = { confirmedAt: null, confirmationHash: null, confirmationExpiresAt: null };
  const all = { ...changes, ...(isMoved && agreement) };
  const updated = await updateAlertChannel(row, all, auditOf(c));
  if (updated === null) return renderRefusal(c, noSuchChannel);
  await configurationChanged(c.env, updated.accountId);
  if (isStranger) await askAddress(c, updated);
  return c.json<z.infer<typeof alertChannelSchema>>(await showChannel(c, updated));
});

const unsigned = refuse('CONFLICT', 'Only webhook channels have a signing secret.');
const rotatedMeanwhile = refuse('CONFLICT', 'Someone else changed the channel at the same moment.');

alertChannelRoutes.post('/:id/rotate-secret', channelPath, steppedUp, emptyBody, async (c) => {
  const row = await ownChannel(c);
  if (row === null) return renderRefusal(c, noSuchChannel);
  if (row.kind !== 'webhook') return renderRefusal(c, unsigned);
  const known = await openTarget(c.env, row.id, row.sealedTarget);
  const secret = newWebhookSecret();
  const target: SecretTarget = {
    ...known,
    signingSecret: secret,
    previousSecret: known.signingSecret,
    previousUntil: Date.now() + rotationMs,
  };
  const sealedTarget = await sealTarget(c.env, row.id, target);
  const rotated = await rotateChannelSecret(row, sealedTarget, auditOf(c));
  if (rotated === null) return renderRefusal(c, rotatedMeanwhile);
  await configurationChanged(c.env, row.accountId);
  return c.json<z.infer<typeof createdAlertChannelSchema>>({ ...(await showChannel(c, rotated)), secret });
});

alertChannelRoutes.delete('/:id', channelPath, async (c) => {
  const row = await ownChannel(c);
  if (row === null) return renderRefusal(c, noSuchChannel);
  await deleteAlertChannel(row, auditOf(c));
  await configurationChanged(c.env, row.accountId);
  return c.body(null, 204);
});

/** A target that was looked at: what is shown of it, and what is sealed. */
interface ReadTarget {
  ok: true;
  shown: AlertTarget;
  secret: SecretTarget | null;
}

/** What only the account, the rules for URLs and the kind of the channel can say about a target. */
async function readTarget(
  c: Context<AppEnv>,
  kind: AlertChannelKind,
  target: AlertTarget,
): Promise<ReadTarget | Refusal> {
  if (typeof target === 'string') {
    if (kind === 'email') return { ok: true, ...splitTarget(kind, target) };
    const problem = webhookUrlProblem(target, webhookUrlRules(settingsOf(c.env), new URL(c.req.url).host));
    return problem === null ? { ok: true, ...splitTarget(kind, target) } : invalidField('target', problem);
  }
  if (!isWhatsapp(target)) return { ok: true, ...splitTarget(kind, target) };
  const { accountId } = c.get('caller');
  const recipient = await readRecipient(c.env, accountId, target.to);
  if (!recipient.ok) return invalidField('target.to', recipient.message);
  const { to, chatType } = recipient;
  const own =
    chatType === 'personal' &&
    (await askAccount(c.env, accountId, (account) => account.ownNumberRefusal(to)));
  if (own) return invalidField('target.to', own.message);
  const { numberId } = target;
  const db = openDatabase(c.env.DB);
  const foreign = numberId === null ? [] : await foreignNumbers(db, accountId, [numberId]);
  if (foreign.length > 0) return invalidField('target.numberId', 'The account has no such number.');
  return { ok: true, shown: { numberId, to }, secret: null };
}

/** The same for a channel that is there: its kind stays, and so does what is not said again. */
async function readChangedTarget(
  c: Context<AppEnv>,
  row: AlertChannelRow,
  target: AlertTarget,
): Promise<ReadTarget | Refusal> {
  const known = await openTarget(c.env, row.id, row.sealedTarget);
  const isBot = row.kind === 'telegram' && typeof target !== 'string' && isTelegram(target);
  const whole = isBot ? { botToken: known.botToken, ...target } : target;
  const parsed = alertTargetSchemas[row.kind].safeParse(whole);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const path = ['target', ...(issue?.path ?? [])].join('.');
    return invalidField(path, issue?.message ?? `Not a target of ${row.kind}.`);
  }
  const read = await readTarget(c, row.kind, parsed.data);
  if (!read.ok || known.signingSecret === undefined) return read;
  const { signingSecret, previousSecret, previousUntil } = known;
  return { ...read, secret: { ...read.secret, signingSecret, previousSecret, previousUntil } };
}
