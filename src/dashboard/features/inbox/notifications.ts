import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { shortText } from '../../../contract/texts/text.ts';
import { inboxLive } from '../../gateway/live.ts';
import { productName } from '../../parts/icon.tsx';
import { useMessageText } from '../../parts/values/message-text.ts';
import { countsQuery } from '../../queries/conversations/conversation-lists.ts';
import { keepFilters } from './inbox-search.ts';

const storageKey = 'heliograph-notifications';
/** Many at once are one notice. */
const tag = 'heliograph-inbox';

const isWanted = () =>
  'Notification' in window &&
  Notification.permission === 'granted' &&
  localStorage.getItem(storageKey) === 'on';

/** Notices of the browser about what people write, while the tab is not looked at. */
export function useNotifications(): void {
  const textOf = useMessageText();
  const navigate = useNavigate();
  const current = useRef({ textOf, navigate });
  current.current = { textOf, navigate };
  useEffect(
    () =>
      inboxLive.onEvent((event) => {
        if (event.event !== 'message.received' || document.visibilityState === 'visible' || !isWanted())
          return;
        const { pushName, from } = event.data;
        const shown = new Notification(pushName === '' ? from : pushName, {
          body: shortText(current.current.textOf(event.data), 140),
          tag,
        });
        shown.onclick = () => {
          window.focus();
          shown.close();
          const conversationId = event.shown?.conversation?.conversationId;
          if (conversationId === undefined) return;
          void current.current.navigate({
            to: '/inbox/$conversationId',
            params: { conversationId },
            search: keepFilters,
          });
        };
      }),
    [],
  );
}

type NotificationState = 'on' | 'off' | 'denied' | 'missing';

function stateNow(): NotificationState {
  if (!('Notification' in window)) return 'missing';
  if (Notification.permission === 'denied') return 'denied';
  return isWanted() ? 'on' : 'off';
}

/** Whether there are notices, and the switch: the browser is asked at a press alone. */
export function useNotificationSwitch(): { state: NotificationState; toggle: () => void } {
  const [state, setState] = useState(stateNow);
  const toggle = async () => {
    if (isWanted()) localStorage.removeItem(storageKey);
    else if ((await Notification.requestPermission()) === 'granted') localStorage.setItem(storageKey, 'on');
    setState(stateNow());
  };
  return { state, toggle: () => void toggle() };
}

/** How many wait for an answer, in the title of the tab and as a dot on its picture. */
export function useBadge(): void {
  const t = useTranslations('inbox');
  const { data } = useQuery(countsQuery);
  const waiting = data?.waiting ?? 0;
  const title = t('title');
  useEffect(() => {
    document.title = `${waiting > 0 ? `(${waiting}) ` : ''}${title} · ${productName}`;
  }, [waiting, title]);
  const isDotted = waiting > 0;
  useEffect(() => {
    if (!isDotted) return;
    const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    if (link === null) return;
    const plain = link.href;
    link.href = dotted();
    return () => {
      link.href = plain;
    };
  }, [isDotted]);
}

/** The mark with a dot, as a picture of its own. */
function dotted(): string {
  const picture = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path fill="#e08a00" d="M11 12.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17ZM17.5 11.5 23.5 1.5 30.5 8.5 20.5 14.5Z"/><circle cx="25" cy="25" r="7" fill="#d92d20"/></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(picture)}`;
}
