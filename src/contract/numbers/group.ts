import { z } from 'zod';
import { groupIdSchema, phoneNumberSchema, timestampSchema } from '../ids.ts';

export const groupSubjectCharactersMax = 100;
export const groupDescriptionCharactersMax = 2048;
/** Members of a group at the network. */
export const groupParticipantsMax = 1024;

/** Somebody as the network names them: by phone number, by privacy alias (digits), or by both. */
export const personSchema = z.strictObject({
  phoneNumber: phoneNumberSchema.optional(),
  lid: z.string().regex(/^\d+$/).optional(),
});
export type Person = z.infer<typeof personSchema>;

/** What a member may do: an `owner` has made the group, an `admin` may change it. */
const groupRoleSchema = z.enum(['member', 'admin', 'owner']);
export type GroupRole = z.infer<typeof groupRoleSchema>;

export const participantSchema = personSchema.extend({ role: groupRoleSchema });
export type Participant = z.infer<typeof participantSchema>;

/** A group as its network has it. */
export const groupSchema = z.strictObject({
  groupId: groupIdSchema,
  subject: z.string(),
  description: z.string().nullable(),
  owner: personSchema.nullable(),
  createdAt: timestampSchema.nullable(),
  /** Only admins write. */
  isAnnounce: z.boolean(),
  /** Only admins change subject and description. */
  isLocked: z.boolean(),
  /** Admins decide about who wants to join. */
  joinApproval: z.boolean(),
  participants: z.array(participantSchema),
});
export type Group = z.infer<typeof groupSchema>;

/** What a member may change of a group, or an admin. */
export const groupSettingsSchema = groupSchema.pick({
  subject: true,
  description: true,
  isAnnounce: true,
  isLocked: true,
  joinApproval: true,
});
export type GroupSettings = z.infer<typeof groupSettingsSchema>;

export const participantActions = ['add', 'remove', 'promote', 'demote'] as const;
export type ParticipantAction = (typeof participantActions)[number];

/** What has become of somebody's wish to join. */
export const joinRequestActions = ['created', 'revoked', 'rejected'] as const;

/** What the network tells of a group between two syncs; `group` is all of it, where it came along. */
export const groupChangeSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('group'), group: groupSchema }),
  z.strictObject({
    kind: z.literal('settings'),
    settings: groupSettingsSchema.partial(),
  }),
  z.strictObject({
    kind: z.literal('participants'),
    action: z.enum(participantActions),
    participants: z.array(personSchema).min(1),
  }),
  /** Somebody wants to join, or does not any more. */
  z.strictObject({
    kind: z.literal('join_request'),
    action: z.enum(joinRequestActions),
    participants: z.array(personSchema).min(1),
  }),
]);
export type GroupChange = z.infer<typeof groupChangeSchema>;
