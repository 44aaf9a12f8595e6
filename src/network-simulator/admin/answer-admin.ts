import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Network } from '../network.ts';
import { Refusal } from '../refusal.ts';
import { readBody, sendJson } from '../server/http-body.ts';
import { groupRoutes } from './group-routes.ts';
import { networkRoutes } from './network-routes.ts';
import { pairingRoutes } from './pairing-routes.ts';
import { phoneRoutes } from './phone-routes.ts';
import type { AdminRoute } from './route.ts';

const bodyBytesMax = 150_000_000; // a medium of 100 MiB in base64

const routes = [...pairingRoutes, ...phoneRoutes, ...networkRoutes, ...groupRoutes];

/** Answers calls under `/admin/`, after what they changed is on disk. Answers false for anything else. */
export async function answerAdmin(
  network: Network,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
): Promise<boolean> {
  if (!url.pathname.startsWith('/admin/')) return false;
  const matching = routes.flatMap((route) => {
    const path = matchPath(route.path, url.pathname);
    return path ? [{ route, path }] : [];
  });
  if (matching.length === 0) return false;
  const found = matching.find(({ route }) => route.method === request.method);
  if (!found) throw new Refusal(405, `${url.pathname} takes ${allowed(matching)}.`);
  requireNoPage(request);
  const body = await readBody(request, bodyBytesMax);
  const answer = await found.route.answer({
    network,
    path: found.path,
    query: url.searchParams,
    body,
    json: () => parseJson(body),
  });
  await network.store.committed();
  sendJson(response, answer.status ?? 200, answer.body);
  return true;
}

/**
 * Whoever uses these calls is a program on this machine. A browser names the page that asks, and would let any page of the
 * web post here; a host that is not this machine's is a name that such a page has led here.
 */
function requireNoPage({ headers: { origin, host = '' } }: IncomingMessage): void {
  const name = URL.parse(`http://${host}`)?.hostname ?? '';
  const isOwn = name === 'localhost' || name === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(name);
  if (origin !== undefined || !isOwn) throw new Refusal(403, 'Only programs on this machine may call this.');
}

function allowed(matching: { route: AdminRoute }[]): string {
  return [...new Set(matching.map(({ route }) => route.method))].join(' and ');
}

function parseJson(body: Buffer): unknown {
  if (body.length === 0) return {};
  try {
    return JSON.parse(body.toString());
  } catch {
    throw new Refusal(400, 'The body is not JSON.');
  }
}

function matchPath(pattern: string, actual: string): Record<string, string> | undefined {
  const wanted = pattern.split('/');
  const given = actual.split('/');
  if (wanted.length !== given.length) return undefined;
  const parts: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? '';
    if (part.startsWith(':')) parts[part.slice(1)] = decoded(value);
    else if (part !== value) return undefined;
  }
  return parts;
}

/** A badly escaped part of a path is taken as it is: it then names nothing. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
