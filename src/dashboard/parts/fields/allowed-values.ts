/** The address of a page or a server, as people type one. The gateway looks closer. */
export const isUrl = (url: string): boolean => /^https?:$/.test(URL.parse(url.trim())?.protocol ?? '');

/** Names that the browser knows, as `Asia/Jakarta`. */
export const timeZones = Intl.supportedValuesOf('timeZone');
