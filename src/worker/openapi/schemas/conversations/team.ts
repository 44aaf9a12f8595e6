import { z } from 'zod';
import { cannedReplyFields, labelFields, teamFields } from '../../../../contract/conversations/team.ts';
import { timestampSchema, uuidSchema } from '../../../../contract/ids.ts';
import { pageOf } from '../common.ts';

const createdAt = timestampSchema;

export const teamSchema = z
  .object({ teamId: uuidSchema, ...teamFields, createdAt })
  .describe('Who works at conversations together.');
export const teamListSchema = pageOf(teamSchema);

export const labelSchema = z
  .object({ labelId: uuidSchema, ...labelFields, createdAt })
  .describe('A label of conversations.');
export const labelListSchema = pageOf(labelSchema);

export const cannedReplySchema = z
  .object({ cannedReplyId: uuidSchema, ...cannedReplyFields, createdAt })
  .describe('An answer that people have at hand.');
export const cannedReplyListSchema = pageOf(cannedReplySchema);
