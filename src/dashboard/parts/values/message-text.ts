import { useTranslations } from 'use-intl';
import type { Message } from '../../../sdk/index.ts';

/** Says a message in one line: its words, or what it is where it has none. */
export function useMessageText(): (message: {
  text: string | null;
  messageType: Message['messageType'];
}) => string {
  const t = useTranslations('common.messageTypes');
  return ({ text, messageType }) => text || t(messageType);
}
