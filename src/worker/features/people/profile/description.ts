import {
  exampleAccountId,
  exampleRecoveryCodes,
  exampleSessionId,
} from '../../../openapi/examples/example-values.ts';
import type { Answer, Operation } from '../../../openapi/operation.ts';
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

const recoveryCodes = (description: string): Answer => ({
  status: 200,
  description,
  schema: recoveryCodesSchema,
  example: { recoveryCodes: exampleRecoveryCodes },
});

/** What a person sees and changes of themselves. */
export const profileOperations: Operation[] = [
  {
    id: 'getMe',
    method: 'get',
    path: '/v1/auth/me',
    tag: 'Sign-in',
    summary: 'Who is signed in',
    description: 'The person behind the token, and the account it is for.',
    answers: [identityAnswer(200, 'The person.')],
  },
  {
    id: 'updateMe',
    method: 'patch',
    path: '/v1/auth/me',
    tag: 'Sign-in',
    summary: 'Change my name',
    description: 'How others of your accounts see you, and who invites in your e-mails.',
    fields: { name: 'Your name. It must not look like a web address or a phone number.' },
    examples: { name: { summary: 'A name', value: { name: 'Ada' } } },
    answers: [identityAnswer(200, 'The person.')],
  },
  {
    id: 'stepUp',
    method: 'post',
    path: '/v1/auth/step-up',
    tag: 'Sign-in',
    summary: 'Show that it is you',
    description:
      'Dangerous acts (deleting a number, making, changing or removing an owner, letting a session bridge in or revoking ' +
      'one) answer `403 STEP_UP_REQUIRED` when you have signed in more than 10 minutes ago. Confirm here with your ' +
      'password, or a code of your second factor where you have one, and repeat them within 10 minutes. It counts for ' +
      'this session alone.',
    fields: {
      password: 'Your password, once more. Either this or `code`.',
      code: 'Of your authenticator, or a recovery code.',
    },
    examples: { password: { summary: 'With the password', value: { password } } },
    answers: [
      {
        status: 200,
        description: 'It is you.',
        schema: confirmedSchema,
        example: { confirmedUntil: '2026-01-31T09:40:00.000Z' },
      },
    ],
    errors: ['FORBIDDEN', 'CONFLICT', 'RATE_LIMITED'],
  },
  {
    id: 'listAccounts',
    method: 'get',
    path: '/v1/auth/accounts',
    tag: 'Sign-in',
    summary: 'List my accounts',
    description: 'The accounts you belong to.',
    answers: [
      {
        status: 200,
        description: 'A page of accounts.',
        schema: accountListSchema,
        example: {
          data: [{ id: exampleAccountId, name: 'Example Ltd', role: 'owner', current: true }],
          nextCursor: null,
        },
      },
    ],
  },
  {
    id: 'switchAccount',
    method: 'post',
    path: '/v1/auth/switch-account',
    tag: 'Sign-in',
    summary: 'Work in another account',
    description: 'Answers with a token for another account you belong to.',
    fields: { accountId: 'The account.' },
    examples: { account: { summary: 'Another account', value: { accountId: exampleAccountId } } },
    answers: [{ ...signedInAnswer, headers: [] }],
    errors: ['NOT_FOUND', 'CONFLICT'],
  },
  {
    id: 'listSessions',
    method: 'get',
    path: '/v1/auth/sessions',
    tag: 'Sign-in',
    summary: 'List my sessions',
    description: 'Where you are signed in.',
    answers: [
      {
        status: 200,
        description: 'A page of sessions.',
        schema: sessionListSchema,
        example: {
          data: [
            {
              id: exampleSessionId,
              createdAt: '2026-01-30T08:00:00.000Z',
              lastUsedAt: '2026-01-31T09:30:00.000Z',
              expiresAt: '2026-03-01T08:00:00.000Z',
              address: '203.0.113.7',
              userAgent: 'Mozilla/5.0',
              current: true,
            },
          ],
          nextCursor: null,
        },
      },
    ],
  },
  {
    id: 'endSession',
    method: 'delete',
    path: '/v1/auth/sessions/:id',
    tag: 'Sign-in',
    summary: 'End a session',
    description: 'Its tokens are refused from the next request on, and it gets no more of them.',
    answers: [{ status: 204, description: 'It is over.' }],
  },
  {
    id: 'endOtherSessions',
    method: 'delete',
    path: '/v1/auth/sessions',
    tag: 'Sign-in',
    summary: 'End all my other sessions',
    description:
      'Every session but the one of this token: you are signed out everywhere else from the next request on.',
    answers: [{ status: 204, description: 'They are over.' }],
  },
  {
    id: 'changePassword',
    method: 'post',
    path: '/v1/auth/password/change',
    tag: 'Sign-in',
    summary: 'Change my password',
    description: 'Your other sessions end. A wrong `currentPassword` is `403`.',
    fields: { currentPassword: 'The password until now.', newPassword: 'The password from now on.' },
    examples: {
      change: {
        summary: 'Old and new',
        value: { currentPassword: password, newPassword: 'better horse battery' },
      },
    },
    answers: [{ status: 204, description: 'It counts from now on.' }],
    errors: ['FORBIDDEN', 'RATE_LIMITED'],
  },
  {
    id: 'getTwoFactor',
    method: 'get',
    path: '/v1/auth/two-factor',
    tag: 'Sign-in',
    summary: 'See my second factor',
    description: 'Whether signing in needs a second factor, and how many recovery codes are left.',
    answers: [
      {
        status: 200,
        description: 'How it is.',
        schema: twoFactorSchema,
        example: { enabled: true, recoveryCodesLeft: 9 },
      },
    ],
  },
  {
    id: 'enableTwoFactor',
    method: 'post',
    path: '/v1/auth/two-factor/enable',
    tag: 'Sign-in',
    summary: 'Begin with a second factor',
    description: 'Answers with a secret for an authenticator app. It counts once a code of it was verified.',
    ...passwordBody,
    answers: [
      {
        status: 200,
        description: 'The secret.',
        schema: twoFactorSecretSchema,
        example: {
          secret: 'JBSWY3DPEHPK3PXP',
          otpauthUrl: 'otpauth://totp/Heliograph:ada%40example.com?secret=JBSWY3DPEHPK3PXP&issuer=Heliograph',
        },
      },
    ],
    errors: ['FORBIDDEN', 'CONFLICT', 'RATE_LIMITED'],
  },
  {
    id: 'verifyTwoFactor',
    method: 'post',
    path: '/v1/auth/two-factor/verify',
    tag: 'Sign-in',
    summary: 'Turn the second factor on',
    description: 'Takes a code of the new secret. The recovery codes in the answer are shown this once.',
    fields: { code: 'Six digits of the authenticator.' },
    examples: { code: { summary: 'A code', value: { code: '492039' } } },
    answers: [recoveryCodes('It is on.')],
    errors: ['FORBIDDEN', 'CONFLICT', 'RATE_LIMITED'],
  },
  {
    id: 'renewRecoveryCodes',
    method: 'post',
    path: '/v1/auth/two-factor/recovery-codes',
    tag: 'Sign-in',
    summary: 'Get new recovery codes',
    description: 'The old ones end.',
    ...passwordBody,
    answers: [recoveryCodes('The new codes.')],
    errors: ['FORBIDDEN', 'CONFLICT', 'RATE_LIMITED'],
  },
  {
    id: 'disableTwoFactor',
    method: 'post',
    path: '/v1/auth/two-factor/disable',
    tag: 'Sign-in',
    summary: 'Turn the second factor off',
    description: 'Takes the password and a code. From now on the password is enough.',
    fields: { password: 'Your password, once more.', code: 'Of the authenticator, or a recovery code.' },
    examples: { both: { summary: 'With password and code', value: { password, code: '492039' } } },
    answers: [{ status: 204, description: 'It is off.' }],
    errors: ['FORBIDDEN', 'CONFLICT', 'RATE_LIMITED'],
  },
];
