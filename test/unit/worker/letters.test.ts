import { expect, test } from 'vitest';
import { alertAddressLetter, invitationLetter } from '../../../src/worker/mail/letters.ts';

const to = 'bob@example.com';
const baseUrl = 'https://dashboard.example.com';
const written = ' Ada\n\nPay the bill\r\nhere ';
const shown = 'Ada Pay the bill here';

test('names of other people stand on one line of a letter, so that none of them writes a letter of their own', () => {
  const names = { accountName: written, invitedBy: written, role: 'agent' };
  const invitation = invitationLetter(to, baseUrl, 'token', names);
  expect(invitation.subject).toBe(`Join ${shown} on Heliograph`);
  expect(invitation.text).toContain(`${shown} invites you to ${shown} on Heliograph, as agent.\n`);
  const asked = alertAddressLetter(to, baseUrl, 'token', { accountName: written, askedBy: written });
  expect(asked.subject).toBe(`Alerts of ${shown} on Heliograph`);
  expect(asked.text).toContain(`${shown} wants alerts of ${shown} on Heliograph to be sent to ${to}.\n`);
});
