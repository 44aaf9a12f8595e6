import { z } from 'zod';

/** Whether a number is shown as online while its session is open. */
const presenceSettings = ['unavailable', 'available'] as const;
/** When a message that came in is marked as read at the network. */
const markReadSettings = ['never', 'on_reply', 'always'] as const;

const proxyProtocols = ['http:', 'https:', 'socks:', 'socks4:', 'socks4a:', 'socks5:', 'socks5h:'];
const proxyCharactersMax = 2048;

/** Why a text is no address of a proxy; null for one that is. */
function proxyProblem(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !proxyProtocols.includes(url.protocol)) {
    return 'A URL with http, https, socks4 or socks5, such as socks5://user:password@proxy.example:1080.';
  }
  if (url.hostname === '') return 'Names no host.';
  if (url.hostname.endsWith('.')) return 'The host name must not end with a dot.';
  if (!['', '/'].includes(url.pathname) || url.search !== '' || url.hash !== '') {
    return 'Only protocol, credentials, host and port.';
  }
  return null;
}

/** The address of a proxy, credentials included: never shown or logged as it is, see {@link shownProxyUrl}. */
export const proxyUrlSchema = z
  .string()
  .max(proxyCharactersMax)
  .superRefine((text, context) => {
    const message = proxyProblem(text);
    if (message !== null) context.addIssue({ code: 'custom', message });
  });

/** How the session of a number behaves at the network. */
export const sessionSettingsSchema = z.strictObject({
  presence: z
    .enum(presenceSettings)
    .describe(
      'Whether the number is shown as online while it is connected. With `unavailable`, the phone keeps its notifications.',
    ),
  proxyUrl: proxyUrlSchema
    .nullable()
    .describe(
      'The proxy through which the number reaches the network. Its password is never shown. Null: none.',
    ),
  rejectCalls: z.boolean().describe('Whether calls are declined at once.'),
  markRead: z
    .enum(markReadSettings)
    .describe('When received messages are marked as read: never, when the number replies, or at once.'),
});
export type SessionSettings = z.infer<typeof sessionSettingsSchema>;

/** The same where it is kept: the proxy's address sealed, and as it may be shown. */
export interface StoredSessionSettings extends Omit<SessionSettings, 'proxyUrl'> {
  sealedProxyUrl: string | null;
  shownProxyUrl: string | null;
}

export const defaultSessionSettings: SessionSettings = {
  presence: 'unavailable',
  proxyUrl: null,
  rejectCalls: false,
  markRead: 'never',
};

/** Stands for credentials where a proxy's address is shown. */
const hiddenCredentials = '***';

/** The address of a proxy as it may be shown: without its credentials, but for the fact that there are some. */
export function shownProxyUrl(proxyUrl: string): string {
  const url = new URL(proxyUrl);
  const credentials = url.username === '' && url.password === '' ? '' : `${hiddenCredentials}@`;
  return `${url.protocol}//${credentials}${url.host}`;
}

/** Whether it is an address as {@link shownProxyUrl} makes it of one with credentials: it cannot be used. */
export function isShownProxyUrl(proxyUrl: string): boolean {
  return URL.canParse(proxyUrl) && new URL(proxyUrl).username === hiddenCredentials;
}

export const defaultStoredSession: StoredSessionSettings = {
  presence: defaultSessionSettings.presence,
  rejectCalls: defaultSessionSettings.rejectCalls,
  markRead: defaultSessionSettings.markRead,
  sealedProxyUrl: null,
  shownProxyUrl: null,
};
