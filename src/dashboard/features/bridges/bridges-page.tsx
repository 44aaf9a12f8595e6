import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { lazy } from 'react';
import { useTranslations } from 'use-intl';
import type { Bridge, BridgeList } from '../../../sdk/index.ts';
import { Note, Status, type Tone } from '../../parts/feedback.tsx';
import { DataTable } from '../../parts/lists/data-table.tsx';
import { ResourcePage } from '../../parts/lists/list-page.tsx';
import { Meter } from '../../parts/values/meter.tsx';
import { Moment } from '../../parts/values/moment.tsx';
import { bridgesQuery } from '../../queries/bridges.ts';

const AddBridge = lazy(() => import('./add-bridge.tsx'));

/** For people who run the gateway: the machines that hold the connections of everybody's numbers. */
export default function BridgesPage() {
  const t = useTranslations('bridges');
  const bridges = useQuery(bridgesQuery);
  return (
    <ResourcePage
      title={t('title')}
      lead={t('lead')}
      query={bridges}
      rows={bridges.data?.data}
      add={t('add')}
      empty={{ icon: 'bridge', title: t('emptyTitle'), lead: t('emptyLead') }}
      list={(rows) => <BridgesTable bridges={sorted(rows)} />}
      dialog={(onClose) => <AddBridge onClose={onClose} />}
    >
      {bridges.data !== undefined && <Troubles bridges={bridges.data} />}
    </ResourcePage>
  );
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
  const common = useTranslations('common');
  const { bridgeId: openId } = useParams({ strict: false });
  return (
    <DataTable
      rows={bridges}
      keyOf={(bridge) => bridge.bridgeId}
      openKey={openId}
      columns={[
        {
          head: t('columnBridge'),
          cell: (bridge) => (
            <Link to="/operator/bridges/$bridgeId" params={{ bridgeId: bridge.bridgeId }}>
              {bridge.name ?? <code>{nameOf(bridge)}</code>}
            </Link>
          ),
        },
        {
          head: common('state'),
          cell: (bridge) => (
            <Status tone={conditionTone[conditionOf(bridge)]}>{t(`state.${conditionOf(bridge)}`)}</Status>
          ),
        },
        { head: common('numbers'), cell: (bridge) => <Load bridge={bridge} /> },
        {
          head: t('columnMemory'),
          isWide: true,
          isFigure: true,
          cell: (bridge) => <Memory bridge={bridge} />,
        },
        { head: t('columnRelease'), isWide: true, cell: (bridge) => bridge.release ?? '–' },
        { head: t('columnVersion'), isWide: true, isFigure: true, cell: (bridge) => bridge.version ?? '–' },
        {
          head: common('since'),
          isWide: true,
          isQuiet: true,
          cell: (bridge) => <Moment at={sinceOf(bridge)} ago />,
        },
      ]}
    />
  );
}

const nearlyFull = 0.85;

/** How many of the numbers that it has room for. */
function Load({ bridge: { numbers, capacity, state } }: { bridge: Bridge }) {
  const t = useTranslations('bridges');
  return (
    <Stack gap={4} miw={110}>
      <span>{t('ofCapacity', { numbers, capacity })}</span>
      {state === 'linked' && <Meter share={numbers / capacity} warnFrom={nearlyFull} height={4} isFaint />}
    </Stack>
  );
}

/** Of its process, as it said last; one that is gone takes none. */
export function Memory({ bridge: { residentBytes, state } }: { bridge: Bridge }) {
  const t = useTranslations('bridges');
  if (residentBytes === null || state !== 'linked') return '–';
  return t('mebibytes', { count: Math.round(residentBytes / 2 ** 20) });
}

type Condition = 'linked' | 'draining' | 'empty' | 'away' | 'lost' | 'gone' | 'revoked';

/** In the order in which they stand in the list. */
export const conditionTone: Record<Condition, Tone> = {
  lost: 'red',
  away: 'amber',
  linked: 'green',
  draining: 'amber',
  empty: 'blue',
  gone: 'grey',
  revoked: 'grey',
};
const order = Object.keys(conditionTone);

/** How a bridge does, in one word; `lost`: it is gone, and its numbers wait all the same. */
export function conditionOf({ state, numbers, isDraining }: Bridge): Condition {
  if (state === 'revoked' || state === 'away') return state;
  if (state === 'expired') return numbers > 0 ? 'lost' : 'gone';
  if (isDraining) return numbers > 0 ? 'draining' : 'empty';
  return 'linked';
}

const shownCharacters = 6;

/** The end of its id stands for one that nobody gave a name. */
export const nameOf = ({ name, bridgeId }: Bridge): string => name ?? bridgeId.slice(-shownCharacters);

/** Since when it is as it is: linked, or gone. */
const sinceOf = ({ linkedAt, leasesUntil }: Bridge): string | null => leasesUntil ?? linkedAt;

/** What needs somebody first, and what is over last. */
function sorted(bridges: readonly Bridge[]): Bridge[] {
  const place = (bridge: Bridge) => order.indexOf(conditionOf(bridge));
  return bridges.toSorted((a, b) => place(a) - place(b) || nameOf(a).localeCompare(nameOf(b)));
}
