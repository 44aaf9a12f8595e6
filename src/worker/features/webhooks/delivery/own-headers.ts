import { z } from 'zod';
import { openSecret, type SealingKeys, sealSecret } from '../../../../durable/sealed-secret.ts';

export const ownHeadersMax = 10;
const nameCharactersMax = 100;
const valueCharactersMax = 4_096;

/** Letters, digits and the signs that RFC 9110 (5.6.2) lets stand in the name of a header. */
const nameForm = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Visible ASCII, with spaces and tabs in between (RFC 9110, 5.5). */
const valueForm = /^[!-~](?:[\t -~]*[!-~])?$/;

/** What the callback says itself, what the connection needs, and what says who has sent it. */
const taken = new Set([
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'expect',
  'forwarded',
  'host',
  'keep-alive',
  'origin',
  'referer',
  'te',
  'traceparent',
  'tracestate',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
  'via',
  'x-real-ip',
]);
const takenPrefixes = ['x-service-', 'webhook-', 'proxy-', 'sec-', 'cf-', 'mf-', 'x-forwarded-'];

/** Why a header cannot be a receiver's own; null where it can. Never quotes a value. */
function ownHeaderProblem(name: string, value: string): string | null {
  const lower = name.toLowerCase();
  if (taken.has(lower) || takenPrefixes.some((prefix) => lower.startsWith(prefix)))
    return 'The callback uses this header itself, or does not allow it.';
  if (value === '') return 'A value is required.';
  if (value.length > valueCharactersMax) return `At most ${valueCharactersMax} characters.`;
  if (!valueForm.test(value))
    return 'Only ASCII letters, digits and signs, without line breaks or spaces at either end.';
  return null;
}

const isName = (name: string) => name.length <= nameCharactersMax && nameForm.test(name);

function judge(
  headers: Record<string, string | null>,
  { addIssue }: { addIssue: (issue: { code: 'custom'; path: string[]; message: string }) => void },
): void {
  const problem = (path: string[], message: string) => addIssue({ code: 'custom', path, message });
  const names = Object.keys(headers);
  if (names.length > ownHeadersMax) problem([], `At most ${ownHeadersMax} headers.`);
  const known = new Set<string>();
  for (const [name, value] of Object.entries(headers)) {
    // Not quoted: it may be a value that was put in the wrong place.
    if (!isName(name)) {
      problem(
        [],
        `A name has 1 to ${nameCharactersMax} letters, digits and dashes, such as "Authorization".`,
      );
      continue;
    }
    if (known.has(name.toLowerCase())) problem([name], 'Listed twice.');
    known.add(name.toLowerCase());
    const sentence = value === null ? null : ownHeaderProblem(name, value);
    if (sentence !== null) problem([name], sentence);
  }
}

/** Headers of the receiver's own, by name. */
export const ownHeadersSchema = z.record(z.string(), z.string()).superRefine(judge);
/** Changes of them: null takes one away, and one that is not named stays as it is. */
export const ownHeaderChangesSchema = z.record(z.string(), z.string().nullable()).superRefine(judge);

export type OwnHeaders = Record<string, string>;

/** Bound to the webhook, and told apart from its secret. */
export const ownerOfHeaders = (webhookId: string) => `${webhookId} headers`;

export const openHeaders = async (
  keys: SealingKeys,
  webhookId: string,
  sealed: string,
): Promise<OwnHeaders> => JSON.parse(await openSecret(keys, ownerOfHeaders(webhookId), sealed));

/** As they are stored: the names to be shown, the values sealed. */
export async function storedHeaders(
  keys: SealingKeys,
  webhookId: string,
  headers: OwnHeaders,
): Promise<{ headerNames: string[] | null; sealedHeaders: string | null }> {
  const headerNames = Object.keys(headers);
  if (headerNames.length === 0) return { headerNames: null, sealedHeaders: null };
  return {
    headerNames,
    sealedHeaders: await sealSecret(keys, ownerOfHeaders(webhookId), JSON.stringify(headers)),
  };
}

/** The headers with the changes made to them; names are compared in any case. */
export function changedHeaders(headers: OwnHeaders, changes: Record<string, string | null>): OwnHeaders {
  const changed = new Set(Object.keys(changes).map((name) => name.toLowerCase()));
  const kept = Object.entries(headers).filter(([name]) => !changed.has(name.toLowerCase()));
  const added = Object.entries(changes).filter((one): one is [string, string] => one[1] !== null);
  return Object.fromEntries([...kept, ...added]);
}
