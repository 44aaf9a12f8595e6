import type { ErrorCode } from '../../contract/errors.ts';
import type { KeyScope } from '../../contract/key-scopes.ts';

/** Who may call a route. `reader` is an API key or an administrator, `member` an API key or anybody who is signed in; `administrator` an owner or admin. */
export type Credential =
  | 'none'
  | 'apiKey'
  | 'reader'
  | 'member'
  | 'signedIn'
  | 'administrator'
  | 'operator'
  | 'operatorOrPerson'
  | 'operatorOrNone'
  | 'refreshCookie'
  | 'refreshCookieOrNone';

export const securitySchemes = {
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description:
      "For a customer's servers: `sk_live_…`, made under API keys. Never put it into a browser or an app.",
  },
  dashboardToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'For people: the `token` that signing in answers with. It lives 15 minutes; its public keys are at `/v1/auth/jwks`. Where ' +
      'the gateway trusts an identity provider of yours, its token does too; name the account in `X-Account-Id`.',
  },
  operatorToken: {
    type: 'http',
    scheme: 'bearer',
    description:
      'For the operator of the gateway alone: its `BOOTSTRAP_TOKEN`, which makes accounts and puts them on plans.',
  },
  refreshCookie: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-heliograph_refresh',
    description:
      'Set by signing in: HttpOnly, SameSite=Strict; by http on this machine without the `__Host-` of its name. Each use ' +
      'replaces it, a second use of an old one ends the session, and after 30 days the session is over.',
  },
} as const;

/** The security requirement of each credential: alternatives. */
export const requirements: Record<Credential, Partial<Record<keyof typeof securitySchemes, []>>[]> = {
  none: [],
  apiKey: [{ apiKey: [] }],
  reader: [{ apiKey: [] }, { dashboardToken: [] }],
  member: [{ apiKey: [] }, { dashboardToken: [] }],
  signedIn: [{ dashboardToken: [] }],
  administrator: [{ dashboardToken: [] }],
  operator: [{ operatorToken: [] }],
  operatorOrPerson: [{ operatorToken: [] }, { dashboardToken: [] }],
  operatorOrNone: [{ operatorToken: [] }, {}],
  refreshCookie: [{ refreshCookie: [] }],
  refreshCookieOrNone: [{ refreshCookie: [] }, {}],
};

/**
 * `newcomer`: anybody, where the gateway is open to sign-ups; `operator`: whoever runs the gateway, by its token;
 * `operatorsPerson`: the same, signed in as a person.
 */
export type CallerKind =
  | 'anybody'
  | 'newcomer'
  | 'apiKey'
  | 'owner'
  | 'admin'
  | 'agent'
  | 'operator'
  | 'operatorsPerson';

/** Who may call, for programs: `x-callers` of each operation. Where anybody may, the operation may ask for a cookie or a token. */
export const callers: Record<Credential, CallerKind[]> = {
  none: ['anybody'],
  apiKey: ['apiKey'],
  reader: ['apiKey', 'owner', 'admin'],
  member: ['apiKey', 'owner', 'admin', 'agent'],
  signedIn: ['owner', 'admin', 'agent'],
  administrator: ['owner', 'admin'],
  operator: ['operator'],
  operatorOrPerson: ['operator', 'operatorsPerson'],
  operatorOrNone: ['operator', 'newcomer'],
  refreshCookie: ['anybody'],
  refreshCookieOrNone: ['anybody'],
};

/** The errors that a credential brings along. */
export const credentialErrors: Record<Credential, ErrorCode[]> = {
  none: [],
  apiKey: ['INVALID_API_KEY', 'FORBIDDEN', 'RATE_LIMITED'],
  reader: ['INVALID_API_KEY', 'UNAUTHENTICATED', 'FORBIDDEN', 'RATE_LIMITED'],
  member: ['INVALID_API_KEY', 'UNAUTHENTICATED', 'FORBIDDEN', 'RATE_LIMITED'],
  signedIn: ['UNAUTHENTICATED', 'RATE_LIMITED'],
  administrator: ['UNAUTHENTICATED', 'FORBIDDEN', 'RATE_LIMITED'],
  operator: ['UNAUTHENTICATED'],
  operatorOrPerson: ['UNAUTHENTICATED', 'FORBIDDEN', 'RATE_LIMITED'],
  operatorOrNone: ['UNAUTHENTICATED', 'RATE_LIMITED'],
  refreshCookie: ['UNAUTHENTICATED'],
  refreshCookieOrNone: [],
};

const whoMay: Record<Credential, string> = {
  none: 'Needs no credential.',
  apiKey: 'Takes an API key',
  reader: 'Takes an API key',
  member: 'Takes an API key',
  signedIn: 'Takes the token of anybody who is signed in.',
  administrator: 'Takes the token of an owner or admin.',
  operator: "Takes the operator's token.",
  operatorOrPerson: "Takes the operator's token, or that of a person whom `OPERATOR_EMAILS` names.",
  operatorOrNone: "Takes the operator's token, or none where the gateway is open to sign-ups.",
  refreshCookie: 'Takes the refresh cookie.',
  refreshCookieOrNone: 'Takes the refresh cookie, if there is one.',
};

/** The sentence about who may, which ends an operation's description. */
export function whoMayCall(credential: Credential, scope: KeyScope | undefined): string {
  if (credential !== 'apiKey' && credential !== 'reader' && credential !== 'member')
    return whoMay[credential];
  if (scope === undefined) throw new Error('an operation takes API keys, and names no scope');
  const orPerson = {
    apiKey: '',
    reader: ', or the token of an owner or admin',
    member: ', or the token of anybody who is signed in',
  };
  return `${whoMay[credential]} with the scope \`${scope}\`${orPerson[credential]}.`;
}
