/** Who is asking: a customer's server by its key, or a person by the dashboard's token. */
export type Caller =
  | { kind: 'key'; accountId: string; keyId: string }
  | { kind: 'user'; accountId: string; userId: string; role: 'owner' | 'admin' | 'agent' };

/** Fields of the request's one log line: ids, codes, counts; never a body, a secret or a whole phone number. */
type RequestLog = Record<string, string | number | boolean | null>;

/** What every handler finds in its context. */
export interface AppEnv {
  Bindings: Env;
  Variables: { requestId: string; log: RequestLog; caller: Caller };
}
