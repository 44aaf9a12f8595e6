import classes from './values.module.css';

interface MeterProps {
  /** Of what there is room for; 1: all. */
  share: number;
  /** From which share on it is amber; what is full is red. */
  warnFrom?: number;
  height: number;
  isFaint?: boolean;
  /** Whatever the share is: a colour of CSS. */
  colour?: string;
}

/** A bar that fills up, beside words that say the same. */
export function Meter({ share, warnFrom = 1, height, isFaint = false, colour }: MeterProps) {
  const tone = share >= 1 ? 'red' : share >= warnFrom ? 'amber' : isFaint ? 'ink-faint' : 'ink';
  const width = `${Math.min(1, share) * 100}%`;
  return (
    <div className={classes.meter} data-faint={isFaint} style={{ height }} aria-hidden="true">
      <i style={{ width, background: colour ?? `var(--${tone})` }} />
    </div>
  );
}
