import { describe, expect, test } from 'vitest';
import {
  numberDownFrameSchema,
  numberUpFrameSchema,
  seqOfInvalidFact,
} from '../../src/contract/bridge/bridge-frames.ts';

const messageId = 'msg_019c1b2a-0000-7000-8000-000000000001';
const at = '2026-01-31T09:30:00.123Z';

describe('a frame between edge and bridge', () => {
  test('is refused when it has a field that nobody knows, at any depth', () => {
    const outcome = { outcome: 'sent', messageId, handOver: 1, at };
    const frame = { type: 'fact', seq: 1, after: 0, fact: { type: 'send.outcomes', items: [outcome] } };
    expect(numberUpFrameSchema.safeParse(frame).success).toBe(true);
    expect(numberUpFrameSchema.safeParse({ ...frame, more: 1 }).success).toBe(false);
    const odd = { ...frame, fact: { type: 'send.outcomes', items: [{ ...outcome, more: 1 }] } };
    expect(numberUpFrameSchema.safeParse(odd).success).toBe(false);
  });

  test('names a message only by ids, counts and durations of the one form that the product has', () => {
    const send = {
      type: 'send',
      messages: [
        {
          messageId,
          providerMessageId: '3EB0AA',
          to: '628123456789',
          chatType: 'personal',
          content: { type: 'text', text: 'hello' },
          handedTo: null,
          handOver: 1,
          expiresInMs: 60_000,
          typingMs: 0,
        },
      ],
    };
    expect(numberDownFrameSchema.safeParse(send).success).toBe(true);
    for (const wrong of [
      { messageId: '019c' },
      { handedTo: 'bridge-1' },
      { handOver: 0 },
      { expiresInMs: -1 },
    ]) {
      const frame = { ...send, messages: [{ ...send.messages[0], ...wrong }] };
      expect(numberDownFrameSchema.safeParse(frame).success).toBe(false);
    }
  });

  test('with facts carries at least one, and a place in the journal that begins at one', () => {
    const fact = { type: 'receipts', items: [] };
    expect(numberUpFrameSchema.safeParse({ type: 'fact', seq: 1, after: 0, fact }).success).toBe(false);
    const vault = { type: 'vault.put', entries: [{ key: 'creds', sealed: null }] };
    expect(numberUpFrameSchema.safeParse({ type: 'fact', seq: 0, after: 0, fact: vault }).success).toBe(
      false,
    );
    expect(numberUpFrameSchema.safeParse({ type: 'fact', seq: 1, after: 0, fact: vault }).success).toBe(true);
  });

  test('whose fact is of a known kind and wrong inside can be refused by its number, any other cannot', () => {
    const fact = { type: 'inbound', items: [{ text: 'x'.repeat(70_000) }] };
    expect(seqOfInvalidFact({ type: 'fact', seq: 7, after: 0, fact })).toBe(7);
    expect(seqOfInvalidFact({ type: 'fact', seq: 7, after: 0, fact: { type: 'made.up' } })).toBeNull();
    expect(seqOfInvalidFact({ type: 'fact', fact })).toBeNull();
    expect(seqOfInvalidFact({ type: 'made.up', seq: 7, fact })).toBeNull();
    expect(seqOfInvalidFact('fact')).toBeNull();
  });
});
