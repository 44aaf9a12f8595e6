/** When each text of a run was acknowledged by the network; Unix times in milliseconds, in the order of the acks. */
export interface SendRun {
  startedAt: number;
  ackedAt: number[];
}

/** What a process of plain sessions can be told to do. */
export interface PlainCalls {
  /** Links one session a phone, `atATime` of them together, and resolves when all are logged in. */
  pair(input: { socketUrl: string; adminUrl: string; phones: string[]; atATime: number }): Promise<void>;
  /**
   * Logs the first devices of a file in, all at once; milliseconds until all are open. The file holds `LinkedDevices` in
   * JSON, with bytes as the client writes them.
   */
  logIn(input: { socketUrl: string; path: string; count: number }): Promise<number>;
  /** Each session sends so many texts, to the recipients in turn. */
  send(input: { recipients: string[]; perSession: number }): Promise<SendRun>;
}
