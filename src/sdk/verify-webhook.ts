import type { WebhookEvent } from './webhook-events.ts';

export interface VerifyOptions {
  /** How far the callback's timestamp may be from now, in either direction; 300 where it is left out. */
  toleranceSeconds?: number;
  /** Now, in milliseconds; for tests. */
  now?: number;
}

/** Why a callback was not accepted. */
export type WebhookVerificationReason =
  | 'missing_header'
  | 'malformed_timestamp'
  | 'timestamp_out_of_tolerance'
  | 'signature_mismatch'
  | 'malformed_body';

/** The callback is not from the gateway, not fresh, or not whole: answer 400 or 401, and do nothing else with it. */
export class WebhookVerificationError extends Error {
  readonly reason: WebhookVerificationReason;

  constructor(reason: WebhookVerificationReason, message: string) {
    super(message);
    this.name = 'WebhookVerificationError';
    this.reason = reason;
  }
}

/** `Headers`, or an object such as Node's `request.headers`, in any case of letters. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Record<string, string | readonly string[] | undefined>;

const toleranceSecondsDefault = 300;

/**
 * Verifies a callback and returns its event. `rawBody` is the body exactly as it came, before any parsing. `secret` is
 * the webhook's secret as it was shown (`whsec_…`). During a rotation the gateway signs with both secrets for 24 hours,
 * so either verifies; give both while you do not know which one you have.
 *
 * Throws {@link WebhookVerificationError}. Signatures are compared in a time that tells nothing about them.
 */
export async function verifyWebhook(
  rawBody: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  options: VerifyOptions = {},
): Promise<WebhookEvent> {
  const { toleranceSeconds = toleranceSecondsDefault, now = Date.now() } = options;
  const timestamp = requiredHeader(headers, 'x-service-timestamp');
  const signatures = [requiredHeader(headers, 'x-service-signature')];
  const previous = header(headers, 'x-service-signature-previous');
  if (previous !== null) signatures.push(previous);
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(timestamp) || Number.isNaN(Date.parse(timestamp))) {
    throw new WebhookVerificationError('malformed_timestamp', 'X-Service-Timestamp is no time.');
  }
  const body = bytesOf(rawBody);
  const signed = new Uint8Array([...body, ...new TextEncoder().encode(`.${timestamp}`)]);
  const secrets = typeof secret === 'string' ? [secret] : secret;
  if (!(await isSignedByOne(signed, signatures, secrets))) {
    throw new WebhookVerificationError('signature_mismatch', 'No signature fits the body and the secret.');
  }
  // After the signature, so that only who has the secret learns how far the clocks are apart.
  if (!(Math.abs(now - Date.parse(timestamp)) <= toleranceSeconds * 1000)) {
    throw new WebhookVerificationError(
      'timestamp_out_of_tolerance',
      `X-Service-Timestamp is more than ${toleranceSeconds} s from now.`,
    );
  }
  return parse(body);
}

async function isSignedByOne(
  signed: Uint8Array<ArrayBuffer>,
  signatures: readonly string[],
  secrets: readonly string[],
): Promise<boolean> {
  const subtle = await webCrypto();
  let isSigned = false;
  for (const secret of secrets) {
    // An empty key would verify what anybody has signed with nothing.
    if (secret === '') throw new TypeError('The webhook secret is empty.');
    const key = await subtle.importKey(
      'raw',
      new TextEncoder().encode(secret),
      { name: 'HMAC', hash: 'SHA-256' },
      false,
      ['verify'],
    );
    for (const signature of signatures) {
      const bytes = fromHex(signature);
      // `verify` compares in constant time; every pair is tried, so the time does not tell which one fits.
      if (bytes !== null && (await subtle.verify('HMAC', key, bytes, signed))) isSigned = true;
    }
  }
  return isSigned;
}

async function webCrypto(): Promise<typeof crypto.subtle> {
  if (typeof crypto !== 'undefined') return crypto.subtle;
  // Node 18 has it as a module only. Not a literal, so that bundlers for other runtimes do not look for it.
  const nodeCrypto = 'node:crypto';
  const { webcrypto } = await import(nodeCrypto);
  return webcrypto.subtle;
}

function header(headers: WebhookHeaders, name: string): string | null {
  if (typeof headers.get === 'function') return (headers as { get(name: string): string | null }).get(name);
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  const value = Array.isArray(found) ? found[0] : found;
  return typeof value === 'string' ? value : null;
}

function requiredHeader(headers: WebhookHeaders, name: string): string {
  const value = header(headers, name);
  if (value === null || value === '') {
    throw new WebhookVerificationError('missing_header', `The header ${name} is missing.`);
  }
  return value;
}

function bytesOf(body: string | Uint8Array | ArrayBuffer): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (body instanceof Uint8Array) return body;
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  throw new TypeError('Give the raw body: a string or bytes, not what a JSON parser has made of it.');
}

/** Lower-case hex of 32 bytes, or null. */
function fromHex(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[0-9a-f]{64}$/.test(text)) return null;
  return Uint8Array.from({ length: 32 }, (_, index) =>
    Number.parseInt(text.slice(index * 2, index * 2 + 2), 16),
  );
}

function parse(body: Uint8Array): WebhookEvent {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(body));
  } catch {
    throw new WebhookVerificationError('malformed_body', 'The body is signed, but no JSON in UTF-8.');
  }
}
