import { z } from 'zod';
import { timestampSchema, uuidSchema } from '../../../contract/ids.ts';
import { listOf, record } from '../../openapi/schemas.ts';

export const roleSchema = z
  .enum(['owner', 'admin', 'agent'])
  .describe('`owner` and `admin` administer the account; `agent` works in the inbox.');

export const openToNewUsersSchema = z
  .boolean()
  .describe(
    'Whether someone without a user on this gateway can accept an invitation. False if `SIGNUP` is `closed`: then ' +
      'only existing users can, and the operator creates new ones. It reveals nothing about an address.',
  );

const linkSchema = z.url().optional();

const userSchema = z.object({ id: uuidSchema, email: z.email(), name: z.string() });

export const identitySchema = record('Identity', 'A person, and the account they work in.', {
  user: userSchema,
  account: z.object({ id: uuidSchema, name: z.string(), role: roleSchema }),
  isOperator: z
    .literal(true)
    .optional()
    .describe('They operate the gateway: `OPERATOR_EMAILS` lists their address.'),
});

export const signedInSchema = record('SignedIn', 'A signed-in person.', {
  token: z.string().describe('Send it as `Authorization: Bearer …`.'),
  expiresAt: timestampSchema.describe('15 minutes from now.'),
  ...identitySchema.shape,
});

export const publicKeysSchema = record('PublicKeys', 'A JSON Web Key Set (RFC 7517).', {
  keys: z.array(z.looseObject({ kty: z.string(), kid: z.string() })),
});

export const verificationSentSchema = record('VerificationSent', 'The same whatever the address.', {
  status: z.literal('verification_sent'),
  link: linkSchema.describe('Only for the operator, if no e-mail could be sent: the link it would contain.'),
});

export const sentIfKnownSchema = record('SentIfKnown', 'The same whatever the address.', {
  status: z.literal('sent_if_known'),
  link: linkSchema.describe(
    'Only for the operator of a gateway that sends no e-mail: the link it would contain.',
  ),
});

const accountOfMineSchema = z.object({
  id: uuidSchema,
  name: z.string(),
  role: roleSchema,
  current: z.boolean().describe('The account that the token is for.'),
});
export const accountListSchema = listOf(accountOfMineSchema, 'AccountList');

const sessionSchema = z.object({
  id: uuidSchema,
  createdAt: timestampSchema,
  lastUsedAt: timestampSchema,
  expiresAt: timestampSchema,
  address: z.string().nullable().describe('The IP address it was last used from.'),
  userAgent: z.string().nullable(),
  current: z.boolean().describe('The session of this token.'),
});
export const sessionListSchema = listOf(sessionSchema, 'SessionList');

export const confirmedSchema = record('Confirmed', 'A confirmed identity.', {
  confirmedUntil: timestampSchema.describe('Sensitive actions need no further confirmation until then.'),
});

export const twoFactorSchema = record('TwoFactor', 'Whether signing in needs a second factor.', {
  enabled: z.boolean(),
  recoveryCodesLeft: z.int(),
});

export const twoFactorSecretSchema = record(
  'TwoFactorSecret',
  'A secret that takes effect once a code of it is verified.',
  {
    secret: z.string().describe('Base32, to enter in an authenticator app.'),
    otpauthUrl: z.string().describe('The same, to show as a QR code.'),
  },
);

export const recoveryCodesSchema = record('RecoveryCodes', 'Recovery codes, for a lost authenticator.', {
  recoveryCodes: z.array(z.string()).describe('Each signs in once instead of a code. Shown only once.'),
});
