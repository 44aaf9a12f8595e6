import { useEffect, useRef } from 'react';
import { gateway } from '../../../gateway/client.ts';
import { useStore } from '../../../gateway/store.ts';
import { presence, takePresence } from '../../../queries/conversations/presence.ts';
import { useOwnId } from '../people/names.ts';

const viewingEveryMs = 20_000;
const typingEveryMs = 5_000;

/** Tells colleagues that it is looked at, or written in, and the other side that somebody writes. Answers who else is there. */
export function usePresence(conversationId: string, isTyping: boolean) {
  const ownId = useOwnId();
  useEffect(() => {
    const tell = (state: 'viewing' | 'typing' | 'left') =>
      gateway.conversations.view(conversationId, state, { retryForMs: 0 }).then(takePresence, () => {});
    const say = () => {
      if (document.visibilityState !== 'visible') return;
      void tell(isTyping ? 'typing' : 'viewing');
      if (isTyping)
        void gateway.conversations.showTyping(conversationId, 'typing', { retryForMs: 0 }).catch(() => {});
    };
    say();
    const timer = setInterval(say, isTyping ? typingEveryMs : viewingEveryMs);
    const onVisible = () => {
      if (document.visibilityState === 'visible') say();
      else void tell('left');
    };
    document.addEventListener('visibilitychange', onVisible);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', onVisible);
      if (isTyping)
        void gateway.conversations.showTyping(conversationId, 'paused', { retryForMs: 0 }).catch(() => {});
    };
  }, [conversationId, isTyping]);
  useEffect(() => {
    const leave = () => {
      void gateway.conversations.view(conversationId, 'left', { retryForMs: 0 }).catch(() => {});
    };
    return leave;
  }, [conversationId]);
  const shown = useStore(presence).conversations.get(conversationId);
  const others = shown?.people.filter(({ userId }) => userId !== ownId) ?? [];
  const lockedBy = others.find(({ userId }) => userId === shown?.lockedBy) ?? null;
  return { others, lockedBy };
}

export type PeopleHere = ReturnType<typeof usePresence>;

/** So long after the last key somebody is not writing any more. */
const restMs = 4_000;

/** Whether somebody is writing right now. */
export function useTyping(onTyping: (isTyping: boolean) => void) {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const tell = useRef(onTyping);
  tell.current = onTyping;
  const stop = useRef(() => {
    clearTimeout(timer.current);
    tell.current(false);
  });
  const typed = useRef((hasText: boolean) => {
    clearTimeout(timer.current);
    tell.current(hasText);
    if (hasText) timer.current = setTimeout(() => tell.current(false), restMs);
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  return { typed: typed.current, stop: stop.current };
}
