import { type Context, Hono } from 'hono';
import { renderSVG } from 'uqr';
import { z } from 'zod';
import { pictureBytesMax } from '../../../contract/bridge/network-queries.ts';
import { type Refusal, refuse } from '../../../contract/errors.ts';
import { defaultPacing, openFilters } from '../../../contract/numbers/sender-settings.ts';
import { isoTime } from '../../../contract/times.ts';
import { newUuid } from '../../../durable/new-ids.ts';
import type { PhoneNumber } from '../../../durable/phone-number/phone-number.ts';
import type { AppEnv } from '../../app-env.ts';
import { administrator, keyOrAdministrator, onlyNumberOf } from '../../auth/callers.ts';
import { steppedUp } from '../../auth/step-up.ts';
import { pairingRoom, roomFor } from '../../caps.ts';
import { configurationChanged } from '../../configuration-changed.ts';
import { openDatabase } from '../../db/database.ts';
import { showTag } from '../../http/answer/entity-tag.ts';
import { renderRefusal } from '../../http/answer/refusal-response.ts';
import { base64Field } from '../../http/request/base64-text.ts';
import { emptyBody, jsonBody } from '../../http/request/body/json-body.ts';
import { listQuery, page, query } from '../../http/request/query.ts';
import { isPlainText, nameSchema, notFound, plainTextProblem } from '../../http/request/shared-fields.ts';
import { askAccount, askLog, askNumber } from '../../object-calls.ts';
import { auditOf } from '../audit-log/audit-context.ts';
import { phoneNumberField } from '../messages/sending/recipient.ts';
import type { profileSchema } from './contact-queries/records.ts';
import { askNetwork, knownNumber, noSuchNumber, numberPath, ownNumber } from './own-number.ts';
import type {
  numberHealthSchema,
  pairingSchema,
  phoneNumberListSchema,
  phoneNumberSchema,
} from './records.ts';
import { deleteNumber, findNumber, insertNumber, listNumbers, type NumberRow } from './rows.ts';
import { configuredOf, showLive, showReported } from './shown-number.ts';

export const numberRoutes = new Hono<AppEnv>();

const reader = keyOrAdministrator('numbers:read');

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
  // The object first: a number that can be seen must work, and an object that nobody can see does no harm. The account creates
  // it, so that it is near the account.
  const near = nearestLocation(c.req.raw);
  await askAccount(c.env, accountId, (account) => account.provisionNumber(numberId, defaultPacing, near));
  const inserted = await insertNumber(row, auditOf(c), allowed.most);
  if (!inserted) return renderRefusal(c, allowed.refusal);
  await configurationChanged(c.env, accountId);
  const created = await findNumber(openDatabase(c.env.DB), accountId, numberId);
  if (created === null) return renderRefusal(c, noSuchNumber);
  return c.json<z.infer<typeof phoneNumberSchema>>(await showLive(c.env, created), 201);
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
  return c.json<z.infer<typeof phoneNumberListSchema>>(page(c, rows, limit, (row) => row.id, shown));
});

numberRoutes.get('/:id', reader, numberPath, async (c) => {
  const row = await ownNumber(c);
  if (row === null) return renderRefusal(c, noSuchNumber);
  showTag(c, configuredOf(row));
  return c.json<z.infer<typeof phoneNumberSchema>>(await showLive(c.env, row));
});

/** How the number is, and what it was before: the last changes, newest first. */
numberRoutes.get('/:id/health', reader, numberPath, async (c) => {
  const row = await ownNumber(c);
  if (row === null) return renderRefusal(c, noSuchNumber);
  const { status, reason, until, changes } = await askNumber(c.env, row.id, (number) => number.health());
  return c.json<z.infer<typeof numberHealthSchema>>({
    numberId: row.id,
    status,
    reason,
    until: isoTime(until),
    changes: changes.map((change) => ({
      at: isoTime(change.at),
      status: change.status,
      reason: change.reason,
      until: isoTime(change.until),
    })),
  });
});

numberRoutes.delete('/:id', administrator, numberPath, steppedUp, async (c) => {
  const row = await ownNumber(c);
  const { accountId } = c.get('caller');
  const forgotten = (id: string) => askLog(c.env, accountId, (log) => log.forgetNumber(id));
  if (row === null) {
    // It mends a first call that was cut off before the account and its log heard of it.
    await configurationChanged(c.env, accountId);
    await forgotten(c.req.param('id'));
    return renderRefusal(c, noSuchNumber);
  }
  await askNumber(c.env, row.id, (number) => number.remove());
  await deleteNumber(row, auditOf(c));
  await configurationChanged(c.env, accountId);
  await forgotten(row.id);
  return c.body(null, 204);
});

/** Continents as the platform names them; Europe and North America are halved by longitude. */
const byContinent: Record<string, DurableObjectLocationHint> = {
  AF: 'afr',
  AS: 'apac',
  OC: 'oc',
  SA: 'sam',
};
const easternEuropeFrom = 20;
const easternAmericaFrom = -100;

/** Where objects for this caller are best made; null where the platform does not say where the caller is. */
export function nearestLocation(request: Request): DurableObjectLocationHint | null {
  const { continent, longitude } = (request.cf ?? {}) as { continent?: string; longitude?: string };
  const east = Number(longitude ?? Number.NaN);
  if (continent === 'EU') return east >= easternEuropeFrom ? 'eeur' : 'weur';
  if (continent === 'NA') return east >= easternAmericaFrom ? 'enam' : 'wnam';
  return byContinent[continent ?? ''] ?? null;
}

export const numberSessionRoutes = new Hono<AppEnv>();

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
  return c.json<z.infer<typeof phoneNumberSchema>>(await showLive(c.env, row), 202);
}

numberSessionRoutes.post('/:id/pair', administrator, numberPath, jsonBody(pairSchema), async (c) => {
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
  numberSessionRoutes.post(`/:id/${step}`, administrator, numberPath, emptyBody, async (c) => {
    const row = await ownNumber(c);
    if (row === null) return renderRefusal(c, noSuchNumber);
    return accepted(c, row, await askNumber(c.env, row.id, take));
  });
}

numberSessionRoutes.get('/:id/pairing', administrator, numberPath, async (c) => {
  const row = await ownNumber(c);
  const pairing = row === null ? null : await askNumber(c.env, row.id, (number) => number.pairing());
  c.header('Cache-Control', 'no-store');
  c.header('Vary', 'Accept');
  if (pairing === null) return renderRefusal(c, row === null ? noSuchNumber : notFound('pairing under way'));
  if (!c.req.header('Accept')?.includes('image/svg+xml'))
    return c.json<z.infer<typeof pairingSchema>>(pairing);
  if (pairing.qr === null) return renderRefusal(c, notFound('QR code at the moment'));
  return c.body(renderSVG(pairing.qr), 200, { 'Content-Type': 'image/svg+xml' });
});

/** What a number shows of itself at the network. */
export const profileRoutes = new Hono<AppEnv>();

/** As the network allows. */
const nameCharactersMax = 25;
const aboutCharactersMax = 139;

const plain = (text: z.ZodString) => text.refine(isPlainText, plainTextProblem);
const profileChanges = z
  .strictObject({
    name: plain(z.string().min(1).max(nameCharactersMax)).refine(
      (name) => name.trim() !== '',
      'Must not be blank.',
    ),
    about: plain(z.string().max(aboutCharactersMax)),
    picture: base64Field(pictureBytesMax, `At most ${pictureBytesMax / 1024} KiB.`).nullable(),
  })
  .partial();

/** How every JPEG begins. */
const isJpeg = (base64: string) =>
  Buffer.from(base64.slice(0, 8), 'base64').toString('hex').startsWith('ffd8ff');

profileRoutes.get('/:id/profile', keyOrAdministrator('numbers:read'), numberPath, knownNumber, async (c) => {
  const asked = await askNetwork(c, { verb: 'profile.get' });
  return asked.ok ? c.json<z.infer<typeof profileSchema>>(asked.answer) : renderRefusal(c, asked);
});

profileRoutes.patch(
  '/:id/profile',
  administrator,
  numberPath,
  jsonBody(profileChanges),
  knownNumber,
  async (c) => {
    const { picture: sent, ...rest } = c.req.valid('json');
    const picture = sent === null ? null : sent?.base64;
    if (typeof picture === 'string' && !isJpeg(picture)) {
      return renderRefusal(c, refuse('UNSUPPORTED_MEDIA_TYPE', 'The image is not a JPEG.'));
    }
    const changes = { ...rest, ...(picture !== undefined && { picture }) };
    const asked = await askNetwork(c, { verb: 'profile.change', ...changes });
    if (!asked.ok) return renderRefusal(c, asked);
    const now = await askNetwork(c, { verb: 'profile.get' });
    return now.ok ? c.json<z.infer<typeof profileSchema>>(now.answer) : renderRefusal(c, now);
  },
);
