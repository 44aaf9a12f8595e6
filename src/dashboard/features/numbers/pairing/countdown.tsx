import { type ReactNode, useEffect, useState } from 'react';
import classes from './pairing.module.css';

const secondsTo = (until: string) => Math.max(0, Math.ceil((Date.parse(until) - Date.now()) / 1000));

interface CountdownProps {
  until: string | null;
  children: (seconds: number) => ReactNode;
}

/** Seconds to a time, second by second. Nothing where it is not known. */
export function Countdown({ until, children }: CountdownProps) {
  const [seconds, setSeconds] = useState(() => (until === null ? 0 : secondsTo(until)));
  useEffect(() => {
    if (until === null) return;
    const timer = setInterval(() => setSeconds(secondsTo(until)), 500);
    return () => clearInterval(timer);
  }, [until]);
  if (until === null) return null;
  return <p className={classes.countdown}>{children(seconds)}</p>;
}
