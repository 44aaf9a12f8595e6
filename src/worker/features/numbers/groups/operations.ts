import { type Context, Hono } from 'hono';
import { z } from 'zod';
import type { PersonOutcome, QueryOf, QueryVerb } from '../../../../contract/bridge/network-queries.ts';
import {
  type Group,
  groupDescriptionCharactersMax,
  groupParticipantsMax,
  groupSubjectCharactersMax,
  participantActions,
} from '../../../../contract/numbers/group.ts';
import type { AppEnv } from '../../../app-env.ts';
import { keyOrAdministrator } from '../../../auth/callers.ts';
import { renderRefusal } from '../../../http/answer/refusal-response.ts';
import { emptyBody, jsonBody } from '../../../http/request/body/json-body.ts';
import { cursorBehind, groupListQuery, query } from '../../../http/request/query.ts';
import { groupPathId, isPlainText, notFound, plainTextProblem } from '../../../http/request/shared-fields.ts';
import { askNumber } from '../../../object-calls.ts';
import { addressField } from '../../messages/sending/recipient.ts';
import { askNetwork, knownNumber, numberPath } from '../own-number.ts';
import type {
  groupListSchema,
  groupSchema,
  inviteSchema,
  joinedGroupSchema,
  newGroupSchema,
  participantResultsSchema,
  peopleSchema,
  requestedGroupSchema,
} from './records.ts';

export const groupRoutes = new Hono<AppEnv>();

const caller = keyOrAdministrator('groups');
const groupPath = groupPathId('groupId');

const plain = (text: z.ZodString) => text.refine(isPlainText, plainTextProblem);
const subject = plain(z.string().min(1).max(groupSubjectCharactersMax)).refine(
  (text) => text.trim() !== '',
  'Must not be blank.',
);
const description = plain(z.string().max(groupDescriptionCharactersMax));
const participants = z
  .array(addressField)
  .max(groupParticipantsMax)
  // The network names each of whom it knows nothing.
  .transform((readings) => [...new Set(readings.flatMap(({ digits, perhaps }) => digits ?? perhaps ?? []))]);
const someParticipants = participants.refine(
  (phoneNumbers) => phoneNumbers.length > 0,
  'Must have at least one.',
);

const newGroup = z.strictObject({ subject, participants });
const groupChanges = z
  .strictObject({
    subject,
    description: description.nullable(),
    isAnnounce: z.boolean(),
    isLocked: z.boolean(),
    joinApproval: z.boolean(),
  })
  .partial();
const participantChange = z.strictObject({
  action: z.enum(participantActions),
  participants: someParticipants,
});
const decision = z.strictObject({ action: z.enum(['approve', 'reject']), participants: someParticipants });

const inviteHost = 'https://chat.whatsapp.com/';
/** The code of an invite, or the address that people share. */
const invitation = z.strictObject({
  invite: z
    .string()
    .max(200)
    .transform(
      (text) =>
        text
          .trim()
          .replace(/^https?:\/\/chat\.whatsapp\.com\/(invite\/)?/i, '')
          .split('?')[0] ?? '',
    )
    .refine((code) => /^[A-Za-z0-9_-]{8,64}$/.test(code), 'Neither an invite code nor an invite link.'),
});

/** A group as the API shows it: somebody known by alias alone is `<digits>@lid`. */
const show = ({ owner, ...group }: Group) => ({
  ...group,
  owner: owner?.phoneNumber ?? (owner?.lid === undefined ? null : `${owner.lid}@lid`),
});

const results = (outcomes: readonly PersonOutcome[]) =>
  outcomes.map(({ phoneNumber, ok, code }) => ({ phoneNumber, ok, ...(code === undefined ? {} : { code }) }));

const groupIdOf = (c: Context<AppEnv>) => c.req.param('groupId') ?? '';

/** Asks about the group that the path names; `render` makes the answer. */
async function answer<Verb extends QueryVerb>(
  c: Context<AppEnv>,
  asking: QueryOf<Verb>,
  render: (answer: Extract<Awaited<ReturnType<typeof askNetwork<Verb>>>, { ok: true }>['answer']) => Response,
): Promise<Response> {
  const asked = await askNetwork<Verb>(c, asking);
  return asked.ok ? render(asked.answer) : renderRefusal(c, asked);
}

groupRoutes.get(
  '/:id/groups',
  caller,
  numberPath,
  query(z.strictObject(groupListQuery)),
  knownNumber,
  async (c) => {
    const { limit, cursor } = c.req.valid('query');
    const { groups, hasMore } = await askNumber(c.env, c.req.param('id'), (number) =>
      number.groups(limit, cursor ?? null),
    );
    const last = groups.at(-1);
    const nextCursor = hasMore && last ? cursorBehind(c, last.groupId) : null;
    return c.json<z.infer<typeof groupListSchema>>({ data: groups.map(show), nextCursor });
  },
);

groupRoutes.post('/:id/groups', caller, numberPath, jsonBody(newGroup), knownNumber, (c) =>
  answer(c, { verb: 'groups.create', ...c.req.valid('json') }, ({ group, outcomes }) =>
    c.json<z.infer<typeof newGroupSchema>>({ ...show(group), results: results(outcomes) }, 201),
  ),
);

groupRoutes.post('/:id/groups/sync', caller, numberPath, emptyBody, knownNumber, (c) =>
  answer(c, { verb: 'groups.sync' }, () => c.body(null, 202)),
);

groupRoutes.post('/:id/groups/join', caller, numberPath, jsonBody(invitation), knownNumber, (c) =>
  answer(c, { verb: 'groups.join', ...c.req.valid('json') }, ({ groupId, group }) =>
    group === null
      ? c.json<z.infer<typeof requestedGroupSchema>>({ groupId, status: 'requested' as const }, 202)
      : c.json<z.infer<typeof joinedGroupSchema>>({ groupId, status: 'joined' as const, group: show(group) }),
  ),
);

groupRoutes.get('/:id/groups/:groupId', caller, numberPath, groupPath, knownNumber, async (c) => {
  const group = await askNumber(c.env, c.req.param('id'), (number) => number.group(groupIdOf(c)));
  if (group === null) return renderRefusal(c, notFound('group'));
  return c.json<z.infer<typeof groupSchema>>(show(group));
});

groupRoutes.patch(
  '/:id/groups/:groupId',
  caller,
  numberPath,
  groupPath,
  jsonBody(groupChanges),
  knownNumber,
  (c) => {
    const { description: text, ...changes } = c.req.valid('json');
    const withText = text === undefined ? changes : { ...changes, description: text ?? '' };
    return answer(c, { verb: 'groups.change', groupId: groupIdOf(c), ...withText }, ({ group }) =>
      c.json<z.infer<typeof groupSchema>>(show(group)),
    );
  },
);

groupRoutes.delete('/:id/groups/:groupId', caller, numberPath, groupPath, knownNumber, (c) =>
  answer(c, { verb: 'groups.leave', groupId: groupIdOf(c) }, () => c.body(null, 204)),
);

groupRoutes.post(
  '/:id/groups/:groupId/participants',
  caller,
  numberPath,
  groupPath,
  jsonBody(participantChange),
  knownNumber,
  (c) =>
    answer(
      c,
      { verb: 'groups.participants', groupId: groupIdOf(c), ...c.req.valid('json') },
      ({ outcomes }) =>
        c.json<z.infer<typeof participantResultsSchema>>({
          groupId: groupIdOf(c),
          results: results(outcomes),
        }),
    ),
);

const showInvite = (c: Context<AppEnv>, renew: boolean) =>
  answer(c, { verb: 'groups.invite', groupId: groupIdOf(c), renew }, ({ invite }) =>
    c.json<z.infer<typeof inviteSchema>>({ invite, url: `${inviteHost}${invite}` }),
  );

groupRoutes.get('/:id/groups/:groupId/invite', caller, numberPath, groupPath, knownNumber, (c) =>
  showInvite(c, false),
);

groupRoutes.delete('/:id/groups/:groupId/invite', caller, numberPath, groupPath, knownNumber, (c) =>
  showInvite(c, true),
);

groupRoutes.get('/:id/groups/:groupId/join-requests', caller, numberPath, groupPath, knownNumber, (c) =>
  answer(c, { verb: 'groups.requests', groupId: groupIdOf(c) }, ({ participants: data }) =>
    c.json<z.infer<typeof peopleSchema>>({ data }),
  ),
);

groupRoutes.post(
  '/:id/groups/:groupId/join-requests',
  caller,
  numberPath,
  groupPath,
  jsonBody(decision),
  knownNumber,
  (c) =>
    answer(c, { verb: 'groups.decide', groupId: groupIdOf(c), ...c.req.valid('json') }, ({ outcomes }) =>
      c.json<z.infer<typeof participantResultsSchema>>({ groupId: groupIdOf(c), results: results(outcomes) }),
    ),
);
