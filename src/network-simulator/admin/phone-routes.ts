import type { proto } from '@whiskeysockets/baileys';
import type { User } from '../accounts/user.ts';
import { saveContacts, shareName, shareSalt } from '../app-state/patches.ts';
import { encryptMedia } from '../media/encrypt-media.ts';
import type { Network } from '../network.ts';
import { writtenContent } from '../phones/content/message-content.ts';
import { resetPhone, writeMessage } from '../phones/phone-writing.ts';
import { ring, showTyping } from '../phones/typing-and-calls.ts';
import { Refusal } from '../refusal.ts';
import { addressOf, isGroupAddress, normalisePhone } from '../wire/addresses.ts';
import {
  contactsSaved,
  mediaMessage,
  newCall,
  phoneChange,
  phoneMessage,
  phoneReset,
  phoneTyping,
} from './request-schemas.ts';
import { type AdminRoute, namedPhone, pairedUser } from './route.ts';

export const phoneRoutes: AdminRoute[] = [
  {
    method: 'GET',
    path: '/admin/phones/:phone',
    answer({ network, path }) {
      const known = network.users.byPhone(normalisePhone(path.phone ?? '') ?? '');
      if (!known) throw new Refusal(404, 'Nobody on this network has used this number yet.');
      return { body: describePhone(network, known) };
    },
  },
  {
    method: 'PATCH',
    path: '/admin/phones/:phone',
    answer({ network, path, json }) {
      const { name, ...change } = phoneChange.parse(json());
      const user = namedPhone(network, path.phone);
      network.users.changeScript(user, change);
      if (name !== undefined) {
        network.users.rename(user, name);
        shareName(network, user);
      }
      return { body: describePhone(network, user) };
    },
  },
  {
    method: 'POST',
    path: '/admin/phones/:phone/messages',
    async answer({ network, path, json }) {
      const { to, as, unavailable = false, ...content } = phoneMessage.parse(json());
      const asOwner = as === 'own';
      const from = (asOwner ? pairedUser : namedPhone)(network, path.phone);
      const { message, wrapping } = await writtenContent(network, from, chatOf(network, from, to), content);
      const id = await writeMessage(network, from, to, message, { ...wrapping, unavailable }, asOwner);
      return { status: 201, body: { id } };
    },
  },
  {
    method: 'GET',
    path: '/admin/phones/:phone/activity',
    answer: ({ network, path }) => ({
      body: { data: network.activity.of(namedPhone(network, path.phone)) },
    }),
  },
  {
    method: 'POST',
    path: '/admin/phones/:phone/typing',
    answer({ network, path, json }) {
      const { to, state } = phoneTyping.parse(json());
      const told = showTyping(namedPhone(network, path.phone), pairedUser(network, to), state);
      return { body: { told } };
    },
  },
  {
    method: 'POST',
    path: '/admin/phones/:phone/calls',
    answer({ network, path, json }) {
      const { to, isVideo } = newCall.parse(json());
      const callId = ring(network, namedPhone(network, path.phone), pairedUser(network, to), isVideo);
      return { status: 201, body: { id: callId } };
    },
  },
  {
    method: 'POST',
    path: '/admin/phones/:phone/contacts',
    answer({ network, path, json }) {
      const { contacts } = contactsSaved.parse(json());
      saveContacts(network, namedPhone(network, path.phone), contacts);
      return { status: 201, body: { saved: contacts.length } };
    },
  },
  {
    method: 'POST',
    path: '/admin/phones/:phone/salt',
    answer({ network, path }) {
      shareSalt(network, namedPhone(network, path.phone));
      return { status: 201, body: { shared: true } };
    },
  },
  {
    method: 'POST',
    path: '/admin/phones/:phone/reset',
    async answer({ network, path, json }) {
      const { isQuiet } = phoneReset.parse(json());
      return { body: { told: await resetPhone(network, namedPhone(network, path.phone), isQuiet) } };
    },
  },
  {
    method: 'POST',
    path: '/admin/phones/:phone/media',
    async answer({ network, path, json }) {
      const { to, kind, mimetype, base64, caption, fileName } = mediaMessage.parse(json());
      const sealed = await encryptMedia(network, Buffer.from(base64, 'base64'), kind, mimetype);
      const message: proto.IMessage = {
        [`${kind}Message`]: { ...sealed, caption, ...(kind === 'document' && { fileName }) },
      };
      const from = namedPhone(network, path.phone);
      const id = await writeMessage(network, from, to, message, { stanzaType: 'media', mediaType: kind });
      return { status: 201, body: { id } };
    },
  },
];

/** The chat as the phone itself names it. */
function chatOf(network: Network, from: User, to: string): string {
  return isGroupAddress(to) ? to : addressOf(network.users.ensure(to), from.script.addressing);
}

function describePhone(network: Network, user: User) {
  return {
    phoneNumber: user.phone,
    lid: user.lid,
    name: user.name,
    ...user.script,
    banned: user.banned,
    refusedMessages: user.refusedMessages,
    queries: user.queries,
    devices: [...user.devices.values()].map((device) => ({
      device: device.number,
      platform: device.platform,
      online: device.link !== undefined,
      waiting: network.queue.countWaiting(device).all,
    })),
  };
}
