import type { Webhook } from '../../../sdk/index.ts';
import type { Tone } from '../../parts/feedback.tsx';

export type WebhookState = 'on' | 'failing' | 'stopped' | 'off';

export const webhookTone: Record<WebhookState, Tone> = {
  on: 'green',
  failing: 'amber',
  stopped: 'red',
  off: 'grey',
};

export function stateOf({ enabled, disabledReason, failureStreak }: Webhook): WebhookState {
  if (disabledReason !== null) return 'stopped';
  if (!enabled) return 'off';
  return failureStreak > 0 ? 'failing' : 'on';
}
