/**
 * Of a session, the receiving chains that are kept, and of a record the sessions that were replaced: a message that was
 * overtaken by more than these cannot be read any more. Signal's own library keeps 5 (MAX_RECEIVER_CHAINS) and 40
 * (ARCHIVED_STATES_MAX_LENGTH); the client's keeps every chain for ever.
 */
const receivingChainsMax = 10;
const closedSessionsMax = 10;

const receiving = 2;
const open = -1;

interface Session {
  /** Milliseconds since 1970, or -1. */
  indexInfo: { closed: number };
  /** The oldest first. */
  _chains: Record<string, { chainType: number }>;
}

/** All sessions with one device, as the client's Signal library serialises them. */
interface SessionRecord {
  _sessions: Record<string, Session>;
}

/**
 * The record without what would make it grow with the length of a conversation: it is read, sealed and stored with each
 * message. The open session stays, and in each session the chain that is in use.
 */
export function bounded<Value extends object>(record: Value): Value {
  if (!('_sessions' in record)) return record;
  const { _sessions: sessions } = record as Value & SessionRecord;
  const closed = Object.entries(sessions)
    .filter(([, { indexInfo }]) => indexInfo.closed !== open)
    .sort(([, a], [, b]) => b.indexInfo.closed - a.indexInfo.closed);
  const outdated = new Set(closed.slice(closedSessionsMax).map(([key]) => key));
  const kept = Object.entries(sessions).filter(([key]) => !outdated.has(key));
  return {
    ...record,
    _sessions: Object.fromEntries(kept.map(([key, session]) => [key, boundedSession(session)])),
  };
}

function boundedSession(session: Session): Session {
  const chains = Object.entries(session._chains);
  const received = chains.filter(([, { chainType }]) => chainType === receiving).map(([key]) => key);
  const outdated = new Set(received.slice(0, -receivingChainsMax));
  return { ...session, _chains: Object.fromEntries(chains.filter(([key]) => !outdated.has(key))) };
}
