/** Places that may have a fleet of their own, as the platform calls them. */
export const fleetRegionNames = ['wnam', 'enam', 'sam', 'weur', 'eeur', 'apac', 'oc', 'afr', 'me'] as const;

/**
 * How a session bridge proves who it is: `hb_`, the region whose fleet it belongs to where it has one (`weur_`), its id (a
 * UUID), 16 random bytes in hex, and a keyed checksum of all that in base64url. The gateway gives it to a bridge that
 * enrols; it is good until the operator revokes the bridge. Tokens of earlier releases have no random bytes.
 */
export const bridgeTokenPattern =
  /^hb_(?:([a-z]{2,4})_)?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:_([0-9a-f]{32}))?_([A-Za-z0-9_-]{43})$/;

/** What lets one new bridge in, once: `hbe_`, 32 random bytes and a keyed checksum of them, both in base64url. */
export const enrolmentTokenPattern = /^hbe_([A-Za-z0-9_-]{43})_([A-Za-z0-9_-]{43})$/;

/** How long such a token is good, in seconds, where the operator does not say. */
export const enrolmentSecondsDefault = 3_600;
export const enrolmentSecondsMax = 30 * 86_400;
