import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { checkedNumbersMax, typingStates } from '../../../../contract/bridge/network-queries.ts';
import { refuse } from '../../../../contract/errors.ts';
import { groupIdSchema } from '../../../../contract/ids.ts';
import type { AppEnv } from '../../../app-env.ts';
import { keyOrAdministrator } from '../../../auth/callers.ts';
import { renderRefusal } from '../../../http/answer/refusal-response.ts';
import { emptyBody, jsonBody } from '../../../http/request/body/json-body.ts';
import { askAccount } from '../../../object-calls.ts';
import { addressOf, allAddressesOf } from '../../messages/sending/known-addresses.ts';
import { addressField, readPhoneNumber } from '../../messages/sending/recipient.ts';
import type { peopleSchema } from '../groups/records.ts';
import { askNetwork, knownNumber, numberPath } from '../own-number.ts';
import type { checkedContactsSchema, pictureSchema } from './records.ts';

/** What a number asks the network about others, or shows them. */
export const contactQueryRoutes = new Hono<AppEnv>();

const caller = keyOrAdministrator('contacts');
const sender = keyOrAdministrator('messages:send');

const checkBody = z.strictObject({
  phoneNumbers: z.array(addressField).min(1).max(checkedNumbersMax),
});

contactQueryRoutes.post(
  '/:id/contacts/check',
  caller,
  numberPath,
  jsonBody(checkBody),
  knownNumber,
  async (c) => {
    const { phoneNumbers: readings } = c.req.valid('json');
    const read = await allAddressesOf(c.env, c.get('caller').accountId, readings, 'phoneNumbers');
    if (!read.ok) return renderRefusal(c, read);
    const asked = await askNetwork(c, { verb: 'contacts.check', phoneNumbers: read.phoneNumbers });
    if (!asked.ok) return renderRefusal(c, asked);
    const { contacts } = asked.answer;
    const account = c.env.ACCOUNT.getByName(c.get('caller').accountId);
    if (contacts.some(({ address }) => address !== undefined)) await account.noteChecked(contacts);
    return c.json<z.infer<typeof checkedContactsSchema>>({ data: contacts });
  },
);

const noSuchChat = refuse('NOT_FOUND', 'The path names neither a phone number nor a group.');

/** The group that the path names, or the digits that the network has for the phone number; null for anything else. */
async function chatOf(c: Context<AppEnv>, parameter: string): Promise<string | null> {
  const named = c.req.param(parameter) ?? '';
  if (groupIdSchema.safeParse(named).success) return named;
  const { accountId } = c.get('caller');
  const phoneNumber = await addressOf(c.env, accountId, readPhoneNumber(named));
  return phoneNumber && askAccount(c.env, accountId, (account) => account.addressOf(phoneNumber));
}

contactQueryRoutes.get('/:id/chats/:chat/picture', caller, numberPath, knownNumber, async (c) => {
  const contact = await chatOf(c, 'chat');
  if (contact === null) return renderRefusal(c, noSuchChat);
  const asked = await askNetwork(c, { verb: 'contacts.picture', contact });
  return asked.ok ? c.json<z.infer<typeof pictureSchema>>(asked.answer) : renderRefusal(c, asked);
});

contactQueryRoutes.get('/:id/blocked', caller, numberPath, knownNumber, async (c) => {
  const asked = await askNetwork(c, { verb: 'contacts.blocked' });
  if (!asked.ok) return renderRefusal(c, asked);
  return c.json<z.infer<typeof peopleSchema>>({ data: asked.answer.contacts });
});

async function setBlocked(c: Context<AppEnv>, blocked: boolean): Promise<Response> {
  const phoneNumber = await chatOf(c, 'phoneNumber');
  if (phoneNumber === null || phoneNumber.includes('@')) return renderRefusal(c, noSuchChat);
  const asked = await askNetwork(c, { verb: 'contacts.block', phoneNumber, blocked });
  return asked.ok ? c.body(null, 204) : renderRefusal(c, asked);
}

contactQueryRoutes.put('/:id/blocked/:phoneNumber', caller, numberPath, emptyBody, knownNumber, (c) =>
  setBlocked(c, true),
);

contactQueryRoutes.delete('/:id/blocked/:phoneNumber', caller, numberPath, knownNumber, (c) =>
  setBlocked(c, false),
);

const typingBody = z.strictObject({ state: z.enum(typingStates) });

contactQueryRoutes.post(
  '/:id/chats/:chat/typing',
  sender,
  numberPath,
  jsonBody(typingBody),
  knownNumber,
  async (c) => {
    const chat = await chatOf(c, 'chat');
    if (chat === null) return renderRefusal(c, noSuchChat);
    const asked = await askNetwork(c, { verb: 'chats.typing', chat, ...c.req.valid('json') });
    return asked.ok ? c.body(null, 204) : renderRefusal(c, asked);
  },
);
