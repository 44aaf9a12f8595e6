import { z } from 'zod';

const answerSchema = z.looseObject({ token: z.string().min(1) });
const answerMs = 10_000;

/** The edge lets no bridge in with this enrolment token. */
export class EnrolmentRefused extends Error {}

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

/** Makes a one-time token, as the operator. Throws {@link EnrolmentRefused} where they are none. */
export async function makeEnrolmentToken(
  gatewayUrl: string,
  operatorToken: string,
  name: string | null,
): Promise<string> {
  const response = await fetch(`${gatewayUrl.replace(/^ws/, 'http')}/v1/operator/bridges`, {
    method: 'POST',
    headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...(name !== null && { name }), expiresInSeconds: 60 }),
    signal: AbortSignal.timeout(answerMs),
  });
  if (response.status === 401 || response.status === 403) throw new EnrolmentRefused();
  if (!response.ok) throw new Error(`the edge answered ${response.status}`);
  return answerSchema.parse(await response.json()).token;
}
