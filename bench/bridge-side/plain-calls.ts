/** When each text of a run was acknowledged by the network; Unix times in milliseconds, in the order of the acks. */
export interface SendRun {
  startedAt: number;
  ackedAt: number[];
}

/** What a process of plain sessions can be told to do. */
export interface PlainCalls {
  /** Links one session a phone, `atATime` of them together, and resolves when all are logged in. */
  pair(input: { socketUrl: string; adminUrl: string; phones: string[]; atATime: number }): Promise<void>;
  /** Each session sends so many texts, to the recipients in turn. */
  send(input: { recipients: string[]; perSession: number }): Promise<SendRun>;
  /** After a forced garbage collection, where Node was started with `--expose-gc`. */
  memory(input: null): Promise<{ rssBytes: number }>;
  end(input: null): Promise<void>;
}
