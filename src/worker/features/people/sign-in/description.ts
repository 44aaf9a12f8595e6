import {
  exampleAccountId,
  exampleMailToken,
  exampleToken,
  exampleUserId,
} from '../../../openapi/examples/example-values.ts';
import type { Answer, Operation } from '../../../openapi/operation.ts';
import {
  identitySchema,
  publicKeysSchema,
  sentIfKnownSchema,
  signedInSchema,
  verificationSentSchema,
} from '../records.ts';

const identity = {
  user: { id: exampleUserId, email: 'ada@example.com', name: 'Ada' },
  account: { id: exampleAccountId, name: 'Example Ltd', role: 'owner' },
};

export const identityAnswer = (status: 200 | 201, description: string): Answer => ({
  status,
  description,
  schema: identitySchema,
  example: identity,
});

export const signedInAnswer: Answer = {
  status: 200,
  description: 'Signed in.',
  schema: signedInSchema,
  example: { token: exampleToken, expiresAt: '2026-01-31T09:45:00.000Z', ...identity },
  headers: ['Set-Cookie'],
};

const person = { email: 'ada@example.com', password: 'correct horse battery' };

export const signInOperations: Operation[] = [
  {
    id: 'signUp',
    method: 'post',
    path: '/v1/auth/sign-up',
    tag: 'Sign-in',
    summary: 'Create an account',
    description:
      'Makes an account and its owner. The operator gives a `password` and gets it at once (`201`), or none, and its ' +
      'owner chooses it by the link (`202`). Anybody else, where the gateway is open to sign-ups, gets a link by e-mail ' +
      '(`202`, whatever the address): nothing is there before somebody has opened it. One link an address is good: the ' +
      'last. Names must not look like web addresses or phone numbers.',
    fields: {
      email: 'The address the owner signs in with.',
      password: 'Of the owner. Only from the operator: everybody else chooses it with the link.',
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
      {
        status: 202,
        description: 'A link is on its way.',
        schema: verificationSentSchema,
        example: { status: 'verification_sent' },
      },
    ],
    errors: ['CONFLICT'],
  },
  {
    id: 'verifySignUp',
    method: 'post',
    path: '/v1/auth/sign-up/verify',
    tag: 'Sign-in',
    summary: 'Confirm the e-mail address of a sign-up',
    description: 'Takes the token of the link, and the password that the owner will sign in with.',
    fields: {
      token: 'From the link in the e-mail.',
      password: 'Of the owner: none that everybody tries first.',
    },
    examples: {
      link: {
        summary: 'From the e-mail',
        value: { token: exampleMailToken, password: 'better horse battery' },
      },
    },
    answers: [identityAnswer(201, 'The owner and the account.')],
    errors: ['UNAUTHENTICATED', 'CONFLICT', 'RATE_LIMITED'],
  },
  {
    id: 'login',
    method: 'post',
    path: '/v1/auth/login',
    tag: 'Sign-in',
    summary: 'Sign in',
    description:
      'A wrong password and an unknown address get the same answer. With two-factor on, a missing `code` is a `401` ' +
      'whose `details` carry `"code": "SECOND_FACTOR_REQUIRED"`, a wrong one `SECOND_FACTOR_WRONG`. Wrong codes lock the ' +
      'authenticator out for longer and longer (`429`), which a recovery code passes.',
    fields: {
      email: 'The address.',
      password: 'The password.',
      code: 'Six digits of the authenticator, or a recovery code; only with two-factor on.',
    },
    examples: { person: { summary: 'With a password', value: person } },
    answers: [signedInAnswer],
    errors: ['UNAUTHENTICATED', 'RATE_LIMITED'],
  },
  {
    id: 'refresh',
    method: 'post',
    path: '/v1/auth/refresh',
    tag: 'Sign-in',
    summary: 'Get a new token',
    description:
      'Trades the refresh cookie for a new token and a new cookie. A cookie that was used before ends the session; the last one ' +
      'may be presented again within ten seconds.',
    answers: [signedInAnswer],
    errors: ['FORBIDDEN'],
  },
  {
    id: 'logout',
    method: 'post',
    path: '/v1/auth/logout',
    tag: 'Sign-in',
    summary: 'Sign out',
    description:
      'Ends the session of the cookie and clears it. Without one there is nothing to end: also `204`.',
    answers: [{ status: 204, description: 'Signed out.', headers: ['Set-Cookie'] }],
    errors: ['FORBIDDEN'],
  },
  {
    id: 'forgotPassword',
    method: 'post',
    path: '/v1/auth/password/forgot',
    tag: 'Sign-in',
    summary: 'Ask for a new password',
    description:
      'Sends a link by e-mail, if anybody has the address; the answer does not tell. Who has got five keeps the last one. ' +
      'The operator of a gateway that sends no e-mail gets the `link` itself.',
    fields: { email: 'The address.' },
    examples: { address: { summary: 'An address', value: { email: person.email } } },
    answers: [
      {
        status: 202,
        description: 'Asked for.',
        schema: sentIfKnownSchema,
        example: { status: 'sent_if_known' },
      },
    ],
    errors: ['RATE_LIMITED'],
  },
  {
    id: 'resetPassword',
    method: 'post',
    path: '/v1/auth/password/reset',
    tag: 'Sign-in',
    summary: 'Set a new password',
    description: 'Takes the token of the link. All sessions end.',
    fields: { token: 'From the link in the e-mail.', newPassword: 'The new password.' },
    examples: {
      link: {
        summary: 'From the e-mail',
        value: { token: exampleMailToken, newPassword: 'better horse battery' },
      },
    },
    answers: [{ status: 204, description: 'It counts from now on.' }],
    errors: ['UNAUTHENTICATED', 'RATE_LIMITED'],
  },
  {
    id: 'getPublicKeys',
    method: 'get',
    path: '/v1/auth/jwks',
    tag: 'Sign-in',
    summary: 'Get the public keys',
    description: 'Whoever wants to verify a dashboard token takes these (EdDSA).',
    answers: [
      {
        status: 200,
        description: 'The keys.',
        schema: publicKeysSchema,
        example: {
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
        },
      },
    ],
  },
];
