/** What the owner of an account has to be told: a closed list, each with a sentence for a person. */
export const alertKinds = {
  'device.disconnected': 'A number has been disconnected for a while.',
  'device.recovered': 'A number that was disconnected is connected again.',
  'device.banned': 'The network banned a number.',
  'device.logged_out': 'A number was logged out on the phone and must be paired again.',
  'message.failures': 'Many messages from a number are failing.',
  'support.response_late': 'A customer has been waiting too long for a reply.',
  'webhook.failing': 'A webhook keeps failing.',
  'webhook.disabled': 'A webhook failed too often and was disabled.',
  'quota.warning': '80% of the monthly quota is used.',
  'quota.exceeded': 'The monthly quota is used up, and sends are rejected.',
  'campaign.paused': 'A campaign paused itself before it could harm a number.',
  'bridge.lost': 'The session bridge of some of your numbers is down, or no bridge has taken them over.',
} as const;
export type AlertKind = keyof typeof alertKinds;
export const alertKindNames = Object.keys(alertKinds) as [AlertKind, ...AlertKind[]];

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
