import type { proto } from '@whiskeysockets/baileys';

/**
 * What a part of the network's message is to the product.
 *
 * - `content`: what a person wrote, or what their app wrote for them to be read. It is told as a message; as `unsupported`
 *   where the product has no word for it.
 * - `wrapper`: it only holds another message, and that one counts.
 * - `change`: it does something to a message that is there. It is told as that, or, where the product has no word for it,
 *   not at all: never as a message.
 * - `nothing`: only apps exchange it.
 */
type Meaning = 'content' | 'wrapper' | 'change' | 'nothing';

/** Every part that the client knows, so that one which is new has to be judged before it is taken for anything. */
export const messageKinds: Record<keyof proto.IMessage, Meaning> = {
  // Words and files, as they are written.
  conversation: 'content',
  extendedTextMessage: 'content',
  imageMessage: 'content',
  videoMessage: 'content',
  ptvMessage: 'content',
  audioMessage: 'content',
  documentMessage: 'content',
  stickerMessage: 'content',
  stickerPackMessage: 'content',
  locationMessage: 'content',
  liveLocationMessage: 'content',
  contactMessage: 'content',
  contactsArrayMessage: 'content',
  pollCreationMessage: 'content',
  pollCreationMessageV2: 'content',
  pollCreationMessageV3: 'content',
  pollCreationMessageV5: 'content',
  // Somebody shares how a poll or an event stands: a card of its own in the chat.
  pollResultSnapshotMessage: 'content',
  pollResultSnapshotMessageV3: 'content',
  eventMessage: 'content',
  scheduledCallCreationMessage: 'content',
  bcallMessage: 'content',
  // What businesses write with buttons around it, and what is chosen of that.
  buttonsMessage: 'content',
  buttonsResponseMessage: 'content',
  listMessage: 'content',
  listResponseMessage: 'content',
  templateMessage: 'content',
  templateButtonReplyMessage: 'content',
  highlyStructuredMessage: 'content',
  interactiveMessage: 'content',
  interactiveResponseMessage: 'content',
  richResponseMessage: 'content',
  // Trade and payments: each is a card that somebody has sent.
  orderMessage: 'content',
  productMessage: 'content',
  invoiceMessage: 'content',
  sendPaymentMessage: 'content',
  requestPaymentMessage: 'content',
  paymentInviteMessage: 'content',
  // Invitations and questions to the reader.
  groupInviteMessage: 'content',
  newsletterAdminInviteMessage: 'content',
  newsletterFollowerInviteMessageV2: 'content',
  requestPhoneNumberMessage: 'content',
  // Answers to a question or a status, in words.
  questionResponseMessage: 'content',
  statusQuestionAnswerMessage: 'content',
  statusQuotedMessage: 'content',

  // Around a message: that it disappears, is seen once, has a caption, belongs to an album, and the like.
  ephemeralMessage: 'wrapper',
  viewOnceMessage: 'wrapper',
  viewOnceMessageV2: 'wrapper',
  viewOnceMessageV2Extension: 'wrapper',
  documentWithCaptionMessage: 'wrapper',
  groupMentionedMessage: 'wrapper',
  lottieStickerMessage: 'wrapper',
  associatedChildMessage: 'wrapper',
  groupStatusMessage: 'wrapper',
  groupStatusMessageV2: 'wrapper',
  questionMessage: 'wrapper',
  questionReplyMessage: 'wrapper',
  botForwardedMessage: 'wrapper',
  pollCreationMessageV4: 'wrapper',
  // What somebody says to a bot in a chat is read by everybody in it.
  botInvokeMessage: 'wrapper',
  // A comment is a message that names what it is about.
  commentMessage: 'wrapper',
  // Around an edit. Anything else in it is no message: it came once already.
  editedMessage: 'wrapper',
  // A copy for the other devices of its author. From anybody else it is forged.
  deviceSentMessage: 'wrapper',

  // Edits and deletions, and much that only apps say to each other.
  protocolMessage: 'change',
  reactionMessage: 'change',
  pollUpdateMessage: 'change',
  // Edits and reactions that the secret of their message opens.
  secretEncryptedMessage: 'change',
  encReactionMessage: 'change',
  // A comment that the secret of its message would open: it changes nothing of that message, and is not carried.
  encCommentMessage: 'change',
  encEventResponseMessage: 'change',
  // What is kept or pinned was written before.
  keepInChatMessage: 'change',
  pinInChatMessage: 'change',
  scheduledCallEditMessage: 'change',
  declinePaymentRequestMessage: 'change',
  cancelPaymentRequestMessage: 'change',
  statusStickerInteractionMessage: 'change',

  // Keys, settings and contexts that travel with messages.
  senderKeyDistributionMessage: 'nothing',
  fastRatchetKeySenderKeyDistributionMessage: 'nothing',
  messageContextInfo: 'nothing',
  stickerSyncRmrMessage: 'nothing',
  limitSharingMessage: 'nothing',
  // The network tells of calls by other means: these are keys and logs for devices.
  call: 'nothing',
  callLogMesssage: 'nothing',
  chat: 'nothing',
  // Older messages for somebody who has joined, and that such were shared.
  messageHistoryBundle: 'nothing',
  messageHistoryNotice: 'nothing',
  // Something that this device is not to see.
  placeholderMessage: 'nothing',
  // An album announces pictures, and a poll or an event its cover; the pictures come by themselves.
  albumMessage: 'nothing',
  eventCoverImage: 'nothing',
  pollCreationOptionImageMessage: 'nothing',
  botTaskMessage: 'nothing',
  // Notices about somebody's status, which is no chat with the number.
  statusMentionMessage: 'nothing',
  groupStatusMentionMessage: 'nothing',
  statusNotificationMessage: 'nothing',
  statusAddYours: 'nothing',
};

/** The part that says what a message is: whatever stands for itself comes before what only accompanies it. */
export function kindOf(message: proto.IMessage): keyof proto.IMessage | null {
  const parts = Object.keys(messageKinds) as (keyof proto.IMessage)[];
  const there = parts.filter((part) => message[part] !== null && message[part] !== undefined);
  return there.find((part) => messageKinds[part] !== 'nothing') ?? there[0] ?? null;
}

/** Whether a part is what a person wrote. */
export const isContent = (kind: keyof proto.IMessage): boolean => messageKinds[kind] === 'content';
