import { expect, test } from 'vitest';
import { parseRecipient } from '../../../src/worker/features/messages/sending/recipient.ts';

test.each([
  ['628123456789', '628123456789'],
  ['+62 812-3456-789', '628123456789'],
  ['+1 (555) 000-0001', '15550000001'],
  ['15550000002', '15550000002'],
  ['+44 (0)7400 123456', '447400123456'],
  ['+49 151 23456789', '4915123456789'],
  ['  +62 8123456789', '628123456789'],
  ['00628123456789', '628123456789'],
  ['\u202a628123456789\u202c\n', '628123456789'],
])('%j is the phone number %s', (input, to) => {
  expect(parseRecipient(input)).toEqual({ ok: true, to, chatType: 'personal' });
});

test.each(['120363041234567890@g.us', '628123456789-1612345678@g.us'])('%s is a group', (to) => {
  expect(parseRecipient(to)).toEqual({ ok: true, to, chatType: 'group' });
});

test.each(['123456789012345@lid', '123456789012345@LID ', '1234:5@lid'])('%j is a privacy alias', (to) => {
  expect(parseRecipient(to)).toMatchObject({
    ok: false,
    code: 'RECIPIENT_IS_LID',
    details: [{ path: 'to' }],
  });
});

test('digits that no numbering plan has are somebody’s only where the account knows them', () => {
  expect(parseRecipient('9990000000000')).toEqual({
    ok: true,
    to: '9990000000000',
    chatType: 'personal',
    address: { digits: null, perhaps: '9990000000000', problem: 'Not a phone number with country code.' },
  });
  expect(parseRecipient('+999 0000000000')).toMatchObject({ ok: false, code: 'RECIPIENT_INVALID' });
});

test('a chat as events name it is the phone number in it', () => {
  expect(parseRecipient('628123456789@s.whatsapp.net')).toEqual({
    ok: true,
    to: '628123456789',
    chatType: 'personal',
  });
});

test.each([
  '',
  ' ',
  '+',
  '12',
  '0812345678',
  '99900000000000000',
  '62812345678901234567',
  'not a number',
  '62812345678x',
  '628123456789;ext=1',
  '６２８１２３４５６７８９',
  '628123456789@g.us.example.com',
  'status@broadcast',
  '@g.us',
  '1'.repeat(1000),
])('%j is neither a phone number nor a group', (to) => {
  expect(parseRecipient(to)).toMatchObject({
    ok: false,
    code: 'RECIPIENT_INVALID',
    details: [{ path: 'to' }],
  });
});
