import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { z } from 'zod';
import { grantHeader } from '../../../contract/bridge/bridge-frames.ts';
import { invalidField, type Refusal, refuse } from '../../../contract/errors.ts';
import { uuidSchema } from '../../../contract/ids.ts';
import { fileFactsSchema, fileNameOf } from '../../../contract/messages/media.ts';
import { mediaKinds } from '../../../contract/messages/media-kinds.ts';
import { fleetOf, fleetRegions } from '../../../durable/bridge-fleet/fleet-of.ts';
import type { AppEnv } from '../../app-env.ts';
import { bridge, newBridge } from '../../auth/callers.ts';
import { bearerToken, secretEqual } from '../../auth/tokens/secret-token.ts';
import { renderRefusal } from '../../http/answer/refusal-response.ts';
import { jsonBody } from '../../http/request/body/json-body.ts';
import { notFound, uuidPathId } from '../../http/request/shared-fields.ts';
import { validationRefusal } from '../../http/request/validation-details.ts';
import { askNumber } from '../../object-calls.ts';
import { checksumSecretsOf } from '../account/keys/genuine-key.ts';
import { typeNamed } from '../media/file-types.ts';
import { MediaStore } from '../media/store/media-store.ts';
import { bridgeToken, hashEnrolmentToken, isEnrolmentToken } from './bridge-tokens.ts';

/** The files of a number, for the bridge that holds it: those that are to be sent, and those that came. */
const bridgeFileRoutes = new Hono<AppEnv>();

const noFile = notFound('file');

/** The files of whose account the number is; null when it is nobody's. */
const storeOf = (c: Context<AppEnv>, accountId: string | null) =>
  accountId === null ? null : new MediaStore(c.env, accountId);

bridgeFileRoutes.use(
  '/:numberId/media/:mediaId',
  uuidPathId('numberId', 'number'),
  uuidPathId('mediaId', 'file'),
);

bridgeFileRoutes.get('/:numberId/media/:mediaId', async (c) => {
  const { numberId, mediaId } = c.req.param();
  const lease = await accountByLease(c, numberId);
  if (!lease.ok) return renderRefusal(c, lease);
  const store = storeOf(c, lease.accountId);
  const found = (await store?.find(mediaId, Date.now())) ?? null;
  const bytes = found && (await store?.bytes(mediaId));
  if (!found || !bytes) return renderRefusal(c, noFile);
  c.header('Content-Length', String(found.bytes));
  return c.body(bytes.body);
});

const storedQuery = z.object({
  kind: z.enum(mediaKinds),
  fileName: z.string().optional(),
});

/** A file that the number has received. What the sender called it is no claim that it is refused for. */
bridgeFileRoutes.put('/:numberId/media/:mediaId', async (c) => {
  const { numberId, mediaId } = c.req.param();
  const lease = await accountByLease(c, numberId);
  if (!lease.ok) return renderRefusal(c, lease);
  const query = storedQuery.safeParse(c.req.query());
  if (!query.success) return renderRefusal(c, validationRefusal(query.error));
  const store = storeOf(c, lease.accountId);
  if (store === null) return renderRefusal(c, notFound('number'));
  const { body, headers } = c.req.raw;
  if (body === null) return renderRefusal(c, invalidField('body', 'The bytes of the file are missing.'));
  const fileName = fileNameOf(query.data.fileName);
  const stored = await store.store(
    {
      mediaId,
      body,
      bytesKnown: null,
      typeNamed: typeNamed(headers.get('content-type')),
      isTypeGuess: true,
      // The network takes larger ones than we do, of any kind.
      kind: 'document',
      ...(fileName !== undefined && { fileName }),
      numberId,
    },
    Date.now(),
  );
  return stored.ok ? c.json(fileFactsSchema.strip().parse(stored.media)) : renderRefusal(c, stored);
});

/** Where session bridges dial in. The objects answer the upgrades themselves, and their responses go out untouched. */
export const bridgeRoutes = new Hono<AppEnv>();

const presented = (c: Context<AppEnv>) => bearerToken(c.req.header('Authorization')) ?? '';

/**
 * Gives a new bridge its own token. A repeat with the same id changes nothing, so a lost response costs no enrolment token.
 */
bridgeRoutes.post('/enrol', newBridge, jsonBody(z.strictObject({ bridgeId: uuidSchema })), async (c) => {
  const { bridgeId } = c.req.valid('json');
  const token = presented(c);
  const standing = c.env.BRIDGE_ENROLMENT_TOKEN;
  const tokenHash = standing && secretEqual(token, standing) ? null : hashEnrolmentToken(token);
  if (tokenHash !== null && !isEnrolmentToken(token, checksumSecretsOf(c.env)))
    return renderRefusal(c, refuse('UNAUTHENTICATED', 'Not an enrolment token of this gateway.'));
  const { enrolled, region, generation } = await enrol(c, bridgeId, tokenHash);
  if (enrolled === 'refused')
    return renderRefusal(
      c,
      refuse('UNAUTHENTICATED', 'The enrolment token was already used, or has expired.'),
    );
  if (enrolled === 'revoked') return renderRefusal(c, refuse('FORBIDDEN', 'This bridge was revoked.'));
  if (enrolled === 'taken') {
    const message = 'A bridge with this ID was already enrolled with another token.';
    return renderRefusal(c, refuse('FORBIDDEN', message));
  }
  return c.json({ token: bridgeToken(bridgeId, c.env.KEY_CHECKSUM_SECRET, region, generation) });
});

/** At the fleet that knows the token; one that nobody had to make is good for the fleet of no region. */
async function enrol(c: Context<AppEnv>, bridgeId: string, tokenHash: string | null) {
  for (const region of tokenHash === null ? [null] : fleetRegions(c.env)) {
    const { enrolled, generation } = await fleetOf(c.env, region).letIn(bridgeId, tokenHash);
    if (enrolled !== 'refused') return { enrolled, region, generation };
  }
  return { enrolled: 'refused' as const, region: null, generation: null };
}

/** From here on only bridges pass. */
bridgeRoutes.use(bridge);

const socketOnly: MiddlewareHandler<AppEnv> = async (c, next) => {
  if (c.req.header('Upgrade')?.toLowerCase() === 'websocket') return next();
  return renderRefusal(c, refuse('NOT_FOUND', 'This endpoint accepts only WebSockets.'));
};

bridgeRoutes.get('/control', socketOnly, async (c) => {
  const fleet = fleetOf(c.env, c.get('bridgeRegion'));
  if (await fleet.isRevoked(c.get('bridgeId'), c.get('bridgeGeneration')))
    return renderRefusal(c, refuse('FORBIDDEN', 'This bridge was revoked.'));
  return fleet.fetch(asBridge(c, new URL(c.req.url)));
});

/**
 * A number's link: only for the bridge to which the fleet has given it, under the fleet's epoch. The number itself checks a
 * grant; for a bridge without one, the fleet is asked.
 */
bridgeRoutes.get('/numbers/:numberId', socketOnly, uuidPathId('numberId', 'number'), async (c) => {
  const numberId = c.req.param('numberId');
  const lease = await standingOf(c, numberId);
  if (!lease.ok) return renderRefusal(c, lease);
  const url = new URL(c.req.url);
  url.searchParams.delete('standing');
  if (lease.standing !== null) url.searchParams.set('standing', lease.standing);
  return c.env.PHONE_NUMBER.getByName(numberId).fetch(asBridge(c, url));
});

bridgeRoutes.route('/numbers', bridgeFileRoutes);

/** The request as an object gets it, which believes what it reads there. */
function asBridge(c: Context<AppEnv>, url: URL): Request {
  url.searchParams.set('bridge', c.get('bridgeId'));
  return new Request(url, c.req.raw);
}

const leaseQuery = z.object({
  epoch: z
    .string()
    .regex(/^[1-9]\d{0,14}$/)
    .transform(Number),
});

/** The lease that a bridge names, and the fleet's grant where it bears one. */
function namedLease(c: Context<AppEnv>): { ok: true; epoch: number; grant: string | null } | Refusal {
  const query = leaseQuery.safeParse(c.req.query());
  if (!query.success) return validationRefusal(query.error);
  return { ok: true, epoch: query.data.epoch, grant: c.req.header(grantHeader) ?? null };
}

const noLease = refuse('CONFLICT', 'This bridge does not hold this lease of the number.');

/**
 * What the bridge may do over a link of this number under the lease that it names: `drive` it, or `report` what it had of it.
 * Null: it has a grant, which the number checks, and the fleet is not asked.
 */
async function standingOf(
  c: Context<AppEnv>,
  numberId: string,
): Promise<{ ok: true; standing: 'drive' | 'report' | null } | Refusal> {
  const lease = namedLease(c);
  if (!lease.ok) return lease;
  if (lease.grant !== null) return { ok: true, standing: null };
  const standing = await askFleet(c, numberId, lease.epoch);
  return standing === null ? noLease : { ok: true, standing };
}

/** The account of the number, for a bridge that has, or had, a lease of it. Null: the number is nobody's. */
async function accountByLease(
  c: Context<AppEnv>,
  numberId: string,
): Promise<{ ok: true; accountId: string | null } | Refusal> {
  const lease = namedLease(c);
  if (!lease.ok) return lease;
  const { epoch, grant } = lease;
  if (grant !== null) {
    const asked = { bridgeId: c.get('bridgeId'), epoch, grant };
    const accountId = await askNumber(c.env, numberId, (number) => number.accountOfGrant(asked));
    if (accountId !== null) return { ok: true, accountId };
  }
  if ((await askFleet(c, numberId, epoch)) === null) return noLease;
  return { ok: true, accountId: await askNumber(c.env, numberId, (number) => number.accountId()) };
}

const askFleet = (c: Context<AppEnv>, numberId: string, epoch: number) =>
  fleetOf(c.env, c.get('bridgeRegion')).standing(numberId, c.get('bridgeId'), epoch);
