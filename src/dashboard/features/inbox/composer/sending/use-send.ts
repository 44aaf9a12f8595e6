import { useMutation } from '@tanstack/react-query';
import { gateway } from '../../../../gateway/client.ts';
import { queryClient } from '../../../../gateway/query-client.ts';
import { detailsOutdated } from '../../../../queries/conversations/conversation-details.ts';
import { addMessage, addNote, ownSends } from '../../../../queries/conversations/conversation-items.ts';
import { type Draft, draftStore, restored } from '../drafts.ts';
import { type OutgoingPart, partsOf, unsentOf } from './outgoing.ts';

/** A draft that is on its way. */
export interface Sending {
  draft: Draft;
  sendAt: string | null;
}

const sends = 'inbox-send';
export const sendKey = (conversationId: string) => [sends, conversationId] as const;

// What has not left yet is nowhere but in this tab: the browser asks before it is closed.
window.addEventListener('beforeunload', (event) => {
  if (queryClient.isMutating({ mutationKey: [sends] }) > 0) event.preventDefault();
});

/** What failed without an answer may have arrived: the same words go out under the same key. */
const uncertain = new Map<string, string>();

function keyOf(conversationId: string, part: unknown): { name: string; key: string } {
  const name = JSON.stringify([conversationId, part]);
  const key = uncertain.get(name) ?? `inbox-${crypto.randomUUID()}`;
  uncertain.set(name, key);
  return { name, key };
}

/** Sends drafts one after the other, in order. What could not be sent is in the composer again. */
export function useSend(conversationId: string) {
  return useMutation({
    mutationKey: sendKey(conversationId),
    scope: { id: `inbox-send ${conversationId}` },
    mutationFn: async ({ draft, sendAt }: Sending) => {
      if (draft.isNote) {
        const { name, key } = keyOf(conversationId, { note: draft.text });
        const note = await ownSends.send(conversationId, () =>
          gateway.conversations.note(conversationId, draft.text, { idempotencyKey: key }),
        );
        uncertain.delete(name);
        addNote(conversationId, note);
        return;
      }
      const parts = partsOf(draft, sendAt);
      let sent = 0;
      try {
        for (const part of parts) {
          await sendPart(conversationId, part);
          sent += 1;
        }
      } catch (error) {
        throw new NotAllSent(error, unsentOf(draft, parts, sent));
      }
    },
    onError: (error, { draft }) => {
      const store = draftStore(conversationId);
      store.set(restored(error instanceof NotAllSent ? error.unsent : draft, store.value));
    },
    onSettled: (_, __, { sendAt }) => {
      if (sendAt !== null) void detailsOutdated(conversationId, 'scheduled');
    },
  });
}

async function sendPart(conversationId: string, { reply }: OutgoingPart): Promise<void> {
  const { name, key } = keyOf(conversationId, reply);
  const { messageId } = await ownSends.send(conversationId, () =>
    gateway.conversations.answer(conversationId, reply, { idempotencyKey: key }),
  );
  uncertain.delete(name);
  if (!('sendAt' in reply)) await addMessage(conversationId, messageId);
}

/** Why not all of a draft was sent, and what of it was not. */
class NotAllSent extends Error {
  readonly unsent: Draft;

  constructor(cause: unknown, unsent: Draft) {
    super('Not all was sent', { cause });
    this.unsent = unsent;
  }
}

/** What the gateway has said. */
export const reasonOf = (error: unknown): unknown => (error instanceof NotAllSent ? error.cause : error);
