import type { ReactNode } from 'react';
import type { useTranslations } from 'use-intl';
import { fleetRegionNames } from '../../../contract/bridge/bridge-token.ts';
import type { Alert } from '../../../sdk/index.ts';
import { aboutOf, kindName } from './about.ts';

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
