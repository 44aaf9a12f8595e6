import type {
  AcceptedAction,
  AcceptedBatch,
  AcceptedMessage,
  DryRun,
  Message,
  MessageTimeline,
  SendMessageRequest,
  SendMessagesRequest,
  StoredMedia,
} from '../generated/api-types.ts';
import type { List } from '../http/list.ts';
import { type ListOptions, Resource, time } from '../http/resource.ts';
import type { Bytes, CallOptions } from '../http/transport.ts';

export interface SendOptions extends CallOptions {
  /**
   * 1 to 255 characters of your own, kept for 24 hours: calls under the same key are one message. Every call has one
   * for its own repeats; give one that outlives the process (an order's number), and yours are safe too.
   */
  idempotencyKey?: string;
  /** The trace that the send belongs to (W3C Trace Context): its events come to your webhook within the same one. */
  traceparent?: string;
}

/** A message of a batch; its own key makes it one message also in another batch, or sent alone. */
export type BatchedMessage = SendMessagesRequest['messages'][number];

export interface MessageFilter {
  status?: Message['status'];
  direction?: Message['direction'];
  numberId?: string;
  to?: string;
  from?: string;
  type?: Message['messageType'];
  /** Words that its text has, all of them, in any order. */
  q?: string;
  /** Queued or received then or later. */
  since?: Date | string;
  /** Queued or received before. */
  until?: Date | string;
}

export class Messages extends Resource {
  /** Sends a message. It goes out once, however often the call had to be repeated. Needs an API key. */
  send(message: SendMessageRequest, options: SendOptions = {}): Promise<AcceptedMessage> {
    return this.ask('POST', ['send'], underOneKey(options), message);
  }

  /**
   * Sends 1 to 100 messages in one call, in order. Each is judged by itself: the outcomes stand in the order of the
   * messages, and one that is refused stops no other. Repeats of the call are one batch. Needs an API key.
   */
  sendBatch(messages: readonly BatchedMessage[], options: SendOptions = {}): Promise<AcceptedBatch> {
    return this.ask('POST', ['send-batch'], underOneKey(options), { messages });
  }

  /**
   * What a send would come to: the sender it would take, when it would leave, and every reason against it. Counts
   * nothing and sends nothing. Needs an API key.
   */
  dryRun(message: SendMessageRequest, options: CallOptions = {}): Promise<DryRun> {
    return this.ask('POST', ['send'], { ...options, query: { dryRun: 'true' } }, message);
  }

  /** Changes the text of a text message, for 15 minutes after it was sent. */
  edit(messageId: string, text: string, options: CallOptions = {}): Promise<AcceptedAction> {
    return this.ask('PATCH', [messageId], options, { text });
  }

  /** Takes a message that was sent back for everyone, for 2 days after it was sent. */
  delete(messageId: string, options: CallOptions = {}): Promise<AcceptedAction> {
    return this.ask('DELETE', [messageId], options);
  }

  /** Reacts to a message with an emoji; the next one takes its place. */
  react(messageId: string, emoji: string, options: CallOptions = {}): Promise<AcceptedAction> {
    return this.ask('PUT', [messageId, 'reaction'], options, { emoji });
  }

  /** Takes back what the number has reacted with. */
  unreact(messageId: string, options: CallOptions = {}): Promise<AcceptedAction> {
    return this.ask('DELETE', [messageId, 'reaction'], options);
  }

  /** Shows the sender of a message that came in that it was read. */
  markRead(messageId: string, options: CallOptions = {}): Promise<AcceptedAction> {
    return this.ask('POST', [messageId, 'read'], options);
  }

  /** A message and how far it has come. */
  get(messageId: string, options: CallOptions = {}): Promise<Message> {
    return this.ask('GET', [messageId], options);
  }

  /** The steps of a message, what it waits for, its events, and every attempt to tell a webhook of them. */
  timeline(messageId: string, options: CallOptions = {}): Promise<MessageTimeline> {
    return this.ask('GET', [messageId, 'timeline'], options);
  }

  /** Messages sent and received, newest first. */
  list({ since, until, ...filter }: MessageFilter = {}, options: ListOptions = {}): List<Message> {
    return this.listOf([], options, { ...filter, since: time(since), until: time(until) });
  }
}

export interface UploadOptions extends CallOptions {
  /** The type of the bytes; left out, that of a `Blob`, or what the gateway sees in them. */
  type?: string;
  /** What the recipient sees as its name, of a document. */
  fileName?: string;
}

/** Files to send, and files that came. Take an API key or a token. */
export class Media extends Resource {
  /**
   * Stores a file for 30 days, to be sent by its `mediaId` to as many recipients as you like. It is not repeated by itself;
   * give a larger one more time with `timeoutMs`.
   */
  upload(bytes: Bytes, { type, fileName, ...options }: UploadOptions = {}): Promise<StoredMedia> {
    const own = bytes instanceof Blob ? bytes.type : '';
    const raw = { bytes, type: type ?? (own || 'application/octet-stream') };
    return this.ask('POST', [], { ...options, raw, query: { fileName } });
  }

  /** The bytes of a file as they come: read the stream to its end, or abort `signal`. */
  download(
    mediaId: string,
    { signal }: Pick<CallOptions, 'signal'> = {},
  ): Promise<ReadableStream<Uint8Array>> {
    return this.open([mediaId], { signal });
  }
}

/** The key that all attempts of a send carry. */
export const underOneKey = (options: SendOptions) => ({
  ...options,
  idempotencyKey: options.idempotencyKey ?? newIdempotencyKey(),
});

/** Unique, and not a secret. Node 18 has no global `crypto`. */
function newIdempotencyKey(): string {
  if (typeof crypto !== 'undefined') return crypto.randomUUID();
  const random = () => Math.random().toString(36).slice(2).padEnd(12, '0');
  return `${Date.now().toString(36)}-${random()}-${random()}`;
}
