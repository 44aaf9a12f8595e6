import type { IncomingMessage, ServerResponse } from 'node:http';
import { changeMembers, changeSubject, createGroup } from '../groups/group-changes.ts';
import type { GroupSettings } from '../groups/group-settings.ts';
import type { Group } from '../groups/groups.ts';
import { decideRequests, joinByInvite } from '../groups/join-group.ts';
import type { Network } from '../network.ts';
import { enterCode } from '../pairing/link-code.ts';
import { refreshRegistration, scanQr } from '../pairing/link-device.ts';
import { Refusal } from '../refusal.ts';
import { readBody, sendJson } from '../server/http-body.ts';
import { networkRoutes } from './network-routes.ts';
import { phoneRoutes } from './phone-routes.ts';
import { codeEntry, groupChange, joinByCode, newGroup, requestDecision } from './request-schemas.ts';
import { type AdminRoute, namedPhone } from './route.ts';

const pairingRoutes: AdminRoute[] = [
  {
    method: 'POST',
    path: '/admin/mock-phone/scan-qr',
    answer({ network, query, body }) {
      const named = query.get('phone');
      const phone = named === null ? undefined : namedPhone(network, named).phone;
      return { body: { phoneNumber: scanQr(network, body.toString(), phone).phone } };
    },
  },
  {
    method: 'POST',
    path: '/admin/mock-phone/enter-code',
    async answer({ network, json }) {
      const { phone, code } = codeEntry.parse(json());
      await enterCode(network, phone, code);
      return { body: { phoneNumber: phone } };
    },
  },
  {
    method: 'POST',
    path: '/admin/mock-phone/companion-reg-refresh',
    async answer({ network, body }) {
      const acknowledged = await refreshRegistration(network, body.toString());
      return { body: { refreshed: true, acknowledged } };
    },
  },
];

const groupRoutes: AdminRoute[] = [
  {
    method: 'GET',
    path: '/admin/groups',
    answer: ({ network }) => ({
      body: { data: network.groups.all().map((group) => describeGroup(network, group)) },
    }),
  },
  {
    method: 'POST',
    path: '/admin/groups',
    answer({ network, json }) {
      const { subject, members, autoJoin } = newGroup.parse(json());
      const [creator, ...others] = members.map((phone) => network.users.ensure(phone));
      if (!creator) throw new Refusal(400, 'A group needs a member.');
      const group = createGroup(network, creator, subject, others, { autoJoin });
      return { status: 201, body: describeGroup(network, group) };
    },
  },
  {
    method: 'PATCH',
    path: '/admin/groups/:id',
    answer({ network, path, json }) {
      const { subject, add, remove, joinApproval, ...change } = groupChange.parse(json());
      const { isQuiet, rejectWith, rejections = Infinity } = change;
      const group = namedGroup(network, path.id);
      const { settings } = network.groups;
      if (rejectWith) network.groups.refusals.set(group.id, { code: rejectWith, times: rejections });
      else if (rejectWith === null) network.groups.refusals.delete(group.id);
      if (joinApproval !== undefined) settings.change(group.id, { joinApproval });
      if (subject !== undefined) changeSubject(network, group, group.creator, subject);
      for (const [how, phones = []] of [['add', add] as const, ['remove', remove] as const]) {
        const users = phones.map((phone) => network.users.ensure(phone));
        changeMembers(network, group, group.creator, how, users, undefined, isQuiet);
      }
      return { body: describeGroup(network, group) };
    },
  },
  {
    method: 'POST',
    path: '/admin/phones/:phone/join',
    answer({ network, path, json }) {
      const { invite } = joinByCode.parse(json());
      const joined = joinByInvite(network, namedPhone(network, path.phone), invite);
      if (!joined) throw new Refusal(404, 'There is no such invite.');
      return { body: { id: joined.group.id, isIn: joined.isIn } };
    },
  },
  {
    method: 'POST',
    path: '/admin/groups/:id/requests',
    answer({ network, path, json }) {
      const { action, phones } = requestDecision.parse(json());
      const group = namedGroup(network, path.id);
      const users = phones.map((phone) => network.users.ensure(phone));
      decideRequests(network, group, group.creator, action, users);
      return { body: describeGroup(network, group) };
    },
  },
];

function namedGroup(network: Network, id = ''): Group {
  const group = network.groups.get(id);
  if (!group) throw new Refusal(404, 'There is no such group.');
  return group;
}

function describeGroup(network: Network, group: Group) {
  return {
    id: group.id,
    subject: group.subject,
    ...shownSettings(network.groups.settings.of(group.id)),
    members: network.groups.members(group).map(({ user }) => user.phone),
  };
}

/** The id of a description is between clients and the network. */
function shownSettings({ descriptionId: _, ...settings }: GroupSettings) {
  return settings;
}

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
