import { Hono } from 'hono';
import { z } from 'zod';
import { uuidSchema } from '../../../../contract/ids.ts';
import { assistantActions } from '../../../../durable/event-log/assistants/turns/participation.ts';
import type { AppEnv } from '../../../app-env.ts';
import { signedIn } from '../../../auth/callers.ts';
import { openDatabase } from '../../../db/database.ts';
import { renderRefusal } from '../../../http/answer/refusal-response.ts';
import { jsonBody } from '../../../http/request/body/json-body.ts';
import { notFound, uuidPathId } from '../../../http/request/shared-fields.ts';
import { askLog } from '../../../object-calls.ts';
import {
  actorOf,
  conversationPath,
  noSuchConversation,
  ownConversation,
} from '../../conversations/own-conversation.ts';
import { namesOfAssistants } from '../rows.ts';
import { sendOrder } from '../turns/send-order.ts';
import type { conversationAssistantSchema, runSchema, standingSchema } from './records.ts';
import { showRun } from './shown-run.ts';

/** The assistants of a conversation, for whoever may see the conversation. */
export const conversationAssistantRoutes = new Hono<AppEnv>();

const orderSchema = z.strictObject({
  action: z.enum(assistantActions),
  assistantId: uuidSchema.optional(),
});

conversationAssistantRoutes.post(
  '/:id/assistant',
  signedIn,
  conversationPath,
  jsonBody(orderSchema),
  async (c) => {
    const { accountId } = c.get('caller');
    const found = await ownConversation(c);
    if (found === null) return renderRefusal(c, noSuchConversation);
    const { action, assistantId = null } = c.req.valid('json');
    const { conversationId } = found;
    const ordered = await askLog(c.env, accountId, (log) =>
      log.orderAssistant(conversationId, action, assistantId, actorOf(c)),
    );
    if (ordered === null) return renderRefusal(c, noSuchConversation);
    if (!ordered.ok) return renderRefusal(c, ordered);
    const { order } = ordered.decided;
    if (order !== null) await sendOrder(c.env, accountId, order);
    const conversation = await askLog(c.env, accountId, (log) => log.conversation(conversationId));
    return c.json<z.infer<typeof conversationAssistantSchema>>({
      conversationId,
      botState: conversation?.botState ?? 'off',
    });
  },
);

conversationAssistantRoutes.get('/:id/assistant', signedIn, conversationPath, async (c) => {
  const { accountId } = c.get('caller');
  const found = await ownConversation(c);
  if (found === null) return renderRefusal(c, noSuchConversation);
  const { conversationId, numberId, botState, groupId } = found;
  const standing = await askLog(c.env, accountId, (log) =>
    log.assistantStanding({ conversationId, numberId }),
  );
  const { assistantId, isAnswering } = standing;
  // Nobody answers groups.
  const available = groupId === null ? standing.available : [];
  const names = await namesOfAssistants(openDatabase(c.env.DB), accountId);
  const named = (id: string) => ({ assistantId: id, name: names.get(id) ?? '' });
  const isThere = assistantId !== null && names.has(assistantId);
  return c.json<z.infer<typeof standingSchema>>({
    conversationId,
    botState,
    assistant: isThere ? named(assistantId) : null,
    isAnswering,
    available: available.map(named),
  });
});

const noSuchRun = notFound('run');

conversationAssistantRoutes.get(
  '/:id/assistant/runs/:turnId',
  signedIn,
  conversationPath,
  uuidPathId('turnId', 'run'),
  async (c) => {
    const found = await ownConversation(c);
    if (found === null) return renderRefusal(c, noSuchConversation);
    const turn = await askLog(c.env, c.get('caller').accountId, (log) =>
      log.assistantRun(c.req.param('turnId')),
    );
    return turn?.conversationId === found.conversationId
      ? c.json<z.infer<typeof runSchema>>(showRun(turn))
      : renderRefusal(c, noSuchRun);
  },
);
