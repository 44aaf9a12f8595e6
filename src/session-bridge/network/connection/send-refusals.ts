import type { ChatType } from '../../../contract/messages/message.ts';

/** What may help where the network refused a message: the first two in a chat of two, the last in a group. */
export type Remedy = 'other address' | 'fresh sessions' | 'fresh members';

/** The remedy for a code of the network; once a message, and never the same again. */
export function remedyFor(errorCode: string, chatType: ChatType): Remedy | null {
  if (chatType === 'group') return errorCode === '421' ? 'fresh members' : null;
  if (errorCode === '463' || errorCode === '400') return 'other address';
  return errorCode === '479' ? 'fresh sessions' : null;
}
