import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { leaseTimes } from '../contract/bridge/bridge-frames.ts';
import { fleetRegionNames } from '../contract/bridge/bridge-token.ts';
import { plansProblem } from './plans.ts';
import { isStrongKey, isStrongText, strongKeyMust, strongTextMust } from './secrets.ts';
import {
  listOf,
  oneOf,
  optionalSetting,
  partsOf,
  plainText,
  port,
  rate,
  readSettingsBy,
  requiredSetting,
  setting,
  textThat,
  wholeNumber,
} from './setting.ts';

/** Longest wait a queue can keep. */
const waitSecondsMax = 86_400;
const hostPattern = /^(\[[0-9a-f:.]+\]|[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?)(:\d{1,5})?$/i;
const namePattern = /^[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?$/i;

const ladder = textThat(
  `whole seconds separated by commas, such as 30,120,600,1800, each ${waitSecondsMax} at most`,
  (text) => {
    const rungs = text.split(',').map((rung) => rung.trim());
    const fits = rungs.every((rung) => /^\d{1,5}$/.test(rung) && Number(rung) <= waitSecondsMax);
    return fits ? rungs.map(Number) : null;
  },
);

const webAddress = (must: string, protocols: readonly string[]) =>
  textThat(must, (text) => (protocols.includes(URL.parse(text)?.protocol ?? '') ? text : null));
const origin = (text: string) => {
  const url = URL.parse(text);
  return url !== null && ['http:', 'https:'].includes(url.protocol) && url.origin === text.replace(/\/$/, '');
};

/** `host:port`, `address`, or a name that a browser of this network knows. */
const isPrivateHost = (part: string) =>
  ipaddr.isValidCIDR(part) || ipaddr.isValid(part) || namePattern.test(part);

const plans = z.string().transform((text, context) => {
  const problem = plansProblem(text);
  if (problem !== null) context.addIssue({ code: 'custom', message: problem });
  return text;
});

const secretText = textThat(strongTextMust, (text) => (isStrongText(text) ? text : null));
const keyOf32Bytes = textThat(strongKeyMust, (text) => (isStrongKey(text) ? text : null));
const privateKeySchema = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  d: z.string().min(40),
  x: z.string().min(40),
});
const privateKey = textThat('the JWK of a private Ed25519 key', (text) => {
  try {
    return privateKeySchema.safeParse(JSON.parse(text)).success ? text : null;
  } catch {
    return null;
  }
});
const secret = (about: string) => requiredSetting({ about, isSecret: true, isInternal: true }, secretText);

/** Every variable that the Worker and its objects read, secrets apart, in the order of the table in docs/operating/settings.md. */
export const workerSettingsShape = {
  FREE_PLAN_MESSAGES: setting(
    {
      about: 'Messages per calendar month (UTC) on the free plan; `unlimited` for no limit.',
      fallback: '1000',
    },
    textThat('a whole number of messages a month, or unlimited', (text) =>
      /^\d{1,15}$/.test(text) || text === 'unlimited' ? text : null,
    ),
  ),
  PLANS: optionalSetting(
    {
      about:
        'Plans by name: messages a month, `"unlimited"` for no limits at all, or an object of `messages`, ' +
        '`storageBytes` (of files, 5 GiB on the free plan) and what an account may have (`numbers` 10, `webhooks` ' +
        '20, `keys` 50, `members` 25, `pairings` 3 on the free plan), such as `{"business": {"messages": 50000, ' +
        '"numbers": 50}}`.',
    },
    plans,
  ),
  KEY_RATE_PER_SECOND: setting({ about: 'Requests per second for one API key.', fallback: '50' }, rate),
  KEY_RATE_BURST: setting(
    { about: 'Burst of requests for one API key.', fallback: '100' },
    wholeNumber(1, 1e9),
  ),
  ACCOUNT_RATE_PER_SECOND: optionalSetting(
    { about: 'Requests per second for all keys of an account together.', shownDefault: "four times a key's" },
    rate,
  ),
  ACCOUNT_RATE_BURST: optionalSetting(
    { about: 'Burst of requests for all keys of an account together.', shownDefault: "four times a key's" },
    wholeNumber(1, 1e9),
  ),
  PERSON_RATE_PER_SECOND: setting(
    { about: 'Requests per second for one signed-in person.', fallback: '20' },
    rate,
  ),
  PERSON_RATE_BURST: setting(
    { about: 'Burst of requests for one signed-in person.', fallback: '100' },
    wholeNumber(1, 1e9),
  ),
  SIGN_IN_BURST: setting(
    { about: 'Burst of failed sign-ins for one IP address, and for one e-mail address.', fallback: '20' },
    wholeNumber(1, 1e6),
  ),
  SIGN_IN_PER_MINUTE: setting(
    { about: 'Failed sign-ins per minute for one IP address, and for one e-mail address.', fallback: '10' },
    rate,
  ),
  MESSAGE_LIFETIME_SECONDS: setting(
    { about: 'How long a message may wait, in seconds, before it fails.', fallback: '86400' },
    wholeNumber(1, 31_536_000),
  ),
  WEBHOOKS_PER_URL: setting(
    { about: 'Webhooks of one account per URL.', fallback: '3' },
    wholeNumber(1, 1e6),
  ),
  WEBHOOKS_PER_HOST: setting(
    { about: 'Webhooks of one account per host.', fallback: '20' },
    wholeNumber(1, 1e6),
  ),
  REPEATED_DELIVERIES_PER_DAY: setting(
    {
      about: 'Repeated deliveries per account and day (UTC): redeliveries and replays.',
      fallback: '20000',
    },
    wholeNumber(0, 1e9),
  ),
  BRIDGE_CAPACITY_MAX: setting(
    {
      about: 'The most numbers assigned to one session bridge, whatever capacity it reports.',
      fallback: '400',
    },
    wholeNumber(1, 1e6),
  ),
  BRIDGE_LEASE_MS: setting(
    {
      about:
        'How long, in milliseconds, a session bridge may serve its numbers without a response from the gateway. A ' +
        'lost bridge loses them a quarter of a second later. Raise it if bridges or their connections freeze for ' +
        'longer.',
      fallback: '1000',
    },
    wholeNumber(leaseTimes.validMsMin, leaseTimes.validMs),
  ),
  FLEET_REGIONS: setting(
    {
      about:
        'Regions with their own session bridges, separated by commas: `wnam`, `enam`, `sam`, `weur`, `eeur`, `apac`, ' +
        '`oc`, `afr`, `me`. [What it means](bridges.md#a-fleet-a-region).',
      fallback: '',
      shownDefault: 'none',
    },
    textThat('regions separated by commas, such as weur,enam', (text) => {
      const named = z.array(z.enum(fleetRegionNames)).safeParse(partsOf(text));
      return named.success && new Set(named.data).size === named.data.length ? named.data : null;
    }),
  ),
  WEBHOOK_RETRY_SECONDS: setting(
    { about: 'The pauses between attempts of a webhook delivery.', fallback: '30,120,600,1800' },
    ladder,
  ),
  WEBHOOK_PRIVATE_HOSTS: setting(
    {
      about:
        'Private hosts that webhooks may call, also over http, and that may be proxies of numbers: names, addresses ' +
        'or CIDRs, separated by commas. [What it means](self-hosting.md).',
      fallback: '',
      shownDefault: 'none',
    },
    listOf('names, addresses or CIDRs separated by commas, such as receiver,10.0.0.0/8', isPrivateHost),
  ),
  PUBLIC_HOSTS: setting(
    {
      about:
        'Further host names of this gateway, separated by commas. The local gateway rejects all others, and webhooks ' +
        'cannot point to them.',
      fallback: '',
    },
    listOf('host names separated by commas', (part) => hostPattern.test(part)),
  ),
  PUBLIC_URL: optionalSetting(
    {
      about:
        'The public URL of the gateway. With `https:`, cookies are `Secure`. Links point to it, and origins of pages ' +
        'are compared with it. Required with `SMTP_HOST`; on the local gateway also with a `HOST` beyond this ' +
        'machine, and with `CLIENT_ADDRESS_HEADER`.',
      shownDefault: "the request's own",
    },
    webAddress('an address that begins with https:// or http://', ['https:', 'http:']),
  ),
  GATEWAY_URL: optionalSetting(
    {
      about: 'Where URLs of files lead, where there is no `PUBLIC_URL`. The local gateway sets it.',
      isInternal: true,
    },
    webAddress('an address that begins with https:// or http://', ['https:', 'http:']),
  ),
  CORS_ORIGINS: setting(
    { about: 'Origins whose pages may call `/v1`, separated by commas.', fallback: '', shownDefault: 'none' },
    listOf('origins separated by commas, such as https://app.example.com', origin),
  ),
  CLIENT_ADDRESS_HEADER: setting(
    {
      about:
        'The header in which the proxy in front reports the IP address of the client; `none` trusts no header. Name ' +
        'only one that clients cannot set themselves.',
      fallback: 'CF-Connecting-IP',
    },
    textThat('the name of a header, or none', (text) => (/^[a-z][a-z0-9-]{0,60}$/i.test(text) ? text : null)),
  ),
  OPERATOR_EMAILS: setting(
    {
      about:
        'E-mail addresses of the people who operate the gateway, separated by commas: they see and manage its ' +
        'session bridges in the dashboard. The local gateway lists its own administrator.',
      fallback: '',
      shownDefault: 'none',
    },
    listOf('e-mail addresses separated by commas', (part) => z.email().safeParse(part).success),
  ),
  SIGNUP: setting(
    {
      about:
        'Who can become a user without the operator: nobody (`closed`), invited people (`invite`) or everyone (`open`).',
      fallback: 'closed',
      shownDefault: '`closed`; `npm start`: `invite`',
    },
    oneOf(['closed', 'invite', 'open']),
  ),
  BACKUP_RECIPIENT: optionalSetting(
    {
      about:
        'The public half of a backup key. With it, a deployment makes an encrypted backup each night. [What it ' +
        'means](backup.md#by-itself-each-night).',
      shownDefault: 'none is made',
    },
    textThat('the public half of a key, which begins with age1', (text) =>
      /^age1[02-9ac-hj-np-z]{58}$/.test(text) ? text : null,
    ),
  ),
  BACKUP_HOUR: setting(
    { about: 'The hour (UTC) after which it is made.', fallback: '3' },
    wholeNumber(0, 23),
  ),
  BACKUPS_KEPT: setting({ about: 'How many backups are kept.', fallback: '7' }, wholeNumber(1, 365)),
  SMTP_HOST: optionalSetting(
    { about: 'The mail server. Without it, no e-mail is sent.' },
    textThat('a host name or address', (text) => (hostPattern.test(text) ? text : null)),
  ),
  SMTP_PORT: setting({ about: 'Its port.', fallback: '465' }, port(65_535)),
  SMTP_TLS: optionalSetting(
    {
      about:
        '`implicit`: TLS from the start. `starttls`: after the greeting; a server that does not offer it gets no ' +
        'mail. `none`: only for a mail server on this machine.',
      shownDefault: '`implicit` on port 465, `none` on this machine, else `starttls`',
    },
    oneOf(['implicit', 'starttls', 'none']),
  ),
  SMTP_USER: optionalSetting({ about: 'The user name for the mail server.' }, plainText),
  SMTP_PASSWORD: optionalSetting({ about: 'The password for the mail server.', isSecret: true }, plainText),
  MAIL_FROM: optionalSetting(
    { about: 'The sender of e-mails. Required with `SMTP_HOST`.' },
    z.email({ error: 'must be an e-mail address' }),
  ),
  UNSENT_MAIL: optionalSetting(
    {
      about: '`log`: links of e-mails that cannot be sent stand in the log. The local gateway sets it.',
      isInternal: true,
    },
    oneOf(['log', 'dropped']),
  ),
  MAIL_CATCHER_URL: optionalSetting(
    {
      about: 'Where e-mails are posted as JSON while there is no `SMTP_HOST`. The local gateway sets it.',
      isInternal: true,
    },
    webAddress('an address that begins with https:// or http://', ['https:', 'http:']),
  ),
  OIDC_ISSUER: optionalSetting(
    { about: 'An external identity provider whose tokens are accepted too.' },
    webAddress('an address that begins with https:// or http://', ['https:', 'http:']),
  ),
  OIDC_AUDIENCE: optionalSetting(
    { about: 'The audience its tokens must have. Required with `OIDC_ISSUER`.' },
    plainText,
  ),
  QUEUE_GRACE_SECONDS: setting(
    {
      about: 'Seconds after which the log of an account checks by itself what a queue should have delivered.',
      fallback: '30',
    },
    wholeNumber(0, 3600),
  ),
  ASSISTANT_ANSWER_SECONDS: setting(
    {
      about: 'Seconds that the model of an assistant has for one answer, tools included.',
      fallback: '60',
    },
    wholeNumber(1, 600),
  ),
  CAMPAIGN_ARRIVAL_SECONDS: setting(
    {
      about:
        'Seconds after which the messages of a campaign should have been delivered. If most have not, the campaign ' +
        'is paused.',
      fallback: '600',
    },
    wholeNumber(5, 86_400),
  ),
  STEP_UP_SECONDS: setting(
    {
      about:
        'Seconds after a sign-in or confirmation during which sensitive actions need no further confirmation.',
      fallback: '600',
    },
    wholeNumber(1, 86_400),
  ),
  DEVICE_GRACE_SECONDS: setting(
    {
      about: 'Seconds that a number may be disconnected before an alert is raised.',
      fallback: '120',
    },
    wholeNumber(0, 86_400),
  ),
  ALERT_GATHER_SECONDS: setting(
    {
      about: 'Seconds during which alerts are collected, so that many numbers make one message.',
      fallback: '10',
    },
    wholeNumber(0, 3600),
  ),
  ALERT_RETRY_SECONDS: setting(
    {
      about: 'The pauses between attempts to deliver an alert.',
      fallback: '30,120,600,3600,14400',
    },
    ladder,
  ),
  PASSWORD_HASHING: setting(
    {
      about:
        '`quick`: to hash a password takes a few milliseconds. For tests, on a gateway without `PUBLIC_URL` alone.',
      fallback: 'slow',
      isInternal: true,
    },
    oneOf(['slow', 'quick']),
  ),
  TELEGRAM_API_URL: setting(
    {
      about: 'Where alerts for Telegram are posted. For tests.',
      fallback: 'https://api.telegram.org',
      isInternal: true,
    },
    webAddress('an address that begins with https:// or http://', ['https:', 'http:']),
  ),
  WEBHOOK_TARGETS: optionalSetting(
    {
      about:
        '`loopback`: webhooks may also point at this machine; `loopback:` and a port: at that one alone. The local ' +
        'gateway sets it.',
      isInternal: true,
    },
    textThat('loopback, loopback with a port, or public', (text) =>
      /^(public|loopback(:\d{1,5})?)$/.test(text) ? text : null,
    ),
  ),
  PART_HOSTS: setting(
    {
      about: 'Hosts of other parts of the local gateway, which sets it: no URL of a customer leads there.',
      fallback: '',
      isInternal: true,
    },
    listOf('host names separated by commas', (part) => hostPattern.test(part)),
  ),
  BRIDGE_ENROLMENT_TOKEN: optionalSetting(
    {
      about:
        'Lets in every new session bridge that presents it; without it only tokens that the operator makes do.',
      isSecret: true,
      isInternal: true,
    },
    secretText,
  ),
  JWT_PRIVATE_KEY_PREVIOUS: optionalSetting(
    { about: 'The one before, while sessions that it signed go on.', isSecret: true, isInternal: true },
    privateKey,
  ),
  WEBHOOK_SEALING_KEY_PREVIOUS: optionalSetting(
    { about: 'The one before, while anything is sealed under it.', isSecret: true, isInternal: true },
    keyOf32Bytes,
  ),
  KEY_CHECKSUM_SECRET_PREVIOUS: optionalSetting(
    {
      about: 'The one before, while API keys and tokens of bridges made with it are good still.',
      isSecret: true,
      isInternal: true,
    },
    secretText,
  ),
  MEDIA_URL_SECRET_PREVIOUS: optionalSetting(
    {
      about: 'The one before, while URLs of files that it signed are good still.',
      isSecret: true,
      isInternal: true,
    },
    secretText,
  ),
};

/** What a deployment keeps to itself, and the local gateway makes at its first start. */
const secretsShape = {
  JWT_PRIVATE_KEY: requiredSetting(
    { about: 'Signs the tokens of the dashboard.', isSecret: true, isInternal: true },
    privateKey,
  ),
  WEBHOOK_SEALING_KEY: requiredSetting(
    { about: 'Seals the secrets of webhooks.', isSecret: true, isInternal: true },
    keyOf32Bytes,
  ),
  KEY_CHECKSUM_SECRET: secret('Makes the checksums of API keys, and the tokens of session bridges.'),
  MEDIA_URL_SECRET: secret('Signs the URLs of files.'),
  BOOTSTRAP_TOKEN: secret('What the operator signs in with.'),
};

const isLoopback = (host: string) => ['127.0.0.1', 'localhost', '::1', '[::1]'].includes(host);

/** How the mail server is spoken to. */
export function smtpTlsOf(settings: Pick<WorkerSettings, 'SMTP_TLS' | 'SMTP_HOST' | 'SMTP_PORT'>) {
  const { SMTP_TLS, SMTP_HOST = '', SMTP_PORT } = settings;
  if (SMTP_TLS !== undefined) return SMTP_TLS;
  if (SMTP_PORT === 465) return 'implicit';
  return isLoopback(SMTP_HOST) ? 'none' : 'starttls';
}

const requiredWith = [
  ['SMTP_HOST', 'MAIL_FROM'],
  ['SMTP_HOST', 'PUBLIC_URL'],
  ['OIDC_ISSUER', 'OIDC_AUDIENCE'],
] as const;

function belongTogether(
  values: Partial<
    Record<(typeof requiredWith)[number][number] | 'SMTP_TLS' | 'PASSWORD_HASHING', string | undefined>
  >,
  context: z.RefinementCtx,
): void {
  for (const [given, needed] of requiredWith) {
    if (values[given] === undefined || values[needed] !== undefined) continue;
    context.addIssue({ code: 'custom', path: [needed], message: `must be set where ${given} is` });
  }
  const { SMTP_HOST, SMTP_TLS } = values;
  if (SMTP_TLS === 'none' && SMTP_HOST !== undefined && !isLoopback(SMTP_HOST)) {
    const message = 'must be implicit or starttls: without TLS only a mail server on this machine is used';
    context.addIssue({ code: 'custom', path: ['SMTP_TLS'], message });
  }
  if (values.PASSWORD_HASHING === 'quick' && values.PUBLIC_URL !== undefined) {
    const message = 'must be slow where PUBLIC_URL is set: others than tests come there';
    context.addIssue({ code: 'custom', path: ['PASSWORD_HASHING'], message });
  }
}

/** Those of which the one before goes on being accepted, in `…_PREVIOUS`. */
const replaceable = [
  'JWT_PRIVATE_KEY',
  'WEBHOOK_SEALING_KEY',
  'KEY_CHECKSUM_SECRET',
  'MEDIA_URL_SECRET',
] as const;

function differ(
  values: Readonly<Partial<Record<`${(typeof replaceable)[number]}${'' | '_PREVIOUS'}`, string | undefined>>>,
  context: z.RefinementCtx,
): void {
  for (const name of replaceable) {
    const previous = `${name}_PREVIOUS` as const;
    if (values[name] === undefined || values[name] !== values[previous]) continue;
    context.addIssue({
      code: 'custom',
      path: [previous],
      message: `must be another one than ${name}, or not be set`,
    });
  }
}

const allShape = { ...workerSettingsShape, ...secretsShape };
const allSchema = z.object(allShape).superRefine(belongTogether).superRefine(differ);
const withoutSecretsSchema = z.object(workerSettingsShape).superRefine(belongTogether);
export type WorkerSettings = z.output<typeof allSchema>;

/** Throws `SettingsProblem` with a sentence for each variable that is wrong. */
export const readWorkerSettings = (values: Readonly<Record<string, unknown>>): WorkerSettings =>
  readSettingsBy(allSchema, allShape, values);

/** The same before there are secrets. */
export const checkWorkerSettings = (values: Readonly<Record<string, unknown>>): void => {
  readSettingsBy(withoutSecretsSchema, workerSettingsShape, values);
};

/** By the bindings of the isolate, which are one object for as long as it lives. */
const known = new WeakMap<object, WorkerSettings>();

/** The settings that these bindings hold, checked once. Throws `SettingsProblem`. */
export function settingsOf(env: object): WorkerSettings {
  const already = known.get(env);
  if (already !== undefined) return already;
  const read = readWorkerSettings(env as Record<string, unknown>);
  known.set(env, read);
  return read;
}
