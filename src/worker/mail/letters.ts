import type { Mail } from './mailer.ts';

/** A link with the token behind `#`: browsers send that part to no server, so it stands in no access log. */
const link = (baseUrl: string, page: string, token: string) => `${baseUrl}/${page}#token=${token}`;
export const resetLink = (baseUrl: string, token: string) => link(baseUrl, 'password/reset', token);
export const invitationLink = (baseUrl: string, token: string) => link(baseUrl, 'invitation', token);
export const signUpLink = (baseUrl: string, token: string) => link(baseUrl, 'verify', token);

/** Names are other people's input: on one line, so that none of them can write a letter of its own. */
const oneLine = (name: string) => name.replaceAll(/\s+/g, ' ').trim();

/** "Reset your password", good for an hour. */
export const resetLetter = (to: string, baseUrl: string, token: string): Mail => ({
  kind: 'password_reset',
  to,
  link: resetLink(baseUrl, token),
  subject: 'Reset your Heliograph password',
  text: `Somebody, we hope you, asked to reset the password of ${to}.

Choose a new one within the hour:
${resetLink(baseUrl, token)}

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
  link: invitationLink(baseUrl, token),
  subject: `Join ${oneLine(invitation.accountName)} on Heliograph`,
  text: `${oneLine(invitation.invitedBy)} invites you to ${oneLine(invitation.accountName)} on Heliograph, as ${invitation.role}.

Accept within seven days:
${invitationLink(baseUrl, token)}
`,
});

/** "Confirm your address", good for a day. */
export const signUpLetter = (to: string, baseUrl: string, token: string): Mail => ({
  kind: 'sign_up',
  to,
  link: signUpLink(baseUrl, token),
  subject: 'Confirm your e-mail address for Heliograph',
  text: `Somebody, we hope you, opens a Heliograph account with this address.

Confirm it within a day, and choose your password:
${signUpLink(baseUrl, token)}

If it was not you, do nothing: no account is opened.
`,
});

/** To somebody who signs up and has a user already: only they learn it. */
export const knownSignUpLetter = (to: string, baseUrl: string): Mail => ({
  kind: 'sign_up_known',
  to,
  subject: 'You have a Heliograph user already',
  text: `Somebody, we hope you, tried to open a Heliograph account with this address. It has a user already: sign in,
or get a new password:
${baseUrl}/password/reset

If it was not you, do nothing.
`,
});

/** Somebody has the password, and guesses codes. */
export const guessedCodeLetter = (to: string): Mail => ({
  kind: 'code_guessed',
  to,
  subject: 'Wrong codes at your Heliograph sign-in',
  text: `Somebody signed in as ${to} with the right password and then gave five wrong codes in a row. Codes are not taken for
a while now; your recovery codes are.

If it was not you, change your password: somebody else knows it.
`,
});

const alertAddressLink = (baseUrl: string, token: string) => link(baseUrl, 'alerts/confirm', token);

/** "Do you want the alerts of …", good for seven days. */
export const alertAddressLetter = (
  to: string,
  baseUrl: string,
  token: string,
  asked: { accountName: string; askedBy: string },
): Mail => ({
  kind: 'alert_address',
  to,
  link: alertAddressLink(baseUrl, token),
  subject: `Alerts of ${oneLine(asked.accountName)} on Heliograph`,
  text: `${oneLine(asked.askedBy)} wants alerts of ${oneLine(asked.accountName)} on Heliograph to be sent to ${to}.

If you want them, say so within seven days:
${alertAddressLink(baseUrl, token)}

If you do not know what this is, do nothing: no alerts are sent to you.
`,
});
