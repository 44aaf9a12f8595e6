import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { shortText } from '../../../../contract/texts/cut-text.ts';
import { inboxLive } from '../../../gateway/live.ts';
import { keepFilters } from '../inbox-search.ts';

const storageKey = 'heliograph-notifications';
/** Many at once are one notice. */
const tag = 'heliograph-inbox';

const isWanted = () =>
  'Notification' in window &&
  Notification.permission === 'granted' &&
  localStorage.getItem(storageKey) === 'on';

/** Notices of the browser about what people write, while the tab is not looked at. */
export function useNotifications(): void {
  const t = useTranslations('inbox');
  const navigate = useNavigate();
  const words = useRef({ t, navigate });
  words.current = { t, navigate };
  useEffect(
    () =>
      inboxLive.onEvent((event) => {
        if (event.event !== 'message.received' || document.visibilityState === 'visible' || !isWanted())
          return;
        const { pushName, from, text, messageType } = event.data;
        const shown = new Notification(pushName === '' ? from : pushName, {
          body: text === '' ? words.current.t('kind', { type: messageType }) : shortText(text, 140),
          tag,
        });
        shown.onclick = () => {
          window.focus();
          shown.close();
          const conversationId = event.shown?.conversation?.conversationId;
          if (conversationId === undefined) return;
          void words.current.navigate({
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
