import { expect, test } from 'vitest';
import { SettingsProblem } from '../../../src/settings/setting.ts';
import { readWorkerSettings, settingsOf, smtpTlsOf } from '../../../src/settings/worker-settings.ts';

const secrets = {
  JWT_PRIVATE_KEY: JSON.stringify({ kty: 'OKP', crv: 'Ed25519', d: 'd'.repeat(43), x: 'x'.repeat(43) }),
  WEBHOOK_SEALING_KEY: btoa('0123456789abcdefghijklmnopqrstuv'),
  BOOTSTRAP_TOKEN: 'bootstrap-token-of-32-characters',
  KEY_CHECKSUM_SECRET: 'key-checksum-secret-of-32-characters',
  MEDIA_URL_SECRET: 'media-url-secret-of-32-characters',
};
const read = (values: Record<string, unknown>) => readWorkerSettings({ ...secrets, ...values });

function problem(values: Record<string, unknown>): string {
  try {
    read(values);
  } catch (error) {
    expect(error).toBeInstanceOf(SettingsProblem);
    return (error as Error).message;
  }
  return 'none';
}

test('what is not set, or set to nothing, has its default', () => {
  expect(read({ KEY_RATE_PER_SECOND: '', SIGNUP: undefined, DB: {} })).toMatchObject({
    KEY_RATE_PER_SECOND: 50,
    KEY_RATE_BURST: 100,
    MESSAGE_LIFETIME_SECONDS: 86_400,
    WEBHOOK_RETRY_SECONDS: [30, 120, 600, 1800],
    WEBHOOK_PRIVATE_HOSTS: [],
    SIGNUP: 'closed',
    SMTP_PORT: 465,
  });
});

test('what is set is read as what it is', () => {
  expect(
    read({
      KEY_RATE_PER_SECOND: '0.5',
      WEBHOOK_RETRY_SECONDS: '30,120, 600,1800',
      WEBHOOK_PRIVATE_HOSTS: 'receiver, 10.0.0.0/8,fd00::/8',
      PUBLIC_HOSTS: ' a.example, b.example:8443,',
      CORS_ORIGINS: 'https://a.example, http://localhost:5173/',
    }),
  ).toMatchObject({
    KEY_RATE_PER_SECOND: 0.5,
    WEBHOOK_RETRY_SECONDS: [30, 120, 600, 1800],
    WEBHOOK_PRIVATE_HOSTS: ['receiver', '10.0.0.0/8', 'fd00::/8'],
    PUBLIC_HOSTS: ['a.example', 'b.example:8443'],
    CORS_ORIGINS: ['https://a.example', 'http://localhost:5173/'],
  });
});

test.each([
  ['KEY_RATE_PER_SECOND', 'abc', 'must be a number above 0, but it is "abc".'],
  ['KEY_RATE_PER_SECOND', '0', 'must be a number above 0, but it is "0".'],
  ['KEY_RATE_BURST', '1e3', 'must be a whole number from 1 to 1000000000, but it is "1e3".'],
  ['FREE_PLAN_MESSAGES', 'many', 'must be a whole number of messages a month, or unlimited'],
  ['PLANS', 'zzz', 'must be a JSON object by name of plan'],
  ['SIGNUP', 'maybe', 'must be closed, invite or open, but it is "maybe".'],
  ['WEBHOOK_RETRY_SECONDS', '30,', 'must be whole seconds separated by commas'],
  ['WEBHOOK_RETRY_SECONDS', '-1', 'must be whole seconds separated by commas'],
  ['WEBHOOK_RETRY_SECONDS', '1.5', 'must be whole seconds separated by commas'],
  ['WEBHOOK_RETRY_SECONDS', '86401', 'each 86400 at most'],
  ['WEBHOOK_PRIVATE_HOSTS', 'http://receiver', 'must be names, addresses or CIDRs'],
  ['WEBHOOK_PRIVATE_HOSTS', '10.0.0.0/33', 'must be names, addresses or CIDRs'],
  ['CORS_ORIGINS', '*', 'must be origins separated by commas'],
  ['PUBLIC_URL', 'gateway.example', 'must be an address that begins with https://'],
  ['SMTP_PORT', '99999', 'must be a port number from 1 to 65535'],
  ['MAIL_FROM', 'us', 'must be an e-mail address'],
  ['CLIENT_ADDRESS_HEADER', 'X Real IP', 'must be the name of a header, or none'],
])('%s=%s is refused by a sentence that names it', (name, value, sentence) => {
  const told = problem({ [name]: value });
  expect(told).toMatch(new RegExp(`^${name} must be`));
  expect(told).toContain(sentence);
});

test('everything that is wrong is told at once', () => {
  expect(problem({ SIGNUP: 'maybe', KEY_RATE_BURST: 'x' }).split('\n')).toHaveLength(2);
});

test('what belongs together is set together', () => {
  expect(problem({ SMTP_HOST: 'mail.example' }).split('\n')).toEqual([
    'MAIL_FROM must be set where SMTP_HOST is, but it is not set.',
    'PUBLIC_URL must be set where SMTP_HOST is, but it is not set.',
  ]);
  expect(problem({ OIDC_ISSUER: 'https://id.example' })).toContain('OIDC_AUDIENCE must be set');
});

test('a secret is missed by its name, and never repeated', () => {
  expect(problem({ BOOTSTRAP_TOKEN: '' })).toBe(
    'BOOTSTRAP_TOKEN must be at least 32 characters, drawn at random (openssl rand -base64 32), but it is not set.',
  );
  for (const name of ['BOOTSTRAP_TOKEN', 'KEY_CHECKSUM_SECRET', 'MEDIA_URL_SECRET']) {
    const told = problem({ [name]: 'short-and-guessable' });
    expect(told).toContain(`${name} must be at least 32 characters`);
    expect(told).not.toContain('guessable');
  }
  const told = problem({ WEBHOOK_SEALING_KEY: 'half-a-secret' });
  expect(told).toContain('WEBHOOK_SEALING_KEY must be base64 of 32 bytes');
  expect(told).not.toContain('half-a-secret');
  // Whoever mistakes the halves of a backup key.
  const mistaken = problem({ BACKUP_RECIPIENT: 'AGE-SECRET-KEY-1MISTAKEN' });
  expect(mistaken).toContain('BACKUP_RECIPIENT must be the public half of a key');
  expect(mistaken).not.toContain('MISTAKEN');
});

test('what was not drawn at random is no secret, whatever its length', () => {
  const weak = 'changechangechangechangechangechange';
  for (const name of ['BOOTSTRAP_TOKEN', 'KEY_CHECKSUM_SECRET', 'MEDIA_URL_SECRET', 'BRIDGE_ENROLMENT_TOKEN'])
    expect(problem({ [name]: weak })).toBe(
      `${name} must be at least 32 characters, drawn at random (openssl rand -base64 32).`,
    );
  expect(problem({ WEBHOOK_SEALING_KEY: btoa('x'.repeat(32)) })).toBe(
    'WEBHOOK_SEALING_KEY must be base64 of 32 bytes, drawn at random (openssl rand -base64 32).',
  );
});

test('the secret before is as strong as the one that replaces it, and another', () => {
  for (const name of ['KEY_CHECKSUM_SECRET', 'MEDIA_URL_SECRET'])
    expect(problem({ [`${name}_PREVIOUS`]: 'short-and-guessable' })).toBe(
      `${name}_PREVIOUS must be at least 32 characters, drawn at random (openssl rand -base64 32).`,
    );
  expect(problem({ WEBHOOK_SEALING_KEY_PREVIOUS: btoa('x'.repeat(32)) })).toMatch(
    /^WEBHOOK_SEALING_KEY_PREVIOUS must be base64 of 32 bytes/,
  );
  for (const name of [
    'JWT_PRIVATE_KEY',
    'WEBHOOK_SEALING_KEY',
    'KEY_CHECKSUM_SECRET',
    'MEDIA_URL_SECRET',
  ] as const)
    expect(problem({ [`${name}_PREVIOUS`]: secrets[name] })).toBe(
      `${name}_PREVIOUS must be another one than ${name}, or not be set.`,
    );
});

test('the settings of an isolate are read once', () => {
  const env = { ...secrets };
  expect(settingsOf(env)).toBe(settingsOf(env));
});

test('mail goes in clear to this machine alone, and its links need the address of the gateway', () => {
  const mail = { MAIL_FROM: 'gateway@example.com', PUBLIC_URL: 'https://gateway.example.com' };
  const tls = (values: Record<string, string>) => smtpTlsOf(read({ ...mail, ...values }));
  expect(tls({ SMTP_HOST: 'mail.example.com' })).toBe('implicit');
  expect(tls({ SMTP_HOST: 'mail.example.com', SMTP_PORT: '587' })).toBe('starttls');
  expect(tls({ SMTP_HOST: '127.0.0.1', SMTP_PORT: '1025' })).toBe('none');
  expect(problem({ ...mail, SMTP_HOST: 'mail.example.com', SMTP_TLS: 'none' })).toMatch(/^SMTP_TLS must be/);
  expect(problem({ ...mail, SMTP_HOST: 'mail.example.com', PUBLIC_URL: '' })).toMatch(
    /^PUBLIC_URL must be set/,
  );
});

test('passwords are hashed slowly wherever others than tests come', () => {
  expect(problem({ PASSWORD_HASHING: 'quick' })).toBe('none');
  expect(problem({ PASSWORD_HASHING: 'quick', PUBLIC_URL: 'https://gateway.example.com' })).toMatch(
    /^PASSWORD_HASHING must be slow where PUBLIC_URL is set/,
  );
});

test.each(['JWT_PRIVATE_KEY', 'JWT_PRIVATE_KEY_PREVIOUS'])(
  '%s must be a private key that can sign',
  (name) => {
    for (const value of [
      'text',
      'null',
      '{}',
      JSON.stringify({ ...JSON.parse(secrets.JWT_PRIVATE_KEY), d: 'short' }),
    ])
      expect(problem({ [name]: value })).toBe(`${name} must be the JWK of a private Ed25519 key.`);
  },
);
