import { z } from 'zod';
import { uuidSchema } from '../ids.ts';

/** People of one team. */
const membersMax = 200;

/** What a person sets of a team. */
export const teamFields = {
  name: z.string().trim().min(1).max(100),
  description: z.string().max(500).nullable(),
  memberIds: z
    .array(uuidSchema)
    .max(membersMax)
    .refine((ids) => new Set(ids).size === ids.length, 'Lists a member twice.')
    .describe('The user IDs of its members.'),
  autoAssign: z
    .boolean()
    .describe('Whether unassigned open conversations are assigned to the members who are online, in turn.'),
  capPerAgent: z
    .int()
    .min(1)
    .max(1_000)
    .nullable()
    .describe('The number of open conversations at which a member is assigned no more. Null: no limit.'),
};

export const teamSchema = z.strictObject(teamFields);
export type Team = z.infer<typeof teamSchema>;

/** What a person sets of a label of conversations. */
export const labelFields = {
  name: z.string().trim().min(1).max(50),
  color: z.string().regex(/^#[0-9a-f]{6}$/, 'Must be a hex color such as #1f6feb.'),
  description: z.string().max(500).nullable(),
};

export const labelSchema = z.strictObject(labelFields);
export type Label = z.infer<typeof labelSchema>;

/** What a person sets of a canned reply. */
export const cannedReplyFields = {
  shortcut: z.string().regex(/^[\p{L}\p{N}_-]{1,40}$/u, '1 to 40 letters, digits, _ and -.'),
  /** As that of a message: it becomes one. */
  text: z
    .string()
    .min(1)
    .max(4_096)
    .refine((text) => text.trim() !== '', 'Must not be blank.')
    .refine((text) => !text.includes('\0'), 'Not valid text: it contains a NUL character.'),
  teamId: uuidSchema.nullable().describe('Only for this team. Null: for everyone.'),
};

export const cannedReplySchema = z.strictObject(cannedReplyFields);
export type CannedReply = z.infer<typeof cannedReplySchema>;
