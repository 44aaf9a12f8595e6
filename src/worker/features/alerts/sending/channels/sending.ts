import type { AlertOrder } from '../../../../../durable/event-log/alerts/deliveries/alert-order.ts';
import type { SecretTarget } from '../../channels/channel-target.ts';
import type { AlertText } from '../../words/alert-text.ts';
import type { AttemptResult } from '../attempt.ts';

/** One message to one channel. */
interface Sending {
  env: Env;
  accountId: string;
  order: AlertOrder;
  secret: SecretTarget;
  text: AlertText;
  isTest: boolean;
}

/** Makes one attempt. What the receiver does is a result, never thrown. */
export type SendToChannel = (sending: Sending) => Promise<AttemptResult>;
