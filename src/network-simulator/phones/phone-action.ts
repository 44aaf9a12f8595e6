import type { Addressing } from '../wire/addresses.ts';

/** Something a phone does for a message, now or later. It is kept as JSON until it is done. */
export type PhoneAction =
  | {
      kind: 'receipt';
      type: 'delivered' | 'read';
      messageId: string;
      senderId: number;
      groupId: string | null;
      addressing: Addressing;
    }
  | { kind: 'reply'; senderId: number; groupId: string | null; text: string };
