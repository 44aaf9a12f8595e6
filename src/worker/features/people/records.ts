import { z } from 'zod';
import { timestampSchema, uuidSchema } from '../../../contract/ids.ts';
import { answerSchemas, listOf } from '../../openapi/schemas.ts';

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

export const identitySchema = z
  .object({
    user: userSchema,
    account: z.object({ id: uuidSchema, name: z.string(), role: roleSchema }),
    isOperator: z
      .literal(true)
      .optional()
      .describe('They operate the gateway: `OPERATOR_EMAILS` lists their address.'),
  })
  .describe('A person, and the account they work in.')
  .register(answerSchemas, { id: 'Identity' });

export const signedInSchema = z
  .object({
    token: z.string().describe('Send it as `Authorization: Bearer …`.'),
    expiresAt: timestampSchema.describe('15 minutes from now.'),
    ...identitySchema.shape,
  })
  .describe('A signed-in person.')
  .register(answerSchemas, { id: 'SignedIn' });

export const publicKeysSchema = z
  .object({ keys: z.array(z.looseObject({ kty: z.string(), kid: z.string() })) })
  .describe('A JSON Web Key Set (RFC 7517).')
  .register(answerSchemas, { id: 'PublicKeys' });

export const verificationSentSchema = z
  .object({
    status: z.literal('verification_sent'),
    link: linkSchema.describe(
      'Only for the operator, if no e-mail could be sent: the link it would contain.',
    ),
  })
  .describe('The same whatever the address.')
  .register(answerSchemas, { id: 'VerificationSent' });

export const sentIfKnownSchema = z
  .object({
    status: z.literal('sent_if_known'),
    link: linkSchema.describe(
      'Only for the operator of a gateway that sends no e-mail: the link it would contain.',
    ),
  })
  .describe('The same whatever the address.')
  .register(answerSchemas, { id: 'SentIfKnown' });

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

export const confirmedSchema = z
  .object({
    confirmedUntil: timestampSchema.describe('Sensitive actions need no further confirmation until then.'),
  })
  .describe('A confirmed identity.')
  .register(answerSchemas, { id: 'Confirmed' });

export const twoFactorSchema = z
  .object({ enabled: z.boolean(), recoveryCodesLeft: z.int() })
  .describe('Whether signing in needs a second factor.')
  .register(answerSchemas, { id: 'TwoFactor' });

export const twoFactorSecretSchema = z
  .object({
    secret: z.string().describe('Base32, to enter in an authenticator app.'),
    otpauthUrl: z.string().describe('The same, to show as a QR code.'),
  })
  .describe('A secret that takes effect once a code of it is verified.')
  .register(answerSchemas, { id: 'TwoFactorSecret' });

export const recoveryCodesSchema = z
  .object({
    recoveryCodes: z.array(z.string()).describe('Each signs in once instead of a code. Shown only once.'),
  })
  .describe('Recovery codes, for a lost authenticator.')
  .register(answerSchemas, { id: 'RecoveryCodes' });
