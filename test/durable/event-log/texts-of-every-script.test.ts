import { expect, test } from 'vitest';
import type { Fact } from '../../../src/durable/event-log/facts.ts';
import { type LogStub, newLog, received, start } from './event-log-fixture.ts';

const said = (text: string, at = start, pushName = 'Budi', from = '628123456789'): Fact =>
  received({ content: { type: 'text', text }, at: new Date(at).toISOString(), pushName, from });

async function found(log: LogStub, q: string): Promise<string[]> {
  const { messages } = await log.messages({ q }, 50, null);
  return messages.map(({ content }) => (content.type === 'text' ? content.text : content.type));
}

const names = async (log: LogStub, q: string) =>
  (await log.contacts({ q }, 50, null)).contacts.map(({ pushName }) => pushName);

test('messages and contacts are found by any part of a text without spaces', async () => {
  const log = newLog();
  await log.take([
    said('请给我开一张发票谢谢', start, '张伟明', '8613800000001'),
    said('ขอใบเสร็จด้วยค่ะ', start + 1000, 'ณัฐวุฒิ', '66812345678'),
    said('Đơn hàng của tôi', start + 2000, 'Nguyễn Văn An', '84912345678'),
  ]);
  expect(await found(log, '发票')).toEqual(['请给我开一张发票谢谢']);
  expect(await found(log, '票')).toEqual(['请给我开一张发票谢谢']);
  expect(await found(log, 'ใบเสร็จ')).toEqual(['ขอใบเสร็จด้วยค่ะ']);
  expect(await found(log, 'don hang')).toEqual(['Đơn hàng của tôi']);
  expect(await found(log, '票发')).toEqual([]);
  expect(await names(log, '伟明')).toEqual(['张伟明']);
  expect(await names(log, 'วุฒิ')).toEqual(['ณัฐวุฒิ']);
  expect(await names(log, 'nguyen v')).toEqual(['Nguyễn Văn An']);
});
