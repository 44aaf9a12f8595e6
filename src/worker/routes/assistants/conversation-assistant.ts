import { Hono } from 'hono';
import { z } from 'zod';
import { uuidSchema } from '../../../contract/ids.ts';
import type { AppEnv } from '../../app-env.ts';
import { sendOrder } from '../../assistants/turns/send-order.ts';
import { personOf, signedIn } from '../../auth/callers.ts';
import { renderRefusal } from '../../http/refusal-response.ts';
import { jsonBody } from '../../http/request/json-body.ts';
import { notFound, uuidPathId } from '../../http/request/path-id.ts';
import { askLog } from '../../object-calls.ts';

export const conversationAssistantRoutes = new Hono<AppEnv>();

const orderSchema = z.strictObject({
  action: z.enum(['pause', 'resume', 'hand_off']),
  assistantId: uuidSchema.toLowerCase().optional(),
});

const noSuchConversation = notFound('conversation');

conversationAssistantRoutes.post(
  '/:id/assistant',
  signedIn,
  uuidPathId('id', 'conversation'),
  jsonBody(orderSchema),
  async (c) => {
    const { accountId } = c.get('caller');
    const { action, assistantId = null } = c.req.valid('json');
    const by = { kind: 'person' as const, userId: personOf(c).userId };
    const conversationId = c.req.param('id');
    const ordered = await askLog(c.env, accountId, (log) =>
      log.orderAssistant(conversationId, action, assistantId, by),
    );
    if (ordered === null) return renderRefusal(c, noSuchConversation);
    if (!ordered.ok) return renderRefusal(c, ordered);
    const { order } = ordered.decided;
    if (order !== null) await sendOrder(c.env, accountId, order);
    const conversation = await askLog(c.env, accountId, (log) => log.conversation(conversationId));
    return c.json({ conversationId, botState: conversation?.botState ?? 'off' });
  },
);
