import { shortPhone } from '../log.ts';
import { deviceEndings, failureOf } from '../login/login.ts';
import { listArrivals } from '../phones/arrivals.ts';
import { Refusal } from '../refusal.ts';
import { isGroupAddress, normalisePhone } from '../wire/addresses.ts';
import type { Stanza } from '../wire/stanza.ts';
import { deviceFaults, networkChange, rawStanza } from './request-schemas.ts';
import { type AdminRoute, namedPhone, pairedUser } from './route.ts';

export const networkRoutes: AdminRoute[] = [
  {
    method: 'GET',
    path: '/admin/messages',
    async answer({ network, query }) {
      const to = query.get('to') ?? undefined;
      const wanted = to === undefined || isGroupAddress(to) ? to : normalisePhone(to);
      if (to !== undefined && !wanted) {
        throw new Refusal(400, '"to" must be a phone number or a group id.');
      }
      await network.inbox.settled();
      return { body: { data: listArrivals(network.store, wanted) } };
    },
  },
  {
    method: 'GET',
    path: '/admin/network',
    answer: ({ network }) => ({
      body: {
        ...network.faults,
        connections: network.connections.size,
        uploads: network.uploads,
        heldMedia: network.heldMedia,
        replacedLogins: network.replacedLogins,
      },
    }),
  },
  {
    method: 'GET',
    path: '/admin/logins',
    answer: ({ network }) => ({ body: network.logins.shown() }),
  },
  {
    method: 'PATCH',
    path: '/admin/network',
    answer({ network, json }) {
      Object.assign(network.faults, networkChange.parse(json()));
      if (network.faults.refuseConnections) for (const one of network.connections) one.cut();
      network.log.info({ ...network.faults }, 'network.changed');
      return { body: { ...network.faults } };
    },
  },
  {
    method: 'POST',
    path: '/admin/media/forget',
    answer: ({ network }) => ({ body: { forgotten: network.media.forgetAll() } }),
  },
  {
    method: 'PATCH',
    path: '/admin/devices/:phone',
    answer({ network, path, json }) {
      const change = deviceFaults.parse(json());
      const user = namedPhone(network, path.phone);
      Object.assign(user.faults, change);
      if (user.faults.refuseConnections) for (const device of user.devices.values()) device.link?.cut();
      const failure = failureOf(user);
      if (failure) for (const device of user.devices.values()) device.link?.end(failure);
      network.log.info({ phone: shortPhone(user.phone), ...user.faults }, 'device.faults-changed');
      return { body: { phoneNumber: user.phone, ...user.faults } };
    },
  },
  {
    method: 'POST',
    path: '/admin/devices/:phone/stanza',
    answer({ network, path, json }) {
      const user = pairedUser(network, path.phone);
      const raw = toStanza(rawStanza.parse(json()));
      for (const device of user.devices.values()) device.link?.send(raw);
      return { body: { phoneNumber: user.phone } };
    },
  },
  {
    method: 'POST',
    path: '/admin/devices/:phone/:ending',
    answer({ network, path }) {
      const ending = Object.entries(deviceEndings).find(([name]) => name === path.ending)?.[1];
      if (!ending) {
        throw new Refusal(404, `A device can be ended by ${Object.keys(deviceEndings).join(', ')}.`);
      }
      const standing = path.ending === 'ban' || path.ending === 'unban';
      const user = (standing ? namedPhone : pairedUser)(network, path.phone);
      ending(network, user);
      return { body: { phoneNumber: user.phone } };
    },
  },
];

type RawStanza = ReturnType<typeof rawStanza.parse>;

function toStanza({ tag, attrs, content }: RawStanza): Stanza {
  if (content === undefined) return { tag, attrs };
  if (typeof content === 'string') return { tag, attrs, content };
  if (Array.isArray(content)) return { tag, attrs, content: content.map(toStanza) };
  return { tag, attrs, content: Buffer.from(content.base64, 'base64') };
}
