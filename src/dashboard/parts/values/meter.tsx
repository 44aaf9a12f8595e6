import classes from './values.module.css';

interface MeterProps {
  /** Of what there is room for; 1: all. */
  share: number;
  /** From which share on it is amber; what is full is red. */
  warnFrom?: number;
  height: number;
  isFaint?: boolean;
}

/** A bar that fills up, beside words that say the same. */
export function Meter({ share, warnFrom = 1, height, isFaint = false }: MeterProps) {
  const tone = share >= 1 ? 'red' : share >= warnFrom ? 'amber' : isFaint ? 'faint' : 'ink';
  return (
    <div
      className={classes.meter}
      data-tone={tone}
      data-faint={isFaint}
      style={{ height }}
      aria-hidden="true"
    >
      <i style={{ width: `${Math.min(1, share) * 100}%` }} />
    </div>
  );
}
