import type { Draft } from '../drafts.ts';

/** A draft that is on its way. */
export interface Sending {
  draft: Draft;
  sendAt: string | null;
}

export const sendKey = (conversationId: string) => ['inbox-send', conversationId] as const;
