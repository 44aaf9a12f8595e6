import { z } from 'zod';
import { cannedReplyFields, labelFields, teamFields } from '../../../../contract/conversations/team.ts';
import { timestampSchema, uuidSchema } from '../../../../contract/ids.ts';
import { answerSchemas, listOf } from '../../../openapi/schemas.ts';

const createdAt = timestampSchema;

export const teamSchema = z
  .object({ teamId: uuidSchema, ...teamFields, createdAt })
  .describe('People who work on conversations together.')
  .register(answerSchemas, { id: 'Team' });
export const teamListSchema = listOf(teamSchema, 'TeamList');

export const labelSchema = z
  .object({ labelId: uuidSchema, ...labelFields, createdAt })
  .describe('A label for conversations.')
  .register(answerSchemas, { id: 'Label' });
export const labelListSchema = listOf(labelSchema, 'LabelList');

export const cannedReplySchema = z
  .object({ cannedReplyId: uuidSchema, ...cannedReplyFields, createdAt })
  .describe('A reply that people can insert.')
  .register(answerSchemas, { id: 'CannedReply' });
export const cannedReplyListSchema = listOf(cannedReplySchema, 'CannedReplyList');
