import { example } from '../../../openapi/examples/example-values.ts';
import { type Answer, answer, chapter, pageAnswer } from '../../../openapi/operation.ts';
import {
  accountListSchema,
  confirmedSchema,
  recoveryCodesSchema,
  sessionListSchema,
  twoFactorSchema,
  twoFactorSecretSchema,
} from '../records.ts';
import { identityAnswer, signedInAnswer } from '../sign-in/description.ts';

const password = 'correct horse battery';
const passwordBody = {
  fields: { password: 'Your password, once more.' },
  examples: { password: { summary: 'With the password', value: { password } } },
};

const recoveryCodes = (description: string): Answer =>
  answer(200, description, recoveryCodesSchema, { recoveryCodes: example.recoveryCodes });

/** What a person sees and changes of themselves. */
export const profileOperations = chapter('Sign-in', [
  {
    id: 'getMe',
    route: 'GET /v1/auth/me',
    summary: 'Get the signed-in person',
    description: 'The person that the token belongs to, and the account it is for.',
    answers: [identityAnswer(200, 'The person.')],
  },
  {
    id: 'updateMe',
    route: 'PATCH /v1/auth/me',
    summary: 'Change my name',
    description: 'How members of your accounts see you, also in your invitations.',
    fields: { name: 'Your name. It must not look like a URL or a phone number.' },
    examples: { name: { summary: 'A name', value: { name: 'Ada' } } },
    answers: [identityAnswer(200, 'The person.')],
  },
  {
    id: 'stepUp',
    route: 'POST /v1/auth/step-up',
    summary: 'Confirm your identity',
    description:
      'Sensitive actions (deleting a number, making, changing or removing an owner, enrolling or revoking a session ' +
      'bridge) get `403 STEP_UP_REQUIRED` if you signed in more than 10 minutes ago. Confirm here with your password, ' +
      'or a two-factor code if you have two-factor on, and repeat them within 10 minutes. It applies to this session ' +
      'only.',
    fields: {
      password: 'Your password, once more. Either this or `code`.',
      code: 'From your authenticator, or a recovery code.',
    },
    examples: { password: { summary: 'With the password', value: { password } } },
    answers: [
      answer(200, 'Your identity is confirmed.', confirmedSchema, {
        confirmedUntil: '2026-01-31T09:40:00.000Z',
      }),
    ],
    errors: ['FORBIDDEN', 'CONFLICT', 'RATE_LIMITED'],
  },
  {
    id: 'listAccounts',
    route: 'GET /v1/auth/accounts',
    summary: 'List my accounts',
    description: 'The accounts you belong to.',
    answers: [
      pageAnswer('A page of accounts.', accountListSchema, [
        { id: example.accountId, name: 'Example Ltd', role: 'owner', current: true },
      ]),
    ],
  },
  {
    id: 'switchAccount',
    route: 'POST /v1/auth/switch-account',
    summary: 'Switch to another account',
    description: 'Returns a token for another account you belong to.',
    fields: { accountId: 'The account.' },
    examples: { account: { summary: 'Another account', value: { accountId: example.accountId } } },
    answers: [{ ...signedInAnswer, headers: [] }],
    errors: ['NOT_FOUND', 'CONFLICT'],
  },
  {
    id: 'listSessions',
    route: 'GET /v1/auth/sessions',
    summary: 'List my sessions',
    description: 'Where you are signed in.',
    answers: [
      pageAnswer('A page of sessions.', sessionListSchema, [
        {
          id: example.sessionId,
          createdAt: '2026-01-30T08:00:00.000Z',
          lastUsedAt: '2026-01-31T09:30:00.000Z',
          expiresAt: '2026-03-01T08:00:00.000Z',
          address: '203.0.113.7',
          userAgent: 'Mozilla/5.0',
          current: true,
        },
      ]),
    ],
  },
  {
    id: 'endSession',
    route: 'DELETE /v1/auth/sessions/:id',
    summary: 'End a session',
    description: 'Its tokens are rejected from the next request on, and it cannot be renewed.',
    answers: [{ status: 204, description: 'The session has ended.' }],
  },
  {
    id: 'endOtherSessions',
    route: 'DELETE /v1/auth/sessions',
    summary: 'End all my other sessions',
    description:
      'Every session but the one of this token: you are signed out everywhere else, from the next request on.',
    answers: [{ status: 204, description: 'The sessions have ended.' }],
  },
  {
    id: 'changePassword',
    route: 'POST /v1/auth/password/change',
    summary: 'Change my password',
    description: 'Your other sessions end. A wrong `currentPassword` is `403`.',
    fields: { currentPassword: 'Your current password.', newPassword: 'Your new password.' },
    examples: {
      change: {
        summary: 'Old and new',
        value: { currentPassword: password, newPassword: 'better horse battery' },
      },
    },
    answers: [{ status: 204, description: 'The new password is set.' }],
    errors: ['FORBIDDEN', 'RATE_LIMITED'],
  },
  {
    id: 'getTwoFactor',
    route: 'GET /v1/auth/two-factor',
    summary: 'Get my two-factor status',
    description: 'Whether signing in needs a second factor, and how many recovery codes are left.',
    answers: [answer(200, 'The status.', twoFactorSchema, { enabled: true, recoveryCodesLeft: 9 })],
  },
  {
    id: 'enableTwoFactor',
    route: 'POST /v1/auth/two-factor/enable',
    summary: 'Set up two-factor',
    description: 'Returns a secret for an authenticator app. It takes effect once you verify a code.',
    ...passwordBody,
    answers: [
      answer(200, 'The secret.', twoFactorSecretSchema, {
        secret: 'JBSWY3DPEHPK3PXP',
        otpauthUrl: 'otpauth://totp/Heliograph:ada%40example.com?secret=JBSWY3DPEHPK3PXP&issuer=Heliograph',
      }),
    ],
    errors: ['FORBIDDEN', 'CONFLICT', 'RATE_LIMITED'],
  },
  {
    id: 'verifyTwoFactor',
    route: 'POST /v1/auth/two-factor/verify',
    summary: 'Turn two-factor on',
    description: 'Takes a code of the new secret. The recovery codes in the response are shown only once.',
    fields: { code: 'Six digits of the authenticator.' },
    examples: { code: { summary: 'A code', value: { code: '492039' } } },
    answers: [recoveryCodes('Two-factor is on.')],
    errors: ['FORBIDDEN', 'CONFLICT', 'RATE_LIMITED'],
  },
  {
    id: 'renewRecoveryCodes',
    route: 'POST /v1/auth/two-factor/recovery-codes',
    summary: 'Get new recovery codes',
    description: 'The old ones become invalid.',
    ...passwordBody,
    answers: [recoveryCodes('The new codes.')],
    errors: ['FORBIDDEN', 'CONFLICT', 'RATE_LIMITED'],
  },
  {
    id: 'disableTwoFactor',
    route: 'POST /v1/auth/two-factor/disable',
    summary: 'Turn two-factor off',
    description: 'Takes the password and a code. From then on the password is enough.',
    fields: { password: 'Your password, once more.', code: 'Of the authenticator, or a recovery code.' },
    examples: { both: { summary: 'With password and code', value: { password, code: '492039' } } },
    answers: [{ status: 204, description: 'Two-factor authentication is off.' }],
    errors: ['FORBIDDEN', 'CONFLICT', 'RATE_LIMITED'],
  },
]);
