import { useEffect, useRef } from 'react';

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
