import type { AlertChannel } from '../../../../sdk/index.ts';
import type { Tone } from '../../../parts/feedback.tsx';
import { readable } from '../../../parts/values/phone-numbers.ts';

type ShownState = AlertChannel['state'] | 'failing';

/** Its state, and whether what was sent there last has failed. */
export const stateOf = ({ state, lastError }: AlertChannel): ShownState =>
  state === 'ready' && lastError !== null ? 'failing' : state;

export const channelTone: Record<ShownState, Tone> = {
  ready: 'green',
  failing: 'red',
  off: 'grey',
  unconfirmed: 'amber',
  no_mail_server: 'amber',
};

/** Where it goes, in one line. */
export function targetOf({ target }: AlertChannel): string {
  if (typeof target === 'string') return target;
  return 'chatId' in target ? target.chatId : readable(target.to);
}
