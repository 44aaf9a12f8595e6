/** How queries of one kind go wrong. */
type QueryFault = {
  /** They are answered with this code, such as `429`. */
  error?: string | undefined;
  /** They are answered that much later. */
  delayMs?: number | undefined;
  /** They are not answered at all. */
  silent?: boolean | undefined;
};

/** What goes wrong for the linked devices of one number. It holds until it is changed or the process ends. */
export type DeviceFaults = {
  /** Acknowledgements of their messages come that much later, in milliseconds. */
  ackDelayMs: number;
  /** Their logins are cut off. */
  refuseConnections: boolean;
  /** Their messages are taken, and nothing is sent to them: until the next login, as with a session gone stale. */
  isDeaf: boolean;
  /** They may begin no new chats before that time, in milliseconds since 1970; they are only told so. */
  newChatsFrom: number | null;
  /**
   * They are put out and refused with this reason, such as `402` or `406`, until `endsAt` (milliseconds since 1970; null
   * for good). An end is told in seconds from then on, as the network does for a ban that passes.
   */
  failure: { reason: string; endsAt: number | null } | null;
  /** Their messages to people are refused (463) unless they bear a token. */
  needsTokens: boolean;
  /** Their link is cut after so many more stanzas of theirs, once; null for not at all. */
  cutAfter: number | null;
  /** By namespace, such as `usync` or `encrypt`. */
  queries: Record<string, QueryFault>;
};

export const noDeviceFaults: DeviceFaults = {
  ackDelayMs: 0,
  refuseConnections: false,
  isDeaf: false,
  newChatsFrom: null,
  failure: null,
  needsTokens: false,
  cutAfter: null,
  queries: {},
};
