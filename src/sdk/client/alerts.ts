import type {
  Alert,
  AlertAddress,
  AlertChannel,
  AlertDelivery,
  AlertMute,
  AlertTest,
  CreateAlertChannelRequest,
  CreatedAlertChannel,
  MuteAlertsRequest,
  UpdateAlertChannelRequest,
} from './generated/api-types.ts';
import { Collection } from './http/collection.ts';
import type { List } from './http/list.ts';
import { type ListOptions, Resource } from './http/resource.ts';
import type { CallOptions } from './http/transport.ts';

/** Takes the token of an owner or admin. */
export class Alerts extends Resource {
  /** What wants a person, newest first; `open`: only what lasts, or only what is over. */
  list({ open }: { open?: boolean } = {}, options: ListOptions = {}): List<Alert> {
    return this.listOf([], options, { open: open?.toString() });
  }

  /** Says that somebody knows of it. */
  acknowledge(id: string, options: CallOptions = {}): Promise<Alert> {
    return this.ask('POST', [id, 'acknowledge'], options);
  }
}

/**
 * Where alerts go. Of a webhook the answer of `create` is the only place where `secret` is ever shown. Takes the token of an owner
 * or admin.
 */
export class AlertChannels extends Collection<
  AlertChannel,
  CreateAlertChannelRequest,
  UpdateAlertChannelRequest,
  CreatedAlertChannel
> {
  /** Of a webhook: a new secret, shown this once; both sign for 24 hours. */
  rotateSecret(id: string, options: CallOptions = {}): Promise<CreatedAlertChannel> {
    return this.ask('POST', [id, 'rotate-secret'], options);
  }

  /** Sends a test there, and resolves with what came of it. */
  test(id: string, options: CallOptions = {}): Promise<AlertTest> {
    return this.ask('POST', [id, 'test'], options);
  }

  /** What went there, with every attempt, newest first. */
  deliveries(id: string, options: ListOptions = {}): List<AlertDelivery> {
    return this.listOf([id, 'deliveries'], options);
  }

  /** Mails the link once more to an address that has not been confirmed. */
  askAgain(id: string, options: CallOptions = {}): Promise<AlertAddress> {
    return this.ask('POST', [id, 'ask-again'], options);
  }
}

/** Alerts that nobody is told of for a while. Takes the token of an owner or admin. */
export class AlertMutes extends Resource {
  create(mute: MuteAlertsRequest, options: CallOptions = {}): Promise<AlertMute> {
    return this.ask('POST', [], options, mute);
  }

  /** What is muted now. */
  list(options: ListOptions = {}): List<AlertMute> {
    return this.listOf([], options);
  }

  /** The channels are told again from now on. */
  delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.ask('DELETE', [id], options);
  }
}
