import type { Mail } from './mailer.ts';

/** A link with the token behind `#`: browsers send that part to no server, so it stands in no access log. */
const link = (baseUrl: string, page: string, token: string) => `${baseUrl}/${page}#token=${token}`;

/** Names are other people's input: on one line, so that none of them can write a letter of its own. */
const oneLine = (name: string) => name.replaceAll(/\s+/g, ' ').trim();

/** "Reset your password", good for an hour. */
export const resetLetter = (to: string, baseUrl: string, token: string): Mail => ({
  kind: 'password_reset',
  to,
  subject: 'Reset your Heliograph password',
  text: `Somebody, we hope you, asked to reset the password of ${to}.

Choose a new one within the hour:
${link(baseUrl, 'reset-password', token)}

If it was not you, do nothing: your password stays as it is.
`,
});

/** "Join an account", good for seven days. */
export const invitationLetter = (
  to: string,
  baseUrl: string,
  token: string,
  invitation: { accountName: string; invitedBy: string; role: string },
): Mail => ({
  kind: 'invitation',
  to,
  subject: `Join ${oneLine(invitation.accountName)} on Heliograph`,
  text: `${oneLine(invitation.invitedBy)} invites you to ${oneLine(invitation.accountName)} on Heliograph, as ${invitation.role}.

Accept within seven days:
${link(baseUrl, 'accept-invitation', token)}
`,
});

/** "Confirm your address", good for a day. */
export const signUpLetter = (to: string, baseUrl: string, token: string): Mail => ({
  kind: 'sign_up',
  to,
  subject: 'Confirm your e-mail address for Heliograph',
  text: `Somebody, we hope you, opens a Heliograph account with this address.

Confirm it within a day:
${link(baseUrl, 'confirm-sign-up', token)}

If it was not you, do nothing: no account is opened.
`,
});

/** To somebody who signs up and has a user already: only they learn it. */
export const knownSignUpLetter = (to: string, baseUrl: string): Mail => ({
  kind: 'sign_up_known',
  to,
  subject: 'You have a Heliograph user already',
  text: `Somebody, we hope you, tried to open a Heliograph account with this address. It has a user already: sign in at
${baseUrl}/ or choose "Forgot password" there.

If it was not you, do nothing.
`,
});
