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
  valueFrom,
  wholeNumber,
} from './setting.ts';

/** Longest wait a queue can keep. */
const waitSecondsMax = 86_400;
const hostPattern = /^(\[[0-9a-f:.]+\]|[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?)(:\d{1,5})?$/i;
const namePattern = /^[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?$/i;

const ladder = valueFrom(
  `whole seconds separated by commas, such as 30,120,600,1800, each ${waitSecondsMax} at most`,
  (text) => {
    const rungs = text.split(',').map((rung) => rung.trim());
    const fits = rungs.every((rung) => /^\d{1,5}$/.test(rung) && Number(rung) <= waitSecondsMax);
    return fits ? rungs.map(Number) : null;
  },
);

const webAddress = textThat('an address that begins with https:// or http://', (text) =>
  ['https:', 'http:'].includes(URL.parse(text)?.protocol ?? ''),
);
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

const hosts = listOf('host names separated by commas', (part) => hostPattern.test(part));

const secretText = textThat(strongTextMust, isStrongText);
const keyOf32Bytes = textThat(strongKeyMust, isStrongKey);
const privateKeySchema = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  d: z.string().min(40),
  x: z.string().min(40),
});
const privateKey = textThat('the JWK of a private Ed25519 key', (text) => {
  try {
    return privateKeySchema.safeParse(JSON.parse(text)).success;
  } catch {
    return false;
  }
});
const secretNotes = { isSecret: true, isInternal: true };

/** Every variable that the Worker and its objects read, secrets apart, in the order of the table in docs/operating/settings.md. */
export const workerSettingsShape = {
  FREE_PLAN_MESSAGES: setting(
    '1000',
    textThat(
      'a whole number of messages a month, or unlimited',
      (text) => /^\d{1,15}$/.test(text) || text === 'unlimited',
    ),
    'Messages per calendar month (UTC) on the free plan; `unlimited` for no limit.',
  ),
  PLANS: optionalSetting(
    plans,
    'Plans by name: messages a month, `"unlimited"` for no limits at all, or an object of `messages`, ' +
      '`storageBytes` (of files, 5 GiB on the free plan) and what an account may have (`numbers` 10, `webhooks` ' +
      '20, `keys` 50, `members` 25, `pairings` 3 on the free plan), such as `{"business": {"messages": 50000, ' +
      '"numbers": 50}}`.',
  ),
  KEY_RATE_PER_SECOND: setting('50', rate, 'Requests per second for one API key.'),
  KEY_RATE_BURST: setting('100', wholeNumber(1, 1e9), 'Burst of requests for one API key.'),
  ACCOUNT_RATE_PER_SECOND: optionalSetting(rate, 'Requests per second for all keys of an account together.', {
    shownDefault: "four times a key's",
  }),
  ACCOUNT_RATE_BURST: optionalSetting(
    wholeNumber(1, 1e9),
    'Burst of requests for all keys of an account together.',
    { shownDefault: "four times a key's" },
  ),
  PERSON_RATE_PER_SECOND: setting('20', rate, 'Requests per second for one signed-in person.'),
  PERSON_RATE_BURST: setting('100', wholeNumber(1, 1e9), 'Burst of requests for one signed-in person.'),
  SIGN_IN_BURST: setting(
    '20',
    wholeNumber(1, 1e6),
    'Burst of failed sign-ins for one IP address, and for one e-mail address.',
  ),
  SIGN_IN_PER_MINUTE: setting(
    '10',
    rate,
    'Failed sign-ins per minute for one IP address, and for one e-mail address.',
  ),
  MESSAGE_LIFETIME_SECONDS: setting(
    '86400',
    wholeNumber(1, 31_536_000),
    'How long a message may wait, in seconds, before it fails.',
  ),
  WEBHOOKS_PER_URL: setting('3', wholeNumber(1, 1e6), 'Webhooks of one account per URL.'),
  WEBHOOKS_PER_HOST: setting('20', wholeNumber(1, 1e6), 'Webhooks of one account per host.'),
  REPEATED_DELIVERIES_PER_DAY: setting(
    '20000',
    wholeNumber(0, 1e9),
    'Repeated deliveries per account and day (UTC): redeliveries and replays.',
  ),
  BRIDGE_CAPACITY_MAX: setting(
    '400',
    wholeNumber(1, 1e6),
    'The most numbers assigned to one session bridge, whatever capacity it reports.',
  ),
  BRIDGE_LEASE_MS: setting(
    '1000',
    wholeNumber(leaseTimes.validMsMin, leaseTimes.validMs),
    'How long, in milliseconds, a session bridge may serve its numbers without a response from the gateway. A ' +
      'lost bridge loses them a quarter of a second later. Raise it if bridges or their connections freeze for ' +
      'longer.',
  ),
  FLEET_REGIONS: setting(
    '',
    valueFrom('regions separated by commas, such as weur,enam', (text) => {
      const named = z.array(z.enum(fleetRegionNames)).safeParse(partsOf(text));
      return named.success && new Set(named.data).size === named.data.length ? named.data : null;
    }),
    'Regions with their own session bridges, separated by commas: `wnam`, `enam`, `sam`, `weur`, `eeur`, `apac`, ' +
      '`oc`, `afr`, `me`. [What it means](bridges.md#a-fleet-a-region).',
    { shownDefault: 'none' },
  ),
  WEBHOOK_RETRY_SECONDS: setting(
    '30,120,600,1800',
    ladder,
    'The pauses between attempts of a webhook delivery.',
  ),
  WEBHOOK_PRIVATE_HOSTS: setting(
    '',
    listOf('names, addresses or CIDRs separated by commas, such as receiver,10.0.0.0/8', isPrivateHost),
    'Private hosts that webhooks may call, also over http, and that may be proxies of numbers: names, addresses ' +
      'or CIDRs, separated by commas. [What it means](self-hosting.md).',
    { shownDefault: 'none' },
  ),
  PUBLIC_HOSTS: setting(
    '',
    hosts,
    'Further host names of this gateway, separated by commas. The local gateway rejects all others, and webhooks ' +
      'cannot point to them.',
  ),
  PUBLIC_URL: optionalSetting(
    webAddress,
    'The public URL of the gateway. With `https:`, cookies are `Secure`. Links point to it, and origins of pages ' +
      'are compared with it. Required with `SMTP_HOST`; on the local gateway also with a `HOST` beyond this ' +
      'machine, and with `CLIENT_ADDRESS_HEADER`.',
    { shownDefault: "the request's own" },
  ),
  GATEWAY_URL: optionalSetting(
    webAddress,
    'Where URLs of files lead, where there is no `PUBLIC_URL`. The local gateway sets it.',
    { isInternal: true },
  ),
  CORS_ORIGINS: setting(
    '',
    listOf('origins separated by commas, such as https://app.example.com', origin),
    'Origins whose pages may call `/v1`, separated by commas.',
    { shownDefault: 'none' },
  ),
  CLIENT_ADDRESS_HEADER: setting(
    'CF-Connecting-IP',
    textThat('the name of a header, or none', (text) => /^[a-z][a-z0-9-]{0,60}$/i.test(text)),
    'The header in which the proxy in front reports the IP address of the client; `none` trusts no header. Name ' +
      'only one that clients cannot set themselves.',
  ),
  OPERATOR_EMAILS: setting(
    '',
    listOf('e-mail addresses separated by commas', (part) => z.email().safeParse(part).success),
    'E-mail addresses of the people who operate the gateway, separated by commas: they see and manage its ' +
      'session bridges in the dashboard. The local gateway lists its own administrator.',
    { shownDefault: 'none' },
  ),
  SIGNUP: setting(
    'closed',
    oneOf(['closed', 'invite', 'open']),
    'Who can become a user without the operator: nobody (`closed`), invited people (`invite`) or everyone (`open`).',
    { shownDefault: '`closed`; `npm start`: `invite`' },
  ),
  BACKUP_RECIPIENT: optionalSetting(
    textThat('the public half of a key, which begins with age1', (text) =>
      /^age1[02-9ac-hj-np-z]{58}$/.test(text),
    ),
    'The public half of a backup key. With it, a deployment makes an encrypted backup each night. [What it ' +
      'means](backup.md#by-itself-each-night).',
    // Whoever mistakes the halves has written the secret one here.
    { shownDefault: 'none is made', isSecret: true },
  ),
  BACKUP_HOUR: setting('3', wholeNumber(0, 23), 'The hour (UTC) after which it is made.'),
  BACKUPS_KEPT: setting('7', wholeNumber(1, 365), 'How many backups are kept.'),
  SMTP_HOST: optionalSetting(
    textThat('a host name or address', (text) => hostPattern.test(text)),
    'The mail server. Without it, no e-mail is sent.',
  ),
  SMTP_PORT: setting('465', port(65_535), 'Its port.'),
  SMTP_TLS: optionalSetting(
    oneOf(['implicit', 'starttls', 'none']),
    '`implicit`: TLS from the start. `starttls`: after the greeting; a server that does not offer it gets no ' +
      'mail. `none`: only for a mail server on this machine.',
    { shownDefault: '`implicit` on port 465, `none` on this machine, else `starttls`' },
  ),
  SMTP_USER: optionalSetting(plainText, 'The user name for the mail server.'),
  SMTP_PASSWORD: optionalSetting(plainText, 'The password for the mail server.', { isSecret: true }),
  MAIL_FROM: optionalSetting(
    z.email({ error: 'must be an e-mail address' }),
    'The sender of e-mails. Required with `SMTP_HOST`.',
  ),
  UNSENT_MAIL: optionalSetting(
    oneOf(['log', 'dropped']),
    '`log`: links of e-mails that cannot be sent stand in the log. The local gateway sets it.',
    { isInternal: true },
  ),
  MAIL_CATCHER_URL: optionalSetting(
    webAddress,
    'Where e-mails are posted as JSON while there is no `SMTP_HOST`. The local gateway sets it.',
    { isInternal: true },
  ),
  OIDC_ISSUER: optionalSetting(webAddress, 'An external identity provider whose tokens are accepted too.'),
  OIDC_AUDIENCE: optionalSetting(
    plainText,
    'The audience its tokens must have. Required with `OIDC_ISSUER`.',
  ),
  QUEUE_GRACE_SECONDS: setting(
    '30',
    wholeNumber(0, 3600),
    'Seconds after which the log of an account checks by itself what a queue should have delivered.',
  ),
  ASSISTANT_ANSWER_SECONDS: setting(
    '60',
    wholeNumber(1, 600),
    'Seconds that the model of an assistant has for one answer, tools included.',
  ),
  CAMPAIGN_ARRIVAL_SECONDS: setting(
    '600',
    wholeNumber(5, 86_400),
    'Seconds after which the messages of a campaign should have been delivered. If most have not, the campaign ' +
      'is paused.',
  ),
  STEP_UP_SECONDS: setting(
    '600',
    wholeNumber(1, 86_400),
    'Seconds after a sign-in or confirmation during which sensitive actions need no further confirmation.',
  ),
  DEVICE_GRACE_SECONDS: setting(
    '120',
    wholeNumber(0, 86_400),
    'Seconds that a number may be disconnected before an alert is raised.',
  ),
  ALERT_GATHER_SECONDS: setting(
    '10',
    wholeNumber(0, 3600),
    'Seconds during which alerts are collected, so that many numbers make one message.',
  ),
  ALERT_RETRY_SECONDS: setting(
    '30,120,600,3600,14400',
    ladder,
    'The pauses between attempts to deliver an alert.',
  ),
  PASSWORD_HASHING: setting(
    'slow',
    oneOf(['slow', 'quick']),
    '`quick`: to hash a password takes a few milliseconds. For tests, on a gateway without `PUBLIC_URL` alone.',
    { isInternal: true },
  ),
  TELEGRAM_API_URL: setting(
    'https://api.telegram.org',
    webAddress,
    'Where alerts for Telegram are posted. For tests.',
    { isInternal: true },
  ),
  WEBHOOK_TARGETS: optionalSetting(
    textThat('loopback, loopback with a port, or public', (text) =>
      /^(public|loopback(:\d{1,5})?)$/.test(text),
    ),
    '`loopback`: webhooks may also point at this machine; `loopback:` and a port: at that one alone. The local ' +
      'gateway sets it.',
    { isInternal: true },
  ),
  PART_HOSTS: setting(
    '',
    hosts,
    'Hosts of other parts of the local gateway, which sets it: no URL of a customer leads there.',
    { isInternal: true },
  ),
  BRIDGE_ENROLMENT_TOKEN: optionalSetting(
    secretText,
    'Lets in every new session bridge that presents it; without it only tokens that the operator makes do.',
    secretNotes,
  ),
  JWT_PRIVATE_KEY_PREVIOUS: optionalSetting(
    privateKey,
    'The one before, while sessions that it signed go on.',
    secretNotes,
  ),
  WEBHOOK_SEALING_KEY_PREVIOUS: optionalSetting(
    keyOf32Bytes,
    'The one before, while anything is sealed under it.',
    secretNotes,
  ),
  KEY_CHECKSUM_SECRET_PREVIOUS: optionalSetting(
    secretText,
    'The one before, while API keys and tokens of bridges made with it are good still.',
    secretNotes,
  ),
  MEDIA_URL_SECRET_PREVIOUS: optionalSetting(
    secretText,
    'The one before, while URLs of files that it signed are good still.',
    secretNotes,
  ),
};

/** What a deployment keeps to itself, and the local gateway makes at its first start. */
const secretsShape = {
  JWT_PRIVATE_KEY: requiredSetting(privateKey, 'Signs the tokens of the dashboard.', secretNotes),
  WEBHOOK_SEALING_KEY: requiredSetting(keyOf32Bytes, 'Seals the secrets of webhooks.', secretNotes),
  KEY_CHECKSUM_SECRET: requiredSetting(
    secretText,
    'Makes the checksums of API keys, and the tokens of session bridges.',
    secretNotes,
  ),
  MEDIA_URL_SECRET: requiredSetting(secretText, 'Signs the URLs of files.', secretNotes),
  BOOTSTRAP_TOKEN: requiredSetting(secretText, 'What the operator signs in with.', secretNotes),
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
