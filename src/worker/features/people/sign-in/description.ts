import { example } from '../../../openapi/examples/example-values.ts';
import { type Answer, answer, chapter } from '../../../openapi/operation.ts';
import {
  identitySchema,
  publicKeysSchema,
  sentIfKnownSchema,
  signedInSchema,
  verificationSentSchema,
} from '../records.ts';

const identity = {
  user: { id: example.userId, email: 'ada@example.com', name: 'Ada' },
  account: { id: example.accountId, name: 'Example Ltd', role: 'owner' },
};

export const identityAnswer = (status: 200 | 201, description: string): Answer =>
  answer(status, description, identitySchema, identity);

export const signedInAnswer: Answer = {
  status: 200,
  description: 'Signed in.',
  schema: signedInSchema,
  example: { token: example.token, expiresAt: '2026-01-31T09:45:00.000Z', ...identity },
  headers: ['Set-Cookie'],
};

const person = { email: 'ada@example.com', password: 'correct horse battery' };

export const signInOperations = chapter('Sign-in', [
  {
    id: 'signUp',
    route: 'POST /v1/auth/sign-up',
    summary: 'Create an account',
    description:
      'Creates an account and its owner. The operator sends a `password` and gets the account at once (`201`), or ' +
      'none, and the owner chooses it with the link (`202`). Anyone else, if the gateway is open to sign-ups, gets a ' +
      'link by e-mail (`202`, whatever the address): nothing is created before the link is opened. Only the last link ' +
      'to an address is valid. Names must not look like URLs or phone numbers.',
    fields: {
      email: 'The address the owner signs in with.',
      password: "The owner's password. Only from the operator: everyone else chooses it with the link.",
      name: "The owner's name.",
      accountName: "The account's name.",
    },
    examples: {
      owner: {
        summary: 'A first account',
        value: { ...person, name: 'Ada', accountName: 'Example Ltd' },
      },
    },
    answers: [
      identityAnswer(201, 'The owner and the account.'),
      answer(202, 'A link is on its way.', verificationSentSchema, { status: 'verification_sent' }),
    ],
    errors: ['CONFLICT'],
  },
  {
    id: 'verifySignUp',
    route: 'POST /v1/auth/sign-up/verify',
    summary: 'Confirm the e-mail address of a sign-up',
    description: 'Takes the token from the link, and the password the owner will sign in with.',
    fields: {
      token: 'From the link in the e-mail.',
      password: "The owner's password; common passwords are rejected.",
    },
    examples: {
      link: {
        summary: 'From the e-mail',
        value: { token: example.mailToken, password: 'better horse battery' },
      },
    },
    answers: [identityAnswer(201, 'The owner and the account.')],
    errors: ['UNAUTHENTICATED', 'CONFLICT', 'RATE_LIMITED'],
  },
  {
    id: 'login',
    route: 'POST /v1/auth/login',
    summary: 'Sign in',
    description:
      'A wrong password and an unknown address get the same response. With two-factor on, a missing `code` is a `401` ' +
      'whose `details` carry `"code": "SECOND_FACTOR_REQUIRED"`, a wrong one `SECOND_FACTOR_WRONG`. Wrong codes lock ' +
      'the authenticator for longer and longer (`429`); a recovery code still works.',
    fields: {
      email: 'The e-mail address.',
      password: 'The password.',
      code: 'Six digits from the authenticator, or a recovery code; only with two-factor on.',
    },
    examples: { person: { summary: 'With a password', value: person } },
    answers: [signedInAnswer],
    errors: ['UNAUTHENTICATED', 'RATE_LIMITED'],
  },
  {
    id: 'refresh',
    route: 'POST /v1/auth/refresh',
    summary: 'Refresh the token',
    description:
      'Trades the refresh cookie for a new token and a new cookie. Using a cookie again ends the session, except that ' +
      'the last one may be repeated within ten seconds.',
    answers: [signedInAnswer],
    errors: ['FORBIDDEN'],
  },
  {
    id: 'logout',
    route: 'POST /v1/auth/logout',
    summary: 'Sign out',
    description: 'Ends the session of the cookie and clears it. Without one the response is `204` too.',
    answers: [{ status: 204, description: 'Signed out.', headers: ['Set-Cookie'] }],
    errors: ['FORBIDDEN'],
  },
  {
    id: 'forgotPassword',
    route: 'POST /v1/auth/password/forgot',
    summary: 'Request a password reset',
    description:
      'Sends a link by e-mail if the address has a user; the response does not tell. After five links, the last one ' +
      'stays valid. The operator of a gateway that sends no e-mail gets the `link` itself.',
    fields: { email: 'The e-mail address.' },
    examples: { address: { summary: 'An address', value: { email: person.email } } },
    answers: [answer(202, 'The reset was requested.', sentIfKnownSchema, { status: 'sent_if_known' })],
    errors: ['RATE_LIMITED'],
  },
  {
    id: 'resetPassword',
    route: 'POST /v1/auth/password/reset',
    summary: 'Set a new password',
    description: 'Takes the token from the link. All sessions end.',
    fields: { token: 'From the link in the e-mail.', newPassword: 'The new password.' },
    examples: {
      link: {
        summary: 'From the e-mail',
        value: { token: example.mailToken, newPassword: 'better horse battery' },
      },
    },
    answers: [{ status: 204, description: 'The new password is set.' }],
    errors: ['UNAUTHENTICATED', 'RATE_LIMITED'],
  },
  {
    id: 'getPublicKeys',
    route: 'GET /v1/auth/jwks',
    summary: 'Get the public keys',
    description: 'For verifying dashboard tokens (EdDSA).',
    answers: [
      answer(200, 'The keys.', publicKeysSchema, {
        keys: [
          {
            kty: 'OKP',
            crv: 'Ed25519',
            x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
            kid: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
            alg: 'EdDSA',
            use: 'sig',
          },
        ],
      }),
    ],
  },
]);
