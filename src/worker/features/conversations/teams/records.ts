import { cannedReplyFields, labelFields, teamFields } from '../../../../contract/conversations/team.ts';
import { timestampSchema, uuidSchema } from '../../../../contract/ids.ts';
import { listOf, record } from '../../../openapi/schemas.ts';

const createdAt = timestampSchema;

export const teamSchema = record('Team', 'People who work on conversations together.', {
  teamId: uuidSchema,
  ...teamFields,
  createdAt,
});
export const teamListSchema = listOf(teamSchema, 'TeamList');

export const labelSchema = record('Label', 'A label for conversations.', {
  labelId: uuidSchema,
  ...labelFields,
  createdAt,
});
export const labelListSchema = listOf(labelSchema, 'LabelList');

export const cannedReplySchema = record('CannedReply', 'A reply that people can insert.', {
  cannedReplyId: uuidSchema,
  ...cannedReplyFields,
  createdAt,
});
export const cannedReplyListSchema = listOf(cannedReplySchema, 'CannedReplyList');
