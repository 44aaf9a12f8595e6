import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';

export const enrolmentToken = 'token-that-lets-test-bridges-in';
/** What the fake edge gives every bridge that it lets in. */
export const bridgeToken = 'token-of-the-test-bridges';
/** Whoever bears it makes enrolment tokens. */
export const operatorToken = 'token-of-the-operator';
/** The only region in which the fake edge has a fleet. */
export const fleetRegion = 'weur';

export function enrol(request: IncomingMessage, response: ServerResponse): void {
  const isRight = request.headers.authorization === `Bearer ${enrolmentToken}`;
  request.resume();
  answer(response, isRight ? 200 : 401, isRight ? { token: bridgeToken } : {});
}

/** As `POST /v1/operator/bridges`. */
export async function makeToken(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { region = fleetRegion } = (await json(request)) as { region?: string };
  if (request.headers.authorization !== `Bearer ${operatorToken}`) answer(response, 401, {});
  else if (region === fleetRegion) answer(response, 201, { token: enrolmentToken });
  else answer(response, 400, { error: { code: 'VALIDATION_ERROR', details: [{ path: 'region' }] } });
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
