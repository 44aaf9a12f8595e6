import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { lazy } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import type { PhoneNumber, Traffic } from '../../../sdk/index.ts';
import { Status, type Tone } from '../../parts/feedback.tsx';
import { DataTable } from '../../parts/lists/data-table.tsx';
import { ResourcePage } from '../../parts/lists/list-page.tsx';
import { readable } from '../../parts/values/phone-numbers.ts';
import { usageQuery } from '../../queries/account.ts';
import { numbersQuery, numbersTrafficQuery } from '../../queries/numbers.ts';
import classes from './numbers.module.css';

const noTraffic = { queued: 0, sent: 0, delivered: 0, read: 0, failed: 0, received: 0 };

const AddNumber = lazy(() => import('./pairing/add-number.tsx'));

export default function NumbersPage() {
  const t = useTranslations('numbers');
  const { add: isAdding = false } = useSearch({ from: '/signed-in/numbers' });
  const navigate = useNavigate();
  const numbers = useQuery(numbersQuery);
  const adding = {
    open: () => void navigate({ to: '.', search: { add: true } }),
    close: () => void navigate({ to: '.', search: {}, replace: true }),
  };
  return (
    <ResourcePage
      title={t('title')}
      lead={t('lead')}
      query={numbers}
      rows={numbers.data}
      add={t('add')}
      adding={[isAdding, adding]}
      empty={{ icon: 'numbers', title: t('emptyTitle'), lead: t('emptyLead') }}
      list={(rows) => <NumbersTable numbers={rows} />}
      dialog={(onClose) => <AddNumber onClose={onClose} />}
    />
  );
}

function NumbersTable({ numbers }: { numbers: readonly PhoneNumber[] }) {
  const t = useTranslations('numbers');
  const common = useTranslations('common');
  const format = useFormatter();
  const usage = useQuery(usageQuery);
  const traffic = useQuery(numbersTrafficQuery);
  const { numberId: openId } = useParams({ strict: false });
  // Who did nothing is left out there.
  const none = traffic.data?.data.map(({ at }) => ({ ...noTraffic, at })) ?? [];
  const hours = (id: string) => traffic.data?.byNumber?.find(({ numberId }) => numberId === id)?.data ?? none;
  const used = (id: string) => usage.data?.byNumber.find(({ numberId }) => numberId === id)?.used ?? 0;
  return (
    <DataTable
      rows={numbers}
      keyOf={(number) => number.numberId}
      openKey={openId}
      columns={[
        {
          head: common('number'),
          isLongWord: true,
          cell: (number) => (
            <>
              <Link to="/numbers/$numberId" params={{ numberId: number.numberId }}>
                {number.label}
              </Link>
              <small>{number.phoneNumber === null ? t('notPaired') : readable(number.phoneNumber)}</small>
            </>
          ),
        },
        {
          head: common('state'),
          cell: (number) => <Status tone={stateTone[number.state]}>{t(`state.${number.state}`)}</Status>,
        },
        {
          head: t('columnHealth'),
          isWide: true,
          cell: (number) => <Status tone={healthTone[number.health]}>{t(`health.${number.health}`)}</Status>,
        },
        {
          head: common('poolTitle'),
          isWide: true,
          isQuiet: true,
          cell: (number) => (number.inPool ? common('inPool') : t('notInPool')),
        },
        {
          head: t('columnDay'),
          isWide: true,
          cell: (number) => <Sparkline hours={hours(number.numberId)} />,
        },
        {
          head: t('columnMonth'),
          isWide: true,
          isFigure: true,
          cell: (number) => format.number(used(number.numberId)),
        },
      ]}
    />
  );
}

type Hours = NonNullable<Traffic['byNumber']>[number]['data'];

const width = 120;
const height = 24;
const gap = 1;
/** Even an hour of one message can be seen. */
const barMin = 2;

/** The last 24 hours of a number, an hour a bar, against its own busiest hour. */
function Sparkline({ hours }: { hours: Hours }) {
  const t = useTranslations('numbers');
  const figures = hours.map(({ sent, received }) => sent + received);
  const most = Math.max(1, ...figures);
  const step = width / Math.max(1, hours.length);
  const sum = (name: 'sent' | 'received') => hours.reduce((total, hour) => total + hour[name], 0);
  const label = t('dayOf', { sent: sum('sent'), received: sum('received') });
  return (
    <svg className={classes.spark} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      <title>{label}</title>
      {hours.map(({ at }, index) => {
        const figure = figures[index] ?? 0;
        const bar = figure === 0 ? 1 : Math.max(barMin, (figure / most) * height);
        return (
          <rect
            key={at}
            data-lit={figure > 0}
            x={index * step}
            y={height - bar}
            width={step - gap}
            height={bar}
          />
        );
      })}
    </svg>
  );
}

export const stateTone: Record<PhoneNumber['state'], Tone> = {
  unpaired: 'grey',
  pairing: 'blue',
  connected: 'green',
  disconnected: 'amber',
  logged_out: 'red',
  banned: 'red',
};

export const healthTone: Record<PhoneNumber['health'], Tone> = {
  healthy: 'green',
  resting: 'amber',
  restricted: 'amber',
  unavailable: 'grey',
};

/** Whether a new pairing is what it needs. */
export const needsPairing = ({ state }: PhoneNumber): boolean =>
  state === 'unpaired' || state === 'pairing' || state === 'logged_out';
