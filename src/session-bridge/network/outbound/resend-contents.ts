import { type BinaryNode, isJidGroup, proto, type WAMessageKey } from '@whiskeysockets/baileys';
import { LRUCache } from 'lru-cache';
import type { OutboundContent } from '../../../contract/messages/actions.ts';
import type { ChatType } from '../../../contract/messages/message.ts';
import type { DeviceKeys } from '../keys/auth-state.ts';
import { isSelf, type OwnAccount, personOf } from '../stanzas/jids.ts';
import type { WireMessage } from './wire-message.ts';

/** A message that was sent, and to whom: digits of a phone number, `<digits>@lid`, or a group id. */
export interface SentContent {
  content: OutboundContent;
  to: string;
}

/** The client answers nobody else's receipt meanwhile. */
const answerMs = 5_000;
const askedKept = 500;
const askedMs = 30_000;

export interface ResendContentsOptions {
  keys: DeviceKeys;
  own: () => OwnAccount;
  /** The content of a message sent earlier; null if it is not known any more. */
  contentOf: (providerMessageId: string) => Promise<SentContent | null>;
  /** As it is sent; its file is at the network when this is through. */
  wireMessage: (
    content: Exclude<OutboundContent, { type: 'read' }>,
    chat: { to: string; chatType: ChatType },
  ) => Promise<WireMessage>;
}

/**
 * The content that is sent again to a device that could not read a message. It is sent only to devices that the message was
 * for, since ids are not secret.
 */
export class ResendContents {
  readonly #options: ResendContentsOptions;
  readonly #asked = new LRUCache<string, Promise<SentContent | null>>({ max: askedKept, ttl: askedMs });

  constructor(options: ResendContentsOptions) {
    this.#options = options;
  }

  /** A receipt that asks for a message: it is looked for at once, also while the client is busy with another one. */
  noteReceipt({ attrs }: BinaryNode): void {
    if (attrs.type === 'retry' && attrs.id) void this.#find(attrs.id).catch(() => {});
  }

  /** The requested message; undefined if it is unknown, too old, or not for the requesting device. */
  async messageFor({ id, remoteJid, participant }: WAMessageKey): Promise<proto.IMessage | undefined> {
    if (!id) return undefined;
    const found = await this.#find(id).catch(() => null);
    if (!found || !(await this.#isFor(found.to, remoteJid, participant))) return undefined;
    const { content, to } = found;
    if (content.type === 'read') return undefined;
    const chatType = isJidGroup(to) ? 'group' : 'personal';
    const { message } = await this.#options.wireMessage(content, { to, chatType });
    return proto.Message.create(message);
  }

  #find(id: string): Promise<SentContent | null> {
    const known = this.#asked.get(id);
    if (known) return known;
    const { promise: tooLate, resolve } = Promise.withResolvers<null>();
    const timer = setTimeout(() => resolve(null), answerMs);
    const found = Promise.race([this.#options.contentOf(id), tooLate]).finally(() => clearTimeout(timer));
    this.#asked.set(id, found);
    return found;
  }

  async #isFor(to: string, chat?: string | null, participant?: string | null): Promise<boolean> {
    if (isJidGroup(to) || isJidGroup(chat ?? '')) return chat === to;
    const asker = personOf(participant || chat || '', undefined);
    if (isSelf(asker, this.#options.own())) return true;
    const [digits = '', server] = to.split('@');
    const lid = server ? digits : await this.#options.keys.aliasOf(digits);
    return (
      (asker.phoneNumber !== null && asker.phoneNumber === to) || (asker.lid !== null && asker.lid === lid)
    );
  }
}
