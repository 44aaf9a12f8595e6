import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import type { PhoneNumber } from '../../../sdk/index.ts';
import { Empty } from '../../parts/feedback/empty.tsx';
import { Status } from '../../parts/feedback/status.tsx';
import { ListPage } from '../../parts/frames/list-page.tsx';
import { ListWithPanel } from '../../parts/frames/side-panel.tsx';
import table from '../../parts/frames/table.module.css';
import { Icon } from '../../parts/icon.tsx';
import { readable } from '../../parts/values/readable-phone.ts';
import { usageQuery } from '../../queries/account/usage.ts';
import { numbersQuery } from '../../queries/numbers/numbers.ts';
import { numbersTrafficQuery } from '../../queries/numbers/traffic.ts';
import { healthTone, stateTone } from './state/number-state.ts';
import { Sparkline } from './state/sparkline.tsx';

const noTraffic = { queued: 0, sent: 0, delivered: 0, read: 0, failed: 0, received: 0 };

const AddNumber = lazy(() => import('./pairing/add-number.tsx'));

export function NumbersPage() {
  const t = useTranslations('numbers');
  const { add: isAdding = false } = useSearch({ from: '/signed-in/numbers' });
  const navigate = useNavigate();
  const close = () => void navigate({ to: '.', search: {}, replace: true });
  const numbers = useQuery(numbersQuery);
  const add = (
    <Button
      leftSection={<Icon name="plus" size={16} />}
      onClick={() => void navigate({ to: '.', search: { add: true } })}
    >
      {t('add')}
    </Button>
  );
  const empty = (
    <Empty icon="numbers" title={t('emptyTitle')} lead={t('emptyLead')}>
      {add}
    </Empty>
  );
  const list = (
    <ListPage
      title={t('title')}
      lead={t('lead')}
      query={numbers}
      rows={numbers.data}
      add={add}
      empty={empty}
      list={(rows) => <NumbersTable numbers={rows} />}
    >
      <Suspense>{isAdding && <AddNumber onClose={close} />}</Suspense>
    </ListPage>
  );
  return <ListWithPanel list={list} panel={<Outlet />} />;
}

function NumbersTable({ numbers }: { numbers: readonly PhoneNumber[] }) {
  const t = useTranslations('numbers');
  const format = useFormatter();
  const usage = useQuery(usageQuery);
  const traffic = useQuery(numbersTrafficQuery);
  const { numberId: openId } = useParams({ strict: false });
  // Who did nothing is left out there.
  const none = traffic.data?.data.map(({ at }) => ({ ...noTraffic, at })) ?? [];
  const hours = (id: string) => traffic.data?.byNumber?.find(({ numberId }) => numberId === id)?.data ?? none;
  const used = (id: string) => usage.data?.byNumber.find(({ numberId }) => numberId === id)?.used ?? 0;
  return (
    <div className={table.frame}>
      <table className={table.table}>
        <thead>
          <tr>
            <th>{t('columnNumber')}</th>
            <th>{t('columnState')}</th>
            <th className={table.wide}>{t('columnHealth')}</th>
            <th className={table.wide}>{t('columnPool')}</th>
            <th className={table.wide}>{t('columnDay')}</th>
            <th className={`${table.wide} ${table.figure}`}>{t('columnMonth')}</th>
          </tr>
        </thead>
        <tbody>
          {numbers.map((number) => (
            <tr key={number.numberId} data-open={number.numberId === openId}>
              <td>
                <Link to="/numbers/$numberId" params={{ numberId: number.numberId }} className={table.link}>
                  {number.label}
                </Link>
                <div className={table.quiet}>
                  {number.phoneNumber === null ? t('notPaired') : readable(number.phoneNumber)}
                </div>
              </td>
              <td>
                <Status tone={stateTone[number.state]}>{t(`state.${number.state}`)}</Status>
              </td>
              <td className={table.wide}>
                <Status tone={healthTone[number.health]}>{t(`health.${number.health}`)}</Status>
              </td>
              <td className={`${table.wide} ${table.quiet}`}>
                {number.inPool ? t('inPool') : t('notInPool')}
              </td>
              <td className={table.wide}>
                <Sparkline hours={hours(number.numberId)} />
              </td>
              <td className={`${table.wide} ${table.figure}`}>{format.number(used(number.numberId))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
