import { type Context, Hono } from 'hono';
import { renderSVG } from 'uqr';
import { z } from 'zod';
import {
  defaultStoredSession,
  isShownProxyUrl,
  proxyUrlSchema,
  type StoredSessionSettings,
  sessionSettingsSchema,
  shownProxyUrl,
} from '../../../contract/bridge/session-settings.ts';
import type { Refusal } from '../../../contract/errors.ts';
import { uuidSchema } from '../../../contract/ids.ts';
import {
  defaultPacing,
  type Filters,
  filtersSchema,
  openFilters,
  type Pacing,
  pacingSchema,
} from '../../../contract/sender-settings.ts';
import type { SenderLoad } from '../../../durable/account/senders/sender.ts';
import type { SenderHealth, SenderReport } from '../../../durable/hand-over/number-news.ts';
import { newUuid } from '../../../durable/new-ids.ts';
import type { PhoneNumber } from '../../../durable/phone-number/phone-number.ts';
import { sealSecret } from '../../../durable/sealed-secret.ts';
import type { AppEnv } from '../../app-env.ts';
import { administrator, keyOrAdministrator, onlyNumberOf } from '../../auth/callers.ts';
import { steppedUp } from '../../auth/step-up.ts';
import { pairingRoom, roomFor } from '../../caps.ts';
import { configurationChanged, tellNumber } from '../../configuration-changed.ts';
import { openDatabase } from '../../db/database.ts';
import {
  changeNumber,
  deleteNumber,
  findNumber,
  insertNumber,
  listNumbers,
  type NumberRow,
} from '../../db/numbers.ts';
import { teamDefinitions } from '../../db/support/definitions.ts';
import { showTag, staleRefusal } from '../../http/answer/entity-tag.ts';
import { renderRefusal } from '../../http/answer/refusal-response.ts';
import { nearestLocation } from '../../http/nearest-location.ts';
import { emptyBody, jsonBody } from '../../http/request/body/json-body.ts';
import { fieldsOf, merged } from '../../http/request/body/partial-object.ts';
import { notFound } from '../../http/request/path-id.ts';
import { listQuery, page, query } from '../../http/request/query.ts';
import { nameSchema } from '../../http/request/shared-fields.ts';
import { invalidField } from '../../http/request/validation-details.ts';
import { askAccount, askLog, askNumber } from '../../object-calls.ts';
import { phoneNumberField } from '../../sending/recipient.ts';
import { auditOf } from '../audit-context.ts';
import { noSuchNumber, numberPath, ownNumber } from './own-number.ts';

export const numberRoutes = new Hono<AppEnv>();

const reader = keyOrAdministrator('numbers:read');

const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString());
const deviceOf = (env: Env, numberId: string) => askNumber(env, numberId, (number) => number.device());
type Device = Pick<SenderReport, 'state' | 'phoneNumber' | 'reason' | 'connectedAt' | 'lastSeenAt'>;
type Health = Pick<SenderHealth, 'status' | 'reason' | 'until'>;

const show = (
  row: Pick<NumberRow, 'id' | 'label' | 'inPool' | 'pacing' | 'filters' | 'session' | 'teamIds'>,
  device: Device,
  health: Health,
  load: SenderLoad | undefined,
) => ({
  numberId: row.id,
  label: row.label,
  phoneNumber: device.phoneNumber,
  state: device.state,
  health: health.status,
  /** Until when the health keeps it from sending, as far as that is known. */
  healthUntil: iso(health.until),
  pacing: pacingOf(row),
  filters: filtersOf(row),
  inPool: row.inPool,
  ...shownSession(row),
  teamIds: row.teamIds,
  waiting: load?.waiting ?? 0,
  dailyRemaining: load?.dailyRemaining ?? null,
  connectedAt: iso(device.connectedAt),
  lastSeenAt: iso(device.lastSeenAt),
  reason: device.reason ?? health.reason,
});

const pacingOf = (row: Pick<NumberRow, 'pacing'>): Pacing => ({ ...defaultPacing, ...row.pacing });
const filtersOf = (row: Pick<NumberRow, 'filters'>): Filters => ({ ...openFilters, ...row.filters });
const sessionOf = (row: Pick<NumberRow, 'session'>) => ({ ...defaultStoredSession, ...row.session });

function shownSession(row: Pick<NumberRow, 'session'>) {
  const { sealedProxyUrl: _, shownProxyUrl: proxyUrl, ...plain } = sessionOf(row);
  return { ...plain, proxyUrl };
}

/** What a PATCH can change. */
const configuredOf = (row: NumberRow) => [
  row.label,
  row.inPool,
  pacingOf(row),
  filtersOf(row),
  sessionOf(row),
  row.teamIds,
];

/** As the number's own object has it now. */
async function showLive(env: Env, row: NumberRow) {
  const [device, health, loads] = await Promise.all([
    deviceOf(env, row.id),
    askNumber(env, row.id, (number) => number.health()),
    askAccount(env, row.accountId, (account) => account.senderLoads()),
  ]);
  return show(row, device, health, loads[row.id]);
}

/** Of a number that has never reported to its account. */
const unpaired: Device & { health: Health } = {
  state: 'unpaired',
  phoneNumber: null,
  reason: null,
  connectedAt: null,
  lastSeenAt: null,
  health: { status: 'unavailable', reason: null, until: null },
};

/** The list asks no number: it shows what the account was last told, and so is behind `GET /:id` by a report at most. */
function showReported(
  row: NumberRow,
  reported: (Device & { health: Health }) | undefined,
  load: SenderLoad | undefined,
) {
  const device = reported ?? unpaired;
  return show(row, device, device.health, load);
}

numberRoutes.post('/', administrator, jsonBody(z.strictObject({ label: nameSchema })), async (c) => {
  const { accountId } = c.get('caller');
  const allowed = await roomFor(c, 'numbers');
  if (!allowed.ok) return renderRefusal(c, allowed);
  const numberId = newUuid();
  const row: NumberRow = {
    id: numberId,
    accountId,
    label: c.req.valid('json').label,
    inPool: true,
    createdAt: Date.now(),
    pacing: defaultPacing,
    filters: openFilters,
    session: null,
    teamIds: null,
  };
  // The object first: a number that can be seen must work, and an object that nobody can see does no harm. Through the
  // account, so that it is made near it.
  const near = nearestLocation(c.req.raw);
  await askAccount(c.env, accountId, (account) => account.provisionNumber(numberId, defaultPacing, near));
  const inserted = await insertNumber(openDatabase(c.env.DB), row, auditOf(c), allowed.most);
  if (!inserted) return renderRefusal(c, allowed.refusal);
  await configurationChanged(c.env, accountId);
  const created = await findNumber(openDatabase(c.env.DB), accountId, numberId);
  return created === null ? renderRefusal(c, noSuchNumber) : c.json(await showLive(c.env, created), 201);
});

numberRoutes.get('/', reader, query(z.strictObject(listQuery)), async (c) => {
  const { limit, cursor } = c.req.valid('query');
  const { accountId } = c.get('caller');
  const [rows, senders, loads] = await Promise.all([
    listNumbers(openDatabase(c.env.DB), accountId, limit, cursor, onlyNumberOf(c)),
    askAccount(c.env, accountId, (account) => account.senders()),
    askAccount(c.env, accountId, (account) => account.senderLoads()),
  ]);
  const shown = (row: NumberRow) => showReported(row, senders[row.id], loads[row.id]);
  return c.json(page(rows, limit, (row) => row.id, shown));
});

numberRoutes.get('/:id', reader, numberPath, async (c) => {
  const row = await ownNumber(c);
  if (row === null) return renderRefusal(c, noSuchNumber);
  showTag(c, configuredOf(row));
  return c.json(await showLive(c.env, row));
});

/** How the number is, and what it was before: the last changes, newest first. */
numberRoutes.get('/:id/health', reader, numberPath, async (c) => {
  const row = await ownNumber(c);
  if (row === null) return renderRefusal(c, noSuchNumber);
  const { status, reason, until, changes } = await askNumber(c.env, row.id, (number) => number.health());
  return c.json({
    numberId: row.id,
    status,
    reason,
    until: iso(until),
    changes: changes.map((change) => ({
      at: iso(change.at),
      status: change.status,
      reason: change.reason,
      until: iso(change.until),
    })),
  });
});

const changesSchema = z
  .strictObject({
    label: nameSchema,
    inPool: z.boolean(),
    pacing: fieldsOf(pacingSchema),
    filters: fieldsOf(filtersSchema),
    teamIds: z.array(uuidSchema.toLowerCase()).min(1).max(20).nullable(),
    ...sessionSettingsSchema.shape,
    proxyUrl: proxyUrlSchema
      .refine((url) => !isShownProxyUrl(url), 'These credentials are a placeholder: send the real ones.')
      .nullable(),
  })
  .partial();

type Changes = z.infer<typeof changesSchema>;

/** A number can be limited to teams that are there. */
async function unknownTeam(c: Context<AppEnv>, teamIds: Changes['teamIds']): Promise<Refusal | null> {
  for (const [index, id] of (teamIds ?? []).entries()) {
    if (!(await teamDefinitions.find(openDatabase(c.env.DB), c.get('caller').accountId, id)))
      return invalidField(`teamIds.${index}`, 'The account has no such team.');
  }
  return null;
}

/** The settings of the session that are sent; a proxy's address sealed for this number. */
async function sessionChanges(
  env: Env,
  numberId: string,
  { presence, rejectCalls, markRead, proxyUrl }: Changes,
): Promise<Partial<StoredSessionSettings>> {
  return {
    ...(presence !== undefined && { presence }),
    ...(rejectCalls !== undefined && { rejectCalls }),
    ...(markRead !== undefined && { markRead }),
    ...(proxyUrl !== undefined && {
      sealedProxyUrl: proxyUrl && (await sealSecret(env.WEBHOOK_SEALING_KEY, numberId, proxyUrl)),
      shownProxyUrl: proxyUrl && shownProxyUrl(proxyUrl),
    }),
  };
}

numberRoutes.patch('/:id', administrator, numberPath, jsonBody(changesSchema), async (c) => {
  const { accountId } = c.get('caller');
  const fields = c.req.valid('json');
  const { label, inPool, pacing, filters, teamIds } = fields;
  const teamless = await unknownTeam(c, teamIds);
  if (teamless !== null) return renderRefusal(c, teamless);
  const session = await sessionChanges(c.env, c.req.param('id'), fields);
  const changesSession = Object.keys(session).length > 0;
  const changed = await changeNumber(
    openDatabase(c.env.DB),
    accountId,
    c.req.param('id'),
    auditOf(c),
    (row) => {
      const stale = staleRefusal(c, configuredOf(row));
      if (stale !== null) return stale;
      const newPacing = merged(pacingSchema, 'pacing', pacingOf(row), pacing ?? {});
      if (!newPacing.ok) return newPacing;
      const newFilters = merged(filtersSchema, 'filters', filtersOf(row), filters ?? {});
      if (!newFilters.ok) return newFilters;
      const changes = {
        ...(label !== undefined && { label }),
        ...(inPool !== undefined && { inPool }),
        ...(teamIds !== undefined && { teamIds }),
        ...(pacing && { pacing: newPacing.value }),
        ...(filters && { filters: newFilters.value }),
        ...(changesSession && { session: { ...sessionOf(row), ...session } }),
      };
      return { ok: true, value: changes };
    },
  );
  if (changed.ok === null) return renderRefusal(c, noSuchNumber);
  if (!changed.ok) return renderRefusal(c, changed);
  const { row } = changed;
  await configurationChanged(c.env, accountId, async () => {
    if (pacing || changesSession) await tellNumber(c.env, accountId, row.id);
  });
  showTag(c, configuredOf(row));
  return c.json(await showLive(c.env, row));
});

numberRoutes.delete('/:id', administrator, numberPath, steppedUp, async (c) => {
  const row = await ownNumber(c);
  const { accountId } = c.get('caller');
  if (row === null) {
    // It mends a first call that was cut off before the account heard of it.
    await configurationChanged(c.env, accountId);
    return renderRefusal(c, noSuchNumber);
  }
  await askNumber(c.env, row.id, (number) => number.remove());
  await deleteNumber(openDatabase(c.env.DB), row, auditOf(c));
  await configurationChanged(c.env, accountId);
  await askLog(c.env, accountId, (log) => log.forgetNumber(row.id));
  return c.body(null, 204);
});

const pairSchema = z.discriminatedUnion('method', [
  z.strictObject({ method: z.literal('qr') }),
  z.strictObject({
    method: z.literal('code'),
    phoneNumber: phoneNumberField,
  }),
]);

/** 202 with the device as it is now, or the object's refusal. */
async function accepted(
  c: Context<AppEnv>,
  row: NumberRow,
  result: { ok: true } | Refusal,
): Promise<Response> {
  if (!result.ok) return renderRefusal(c, result);
  return c.json(await showLive(c.env, row), 202);
}

numberRoutes.post('/:id/pair', administrator, numberPath, jsonBody(pairSchema), async (c) => {
  const row = await ownNumber(c);
  if (row === null) return renderRefusal(c, noSuchNumber);
  const { accountId, id } = row;
  const room = await pairingRoom(c);
  const begins = await askAccount(c.env, accountId, (account) => account.beginPairing(id, room.most));
  if (!begins) return renderRefusal(c, room.refusal);
  const result = await c.env.PHONE_NUMBER.getByName(id).pair(c.req.valid('json'));
  if (!result.ok) await askAccount(c.env, accountId, (account) => account.endPairing(id));
  return accepted(c, row, result);
});

const sessionSteps = {
  connect: (number: DurableObjectStub<PhoneNumber>) => number.connectSession(),
  disconnect: (number: DurableObjectStub<PhoneNumber>) => number.disconnectSession(),
  logout: (number: DurableObjectStub<PhoneNumber>) => number.logoutSession(),
};

for (const [step, take] of Object.entries(sessionSteps)) {
  numberRoutes.post(`/:id/${step}`, administrator, numberPath, emptyBody, async (c) => {
    const row = await ownNumber(c);
    if (row === null) return renderRefusal(c, noSuchNumber);
    return accepted(c, row, await askNumber(c.env, row.id, take));
  });
}

numberRoutes.get('/:id/pairing', administrator, numberPath, async (c) => {
  const row = await ownNumber(c);
  const pairing = row === null ? null : await askNumber(c.env, row.id, (number) => number.pairing());
  c.header('Cache-Control', 'no-store');
  c.header('Vary', 'Accept');
  if (pairing === null) return renderRefusal(c, row === null ? noSuchNumber : notFound('pairing under way'));
  if (!c.req.header('Accept')?.includes('image/svg+xml')) return c.json(pairing);
  if (pairing.qr === null) return renderRefusal(c, notFound('QR code at the moment'));
  return c.body(renderSVG(pairing.qr), 200, { 'Content-Type': 'image/svg+xml' });
});
