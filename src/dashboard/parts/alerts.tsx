import type { ReactNode } from 'react';
import type { useTranslations } from 'use-intl';
import { fleetRegionNames } from '../../contract/bridge/bridge-token.ts';
import type { Alert } from '../../sdk/index.ts';

type Kind = Alert['kind'];

/** The words of a kind stand under this name. */
type KindName = 'device_banned';
export const kindName = (kind: Kind) => kind.replace('.', '_') as KindName;

/** What an alert is about: `{thing: 'number', id}`. */
export function aboutOf({ subject }: Pick<Alert, 'subject'>): { thing: string; id: string } {
  const colon = subject.indexOf(':');
  return { thing: subject.slice(0, colon), id: subject.slice(colon + 1) };
}

/** Troubles after which nothing is sent; the others are warnings. */
const grave: readonly Kind[] = [
  'device.banned',
  'device.logged_out',
  'device.disconnected',
  'webhook.disabled',
  'quota.exceeded',
  'bridge.lost',
];

export const toneOf = ({ kind, endedAt }: Alert): 'green' | 'red' | 'amber' =>
  endedAt !== null ? 'green' : grave.includes(kind) ? 'red' : 'amber';

/** What has happened, and what to do about it. */
export function alertExplanation(alert: Alert, t: ReturnType<typeof useTranslations<'alerts'>>): ReactNode {
  const { kind, detail, endedAt } = alert;
  if (kind !== 'bridge.lost') return t(`says.${kindName(kind)}`);
  const { thing, id } = aboutOf(alert);
  // Numbers that wait for any bridge: near them there is none, or none has room.
  const trouble = thing === 'bridge' ? 'lost' : detail.bridges === 0 ? 'missing' : 'full';
  const region = fleetRegionNames.find((name) => name === id);
  return t.rich(`bridges.${endedAt === null ? trouble : 'over'}`, {
    b: (counted) => <b>{counted}</b>,
    count: Number(detail.numbers ?? 0),
    place: region === undefined ? 'none' : t(`regions.${region}`),
  });
}
