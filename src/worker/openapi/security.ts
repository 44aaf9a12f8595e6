import type { ErrorCode } from '../../contract/errors.ts';
import type { Guard, StepUp } from '../auth/guards.ts';

export const securitySchemes = {
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description:
      'For your servers: `sk_live_…`, created under API keys. Never put it in a browser or an app.',
  },
  dashboardToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'For people: the `token` returned by signing in. It is valid for 15 minutes; the public keys are at ' +
      '`/v1/auth/jwks`. If the gateway trusts your identity provider, its tokens are accepted too; name the account in ' +
      '`X-Account-Id`.',
  },
  operatorToken: {
    type: 'http',
    scheme: 'bearer',
    description:
      'For the operator of the gateway only: its `BOOTSTRAP_TOKEN`, which creates accounts and sets their plans.',
  },
  refreshCookie: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-heliograph_refresh',
    description:
      'Set by signing in: HttpOnly, SameSite=Strict; over http on this machine its name has no `__Host-`. Each use ' +
      'replaces it. Using an old one again ends the session, and so do 30 days.',
  },
} as const;

type Requirement = Partial<Record<keyof typeof securitySchemes, []>>;

/** `security` of an operation: alternatives. */
export function requirementsOf({
  key,
  people,
  operator,
  operatingPeople,
  newcomers,
  asks,
}: Guard): Requirement[] {
  const takesTokens = people !== undefined || operatingPeople === true;
  const asksForCookie = asks === 'refreshCookie' || asks === 'refreshCookieIfAny';
  return [
    ...(key === undefined ? [] : [{ apiKey: [] as [] }]),
    ...(operator ? [{ operatorToken: [] as [] }] : []),
    ...(takesTokens ? [{ dashboardToken: [] as [] }] : []),
    ...(asksForCookie ? [{ refreshCookie: [] as [] }] : []),
    ...(newcomers || asks === 'refreshCookieIfAny' ? [{}] : []),
  ];
}

/**
 * `newcomer`: anybody, if the gateway is open to sign-ups; `operator`: the operator of the gateway, by the token;
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
export const callersOf = ({
  anybody,
  key,
  people = [],
  operator,
  newcomers,
  operatingPeople,
}: Guard): CallerKind[] => [
  ...(anybody ? (['anybody'] as const) : []),
  ...(key === undefined ? [] : (['apiKey'] as const)),
  ...people,
  ...(operator ? (['operator'] as const) : []),
  ...(newcomers ? (['newcomer'] as const) : []),
  ...(operatingPeople ? (['operatorsPerson'] as const) : []),
];

const isForAdministrators = (people: NonNullable<Guard['people']>) => !people.includes('agent');

/** The errors that a guard brings along. */
export function guardErrors({ key, people, operator, operatingPeople, newcomers, asks }: Guard): ErrorCode[] {
  const takesTokens = people !== undefined || operatingPeople === true;
  const isPicky =
    key !== undefined || operatingPeople || (people !== undefined && isForAdministrators(people));
  return [
    ...(key === undefined ? [] : (['INVALID_API_KEY'] as const)),
    ...(takesTokens || operator || asks === 'refreshCookie' ? (['UNAUTHENTICATED'] as const) : []),
    ...(isPicky ? (['FORBIDDEN'] as const) : []),
    ...(key !== undefined || takesTokens || operator || newcomers ? (['RATE_LIMITED'] as const) : []),
  ];
}

/** The sentences about who may, which end an operation's description. */
export function whoMayCall(guard: Guard, stepUp: StepUp | undefined): string {
  return [whoMay(guard), ...(stepUp === undefined ? [] : [stepUpSentences[stepUp]])].join(' ');
}

const stepUpSentences: Record<StepUp, string> = {
  always: 'Requires a recent confirmation of identity (`STEP_UP_REQUIRED`).',
  sometimes: 'Some changes require a recent confirmation of identity (`STEP_UP_REQUIRED`).',
};

function whoMay({ key, people, operator, operatingPeople, newcomers, asks }: Guard): string {
  const who = people && (isForAdministrators(people) ? 'an owner or admin' : 'anyone who is signed in');
  if (key !== undefined)
    return `Takes an API key with the scope \`${key}\`${who === undefined ? '' : `, or the token of ${who}`}.`;
  if (who !== undefined) return `Takes the token of ${who}.`;
  if (operatingPeople) return "Takes the operator's token, or that of a person listed in `OPERATOR_EMAILS`.";
  if (newcomers) return "Takes the operator's token, or none if the gateway is open to sign-ups.";
  if (operator) return "Takes the operator's token.";
  if (asks === 'refreshCookie') return 'Takes the refresh cookie.';
  if (asks === 'refreshCookieIfAny') return 'Takes the refresh cookie, if there is one.';
  return 'Takes no credential.';
}
