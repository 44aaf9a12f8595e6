/** Names that the browser knows, as `Asia/Jakarta`. */
export const timeZones = Intl.supportedValuesOf('timeZone');
