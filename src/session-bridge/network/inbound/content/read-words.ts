import type { proto } from '@whiskeysockets/baileys';
import { textUnitsMax } from '../../../../contract/messages/content.ts';

/** As much of a text as has room, without half of a character at its end. */
export const clipped = (text: string, unitsMax: number): string => text.slice(0, unitsMax).toWellFormed();

/** The text of a message, as much of it as a frame carries. */
export const clippedText = (text: string): string => clipped(text, textUnitsMax);

const lines = (...parts: (string | null | undefined)[]) => parts.filter(Boolean).join('\n');

/** What a message says in words, also one whose form the product does not carry; null for one without. */
export function readWords(message: proto.IMessage): string | null {
  return (
    message.conversation ||
    message.extendedTextMessage?.text ||
    chosen(message) ||
    offered(message) ||
    traded(message) ||
    invited(message) ||
    answered(message) ||
    null
  );
}

/** What was chosen of buttons and lists. */
function chosen(message: proto.IMessage): string {
  const { buttonsResponseMessage: button, templateButtonReplyMessage: reply } = message;
  const { listResponseMessage: list, interactiveResponseMessage: interactive } = message;
  if (button) return button.selectedDisplayText || button.selectedButtonId || '';
  if (reply) return reply.selectedDisplayText || reply.selectedId || '';
  if (list) return list.title || list.singleSelectReply?.selectedRowId || '';
  return interactive?.body?.text || interactive?.nativeFlowResponseMessage?.paramsJson || '';
}

/** What businesses write with buttons, lists and templates around it. */
function offered(message: proto.IMessage): string {
  const { buttonsMessage, listMessage, interactiveMessage, highlyStructuredMessage } = message;
  if (buttonsMessage)
    return lines(buttonsMessage.text, buttonsMessage.contentText, buttonsMessage.footerText);
  if (listMessage) return lines(listMessage.title, listMessage.description, listMessage.footerText);
  const template = message.templateMessage ?? highlyStructuredMessage?.hydratedHsm;
  const hydrated = template?.hydratedTemplate ?? template?.hydratedFourRowTemplate;
  if (hydrated) {
    return lines(hydrated.hydratedTitleText, hydrated.hydratedContentText, hydrated.hydratedFooterText);
  }
  const interactive = interactiveMessage ?? template?.interactiveMessageTemplate;
  return lines(interactive?.header?.title, interactive?.body?.text, interactive?.footer?.text);
}

/** Orders and products, as their sender sees them. */
function traded({ orderMessage: order, productMessage }: proto.IMessage): string {
  if (order) {
    const total = price(order.totalAmount1000, order.totalCurrencyCode);
    const items = order.itemCount ? `${order.itemCount} item${order.itemCount === 1 ? '' : 's'}` : '';
    return lines(order.orderTitle || 'Order', [items, total].filter(Boolean).join(', '), order.message);
  }
  const product = productMessage?.product;
  if (!product) return '';
  const total = price(product.priceAmount1000, product.currencyCode);
  return lines(product.title || 'Product', product.description, total, product.url, productMessage?.body);
}

function price(thousandths: unknown, currency: string | null | undefined): string {
  const amount = Number(thousandths) / 1000;
  return currency && Number.isFinite(amount) && amount > 0 ? `${amount.toFixed(2)} ${currency}` : '';
}

/** An invitation to a group, with the link that takes it. */
function invited({ groupInviteMessage: invite }: proto.IMessage): string {
  if (!invite?.inviteCode) return '';
  return lines(invite.caption || invite.groupName, `https://chat.whatsapp.com/${invite.inviteCode}`);
}

/** Answers to a question, or to a status. */
function answered(message: proto.IMessage): string {
  const { questionResponseMessage, statusQuestionAnswerMessage, statusQuotedMessage } = message;
  return (questionResponseMessage ?? statusQuestionAnswerMessage ?? statusQuotedMessage)?.text ?? '';
}
