import { z } from 'zod';

/** What the owner of an account has to be told: a closed list, each with a sentence for a person. */
export const alertKinds = {
  'device.disconnected': 'A number has been disconnected for a while.',
  'device.recovered': 'A number that was disconnected is back.',
  'device.banned': 'The network banned a number.',
  'device.logged_out': 'A number was logged out on the phone, and has to be paired again.',
  'message.failures': 'Many messages of a number fail.',
  'support.response_late': 'Somebody waits for an answer for longer than they should.',
  'webhook.failing': 'A webhook keeps failing.',
  'webhook.disabled': 'A webhook failed too often, and was switched off.',
  'quota.warning': '80 % of the monthly quota are used.',
  'campaign.paused': 'A campaign has stopped by itself, before it costs a number.',
  'quota.exceeded': 'The monthly quota is used up, and sends are rejected.',
  'bridge.lost': 'The session bridge that drives some of your numbers is gone, or none has taken them.',
} as const;
export type AlertKind = keyof typeof alertKinds;
export const alertKindNames = Object.keys(alertKinds) as [AlertKind, ...AlertKind[]];
export const alertKindSchema = z.enum(alertKindNames);

/** What an account's owner is mailed without having asked for it: messages do not go out, or will not soon. */
export const seriousAlertKinds: readonly AlertKind[] = [
  'device.disconnected',
  'device.recovered',
  'device.banned',
  'device.logged_out',
  'message.failures',
  'webhook.disabled',
  'quota.exceeded',
  'campaign.paused',
  'bridge.lost',
];
