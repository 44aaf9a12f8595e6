import { z } from 'zod';
import { phoneNumberSchema } from '../../../../contract/ids.ts';
import {
  groupSchema as contractGroup,
  personSchema as contractPerson,
} from '../../../../contract/numbers/group.ts';
import { answerSchemas, listOf, record } from '../../../openapi/schemas.ts';

const { owner: _, ...shape } = contractGroup.shape;

const personSchema = contractPerson
  .describe('A person as the network identifies them: by phone number, by privacy alias (`lid`), or by both.')
  .register(answerSchemas, { id: 'Person' });

const groupShape = {
  ...shape,
  description: shape.description.describe('Null: there is none.'),
  owner: z
    .string()
    .nullable()
    .describe('The phone number of the creator; if only their alias is known, the alias followed by `@lid`.'),
  isAnnounce: shape.isAnnounce.describe('Only admins can send messages.'),
  isLocked: shape.isLocked.describe('Only admins can change subject and description.'),
  joinApproval: shape.joinApproval.describe('Admins must approve new members.'),
  participants: shape.participants.describe('Its members. The `owner` created the group.'),
};

export const groupSchema = record('Group', 'A group that the number is in, as last reported.', groupShape);
export const groupListSchema = listOf(groupSchema, 'GroupList');

const resultSchema = z.object({
  phoneNumber: phoneNumberSchema,
  ok: z.boolean(),
  code: z
    .string()
    .optional()
    .describe("The network's own code if it refused: `403` requires an invite instead."),
});
const results = z.array(resultSchema).describe('The result for each person, in the order of the request.');

export const newGroupSchema = record('NewGroup', 'The new group, and who could be added.', {
  ...groupShape,
  results,
});

export const participantResultsSchema = record('ParticipantResults', 'The result for each person.', {
  groupId: contractGroup.shape.groupId,
  results,
});

export const inviteSchema = record('GroupInvite', 'The invite of a group.', {
  invite: z.string(),
  url: z.string().describe('The link to share.'),
});

export const joinedGroupSchema = record('JoinedGroup', 'The number is in the group.', {
  groupId: contractGroup.shape.groupId,
  status: z.literal('joined'),
  group: groupSchema,
});

export const requestedGroupSchema = record('RequestedGroup', 'An admin of the group has to approve it.', {
  groupId: contractGroup.shape.groupId,
  status: z.literal('requested'),
});

export const peopleSchema = record('People', 'People.', { data: z.array(personSchema) });
