import type { EventEmitter } from 'node:events';
import type { BinaryNode } from '@whiskeysockets/baileys';

const event = 'CB:message';
/** A message that takes longer than this holds up no other one. */
const waitMsMax = 10_000;

/**
 * Has the client take the messages of each chat one after the other, as they come. By itself it lets the first message
 * of somebody new wait until their alias is stored, and those that came after it pass. Call it before anybody else
 * listens.
 */
export function takeInOrder(ws: EventEmitter): void {
  const listeners = ws.listeners(event) as ((node: BinaryNode) => unknown)[];
  ws.removeAllListeners(event);
  const last = new Map<string, Promise<void>>();
  ws.on(event, (node: BinaryNode) => {
    const chat = node.attrs.from ?? '';
    const take = async () => {
      await Promise.all(listeners.map((listener) => listener(node)));
    };
    const before = last.get(chat);
    const taken = before === undefined ? take() : before.then(take);
    const settled = settledIn(taken).finally(() => {
      if (last.get(chat) === settled) last.delete(chat);
    });
    last.set(chat, settled);
  });
}

/** When it is over, however it ends, or has taken too long. */
function settledIn(work: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, waitMsMax);
    timer.unref();
    work
      .catch(() => {})
      .finally(() => {
        clearTimeout(timer);
        resolve();
      });
  });
}
