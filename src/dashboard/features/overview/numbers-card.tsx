import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import type { PhoneNumber } from '../../../sdk/index.ts';
import { Status, type Tone } from '../../parts/feedback/status.tsx';
import { Waiting } from '../../parts/feedback/waiting.tsx';
import { Card } from '../../parts/frames/card.tsx';
import { numbersQuery } from '../../queries/numbers/numbers.ts';
import classes from './overview.module.css';

const shown = 5;
const rank: Record<PhoneNumber['state'], number> = {
  banned: 0,
  logged_out: 1,
  disconnected: 2,
  pairing: 3,
  unpaired: 4,
  connected: 5,
};
const tones: Record<PhoneNumber['state'], Tone> = {
  banned: 'red',
  logged_out: 'red',
  disconnected: 'amber',
  pairing: 'blue',
  unpaired: 'grey',
  connected: 'green',
};

/** The numbers, those in trouble first. */
export function NumbersCard() {
  const t = useTranslations('overview');
  const words = useTranslations('numbers');
  const { data: numbers } = useQuery(numbersQuery);
  if (numbers === undefined) return <Waiting rows={1} height={190} />;
  const first = numbers.toSorted((a, b) => rank[a.state] - rank[b.state]).slice(0, shown);
  return (
    <Card title={words('title')} aside={<Link to="/numbers">{t('all', { count: numbers.length })}</Link>}>
      {numbers.length === 0 && <p className={classes.quiet}>{words('emptyTitle')}</p>}
      <ul className={classes.list}>
        {first.map(({ numberId, label, state, health }) => (
          <li key={numberId}>
            <Link to="/numbers/$numberId" params={{ numberId }}>
              {label}
            </Link>
            {state === 'connected' && health !== 'healthy' ? (
              <Status tone="amber">{words(`health.${health}`)}</Status>
            ) : (
              <Status tone={tones[state]}>{words(`state.${state}`)}</Status>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}
