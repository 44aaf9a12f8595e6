import type { Alert } from '../../../sdk/index.ts';

type Kind = Alert['kind'];

/** Every kind, in the order in which they are offered. */
const all: Record<Kind, true> = {
  'device.disconnected': true,
  'device.recovered': true,
  'device.banned': true,
  'device.logged_out': true,
  'message.failures': true,
  'support.response_late': true,
  'webhook.failing': true,
  'webhook.disabled': true,
  'quota.warning': true,
  'quota.exceeded': true,
  'campaign.paused': true,
  'bridge.lost': true,
};
export const alertKinds = Object.keys(all) as Kind[];

/** The words of a kind stand under this name. */
export type KindName = 'device_banned';
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
