import { z } from 'zod';

const answerSchema = z.looseObject({ token: z.string().min(1) });
const answerMs = 10_000;

/** The edge lets no bridge in with this enrolment token. */
export class EnrolmentRefused extends Error {}

/** The edge has no fleet in the region that was asked for. */
export class RegionRefused extends Error {}

const refusalSchema = z.looseObject({
  error: z.looseObject({ details: z.array(z.looseObject({ path: z.string() })) }),
});

/** Asks the edge to let this bridge in. Answers the bridge's own token. `gatewayUrl`: its origin, `ws:` or `http:`. */
export async function askForToken(
  gatewayUrl: string,
  enrolmentToken: string,
  bridgeId: string,
  signal?: AbortSignal,
): Promise<string> {
  const response = await fetch(`${gatewayUrl.replace(/^ws/, 'http')}/bridge/enrol`, {
    method: 'POST',
    headers: { authorization: `Bearer ${enrolmentToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ bridgeId }),
    signal: AbortSignal.any([...(signal ? [signal] : []), AbortSignal.timeout(answerMs)]),
  });
  if (response.status === 401 || response.status === 403) throw new EnrolmentRefused();
  if (!response.ok) throw new Error(`the edge answered ${response.status}`);
  return answerSchema.parse(await response.json()).token;
}

/** What the operator wants of a bridge that is to come; null: nothing. */
export interface BridgeWishes {
  name: string | null;
  region: string | null;
}

/**
 * Makes a one-time token, as the operator. Throws {@link EnrolmentRefused} where they are none, and {@link RegionRefused}
 * where the gateway does not have the region.
 */
export async function makeEnrolmentToken(
  gatewayUrl: string,
  operatorToken: string,
  { name, region }: BridgeWishes,
): Promise<string> {
  const response = await fetch(`${gatewayUrl.replace(/^ws/, 'http')}/v1/operator/bridges`, {
    method: 'POST',
    headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      ...(name !== null && { name }),
      ...(region !== null && { region }),
      expiresInSeconds: 60,
    }),
    signal: AbortSignal.timeout(answerMs),
  });
  if (response.status === 401 || response.status === 403) throw new EnrolmentRefused();
  if (response.status === 400 && region !== null && (await isAbout(response, 'region')))
    throw new RegionRefused();
  if (!response.ok) throw new Error(`the edge answered ${response.status}`);
  return answerSchema.parse(await response.json()).token;
}

/** Whether a refusal names this field. */
async function isAbout(response: Response, field: string): Promise<boolean> {
  const refusal = refusalSchema.safeParse(await response.clone().json());
  return refusal.success && refusal.data.error.details.some(({ path }) => path === field);
}
