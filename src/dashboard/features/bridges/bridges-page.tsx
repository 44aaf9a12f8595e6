import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useParams } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useTranslations } from 'use-intl';
import type { Bridge, BridgeList } from '../../../sdk/index.ts';
import { Empty } from '../../parts/feedback/empty.tsx';
import { Note } from '../../parts/feedback/note.tsx';
import { Status } from '../../parts/feedback/status.tsx';
import { ListPage } from '../../parts/frames/list-page.tsx';
import { ListWithPanel } from '../../parts/frames/side-panel.tsx';
import table from '../../parts/frames/table.module.css';
import { Icon } from '../../parts/icon.tsx';
import { Moment } from '../../parts/values/moment.tsx';
import { bridgesQuery } from '../../queries/account/bridges.ts';
import { conditionOf, conditionTone, nameOf, sinceOf, sorted } from './bridge-state.ts';
import classes from './bridges.module.css';

const AddBridge = lazy(() => import('./add-bridge.tsx'));

/** For people who run the gateway: the machines that hold the connections of everybody's numbers. */
export function BridgesPage() {
  const t = useTranslations('bridges');
  const [isAdding, adding] = useDisclosure();
  const bridges = useQuery(bridgesQuery);
  const add = (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={adding.open}>
      {t('add')}
    </Button>
  );
  const empty = (
    <Empty icon="bridge" title={t('emptyTitle')} lead={t('emptyLead')}>
      {add}
    </Empty>
  );
  const list = (
    <ListPage
      title={t('title')}
      lead={t('lead')}
      query={bridges}
      rows={bridges.data?.data}
      add={add}
      empty={empty}
      list={(rows) => <BridgesTable bridges={sorted(rows)} />}
    >
      {bridges.data !== undefined && <Troubles bridges={bridges.data} />}
      <Suspense>{isAdding && <AddBridge onClose={adding.close} />}</Suspense>
    </ListPage>
  );
  return <ListWithPanel list={list} panel={<Outlet />} />;
}

/** What accounts are told of as an alert, and here for who can mend it. */
function Troubles({ bridges: { data, waitingNumbers, regions } }: { bridges: BridgeList }) {
  const t = useTranslations('bridges');
  const isAnyLinked = data.some(({ state }) => state === 'linked');
  const alone = regions.filter((one) => one.waitingNumbers > 0 && one.linkedBridges === 0);
  const lost = data.filter((bridge) => conditionOf(bridge) === 'lost');
  return (
    <>
      {data.length > 0 && !isAnyLinked && (
        <Note tone="red">
          <p>
            <strong>{t('noneTitle')}</strong> {t('noneLead')}
          </p>
        </Note>
      )}
      {lost.map((bridge) => (
        <Note key={bridge.bridgeId} tone="red">
          <p>
            <strong>{t('lostTitle', { name: nameOf(bridge) })}</strong>{' '}
            {t('lostLead', { count: bridge.numbers })}
          </p>
        </Note>
      ))}
      {alone.map(({ region, waitingNumbers: count }) => (
        <Note key={region} tone="red">
          <p>
            <strong>{t('regionTitle', { region })}</strong> {t('regionLead', { count })}
          </p>
        </Note>
      ))}
      {waitingNumbers > 0 && isAnyLinked && lost.length === 0 && alone.length === 0 && (
        <Note tone="amber">
          <p>
            <strong>{t('waitingTitle', { count: waitingNumbers })}</strong> {t('waitingLead')}
          </p>
        </Note>
      )}
    </>
  );
}

function BridgesTable({ bridges }: { bridges: readonly Bridge[] }) {
  const t = useTranslations('bridges');
  const { bridgeId: openId } = useParams({ strict: false });
  return (
    <div className={table.frame}>
      <table className={table.table}>
        <thead>
          <tr>
            <th>{t('columnBridge')}</th>
            <th>{t('columnState')}</th>
            <th>{t('columnNumbers')}</th>
            <th className={`${table.wide} ${table.figure}`}>{t('columnMemory')}</th>
            <th className={table.wide}>{t('columnRelease')}</th>
            <th className={`${table.wide} ${table.figure}`}>{t('columnVersion')}</th>
            <th className={table.wide}>{t('columnSince')}</th>
          </tr>
        </thead>
        <tbody>
          {bridges.map((bridge) => (
            <tr key={bridge.bridgeId} data-open={bridge.bridgeId === openId}>
              <td>
                <Link
                  to="/operator/bridges/$bridgeId"
                  params={{ bridgeId: bridge.bridgeId }}
                  className={table.link}
                >
                  {bridge.name ?? <code>{nameOf(bridge)}</code>}
                </Link>
              </td>
              <td>
                <Status tone={conditionTone[conditionOf(bridge)]}>{t(`state.${conditionOf(bridge)}`)}</Status>
              </td>
              <td>
                <Load bridge={bridge} />
              </td>
              <td className={`${table.wide} ${table.figure}`}>
                <Memory bridge={bridge} />
              </td>
              <td className={table.wide}>{bridge.release ?? '–'}</td>
              <td className={`${table.wide} ${table.figure}`}>{bridge.version ?? '–'}</td>
              <td className={`${table.wide} ${table.quiet}`}>
                <Moment at={sinceOf(bridge)} ago />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const nearlyFull = 0.85;

/** How many of the numbers that it has room for. */
function Load({ bridge: { numbers, capacity, state } }: { bridge: Bridge }) {
  const t = useTranslations('bridges');
  const share = Math.min(1, numbers / capacity);
  const tone = share >= 1 ? 'red' : share >= nearlyFull ? 'amber' : 'ink';
  return (
    <div className={classes.load}>
      <span>{t('ofCapacity', { numbers, capacity })}</span>
      {state === 'linked' && (
        <div className={classes.meter} data-tone={tone} aria-hidden="true">
          <i className={classes.used} style={{ width: `${share * 100}%` }} />
        </div>
      )}
    </div>
  );
}

/** Of its process, as it said last; one that is gone takes none. */
export function Memory({ bridge: { residentBytes, state } }: { bridge: Bridge }) {
  const t = useTranslations('bridges');
  if (residentBytes === null || state !== 'linked') return '–';
  return t('mebibytes', { count: Math.round(residentBytes / 2 ** 20) });
}
