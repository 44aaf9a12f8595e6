import { randomBytes } from 'node:crypto';
import { proto, type WASocket } from '@whiskeysockets/baileys';
import { isAction, type OutboundContent } from '../../../contract/messages/actions.ts';
import { isFileContent } from '../../../contract/messages/content.ts';
import type { ChatType } from '../../../contract/messages/message.ts';
import type { PreparationFailure } from '../../../contract/messages/send-refusals.ts';
import type { ReadMarks } from '../activity.ts';
import type { AddressBook } from '../addressing/address-book.ts';
import type { GroupMembers } from '../addressing/group-members.ts';
import type { SentMessages } from '../addressing/sent-messages.ts';
import { type HandedMessage, HandOverError, type NetworkEvents } from '../connection/connection.ts';
import { codeOf, connectionCodes } from '../connection/connection-end.ts';
import { networkCode, statusOf } from '../connection/network-code.ts';
import type { NetworkFiles } from '../files/network-files.ts';
import type { OwnAccount } from '../stanzas/jids.ts';
import type { PrivacyTokens } from '../tokens.ts';
import { targetKey, wireAction } from './wire-action.ts';
import { type WireMessage, wireMessage } from './wire-message.ts';

export interface MessageSenderOptions {
  sock: WASocket;
  files: NetworkFiles;
  own: () => OwnAccount;
  /** Nothing can be written any more. */
  isOver: () => boolean;
  uploaded: NetworkEvents['uploaded'];
  addresses: AddressBook;
  groups: GroupMembers;
  sent: SentMessages;
  tokens: PrivacyTokens;
  readMarks: ReadMarks;
}

/** With the secret that a recipient's report of the message needs; a poll has one already. */
function reportable(message: proto.IMessage): proto.IMessage {
  const messageContextInfo = { messageSecret: randomBytes(32), ...message.messageContextInfo };
  return proto.Message.create({ ...message, messageContextInfo });
}

/** Hands messages to the client, one after another. */
export class MessageSender {
  readonly #options: MessageSenderOptions;
  #encryptedInThisSend = false;

  constructor(options: MessageSenderOptions) {
    this.#options = options;
  }

  /** The client encrypts: from here on what it was handed may leave. */
  encrypts(): void {
    this.#encryptedInThisSend = true;
  }

  async send({ providerMessageId, to, chatType, content }: HandedMessage): Promise<void> {
    const { sock, isOver, addresses, groups, sent, tokens, readMarks } = this.#options;
    this.#encryptedInThisSend = false;
    try {
      if (chatType === 'group') await groups.of(to);
      if (content.type === 'read') {
        await sock.readMessages([targetKey(content.target, { to, chatType })]);
        return;
      }
      const { message, nodes, attributes } = await this.wire(content, { to, chatType });
      const address = await addresses.addressOf(to, chatType);
      sent.leaving(providerMessageId, to, address);
      await sock.relayMessage(address, isAction(content) ? message : reportable(message), {
        messageId: providerMessageId,
        additionalNodes: [...nodes, ...(await tokens.nodesFor(to, chatType))],
        additionalAttributes: attributes,
      });
      readMarks.answered(to);
    } catch (error) {
      const isLoss = isOver() || !sock.ws.isOpen || codeOf(error) === connectionCodes.closed;
      throw handOverError(error, this.#encryptedInThisSend, isLoss);
    }
  }

  /** What is sent for a message, whose file is at the network when this is through, or for what is done to one. */
  async wire(
    content: Exclude<OutboundContent, { type: 'read' }>,
    chat: { to: string; chatType: ChatType },
  ): Promise<WireMessage> {
    if (isAction(content)) return wireAction(content, chat);
    const { uploaded, files, own } = this.#options;
    const ticket = isFileContent(content) ? await uploaded(content, files) : null;
    return wireMessage(content, own().phoneNumber, ticket);
  }
}

/** How the network says that it is asked too often. */
const tooManyCode = 429;
/** The client's own words when it has keys of none of a message's recipients. */
const nobodyReadable = 'All encryptions failed';

/**
 * What an error of the client says about the message that it was to send. The client makes all its queries to the network
 * before it writes the message, though not before it encrypts the first part of a message to a group.
 */
export function handOverError(
  error: unknown,
  wasEncrypted: boolean,
  isConnectionLoss: boolean,
): HandOverError {
  const code = networkCode(error);
  if (code === tooManyCode) return new HandOverError(error, 'limited');
  const isNobodyReadable = (error as Error | undefined)?.message === nobodyReadable;
  if (code === null && !isNobodyReadable && wasEncrypted) return new HandOverError(error, 'uncertain');
  if (isConnectionLoss) return new HandOverError(error, 'unconnected');
  let failure: PreparationFailure = 'unprepared';
  if (isNobodyReadable) failure = 'no_keys';
  else if (statusOf(error) === connectionCodes.lostOrTimedOut) failure = 'no_answer';
  return new HandOverError(error, 'unprepared', code === null ? failure : String(code));
}
