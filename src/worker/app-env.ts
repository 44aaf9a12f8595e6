import type { Refusal } from '../contract/errors.ts';
import type { KeyScope } from '../contract/key-scopes.ts';
import type { PresentedKey } from '../durable/account/configuration/key-ring.ts';
import type { FleetRegion } from '../durable/bridge-fleet/fleet-of.ts';

/** Who is asking: a customer's server by its key, or a person by the dashboard's token. */
export type Caller =
  | {
      kind: 'key';
      accountId: string;
      keyId: string;
      keyName: string;
      /** Of a key that is pinned strictly: the only number that it has to do with. */
      onlyNumberId: string | null;
      presented: PresentedKey;
      /** The scope by which it was let in. */
      scope: KeyScope;
    }
  | {
      kind: 'user';
      accountId: string;
      userId: string;
      email: string;
      role: 'owner' | 'admin' | 'agent';
      /** Null for a person who came with the token of an outside identity provider. */
      sessionId: string | null;
      /** When they have last shown that it is them; milliseconds since 1970. */
      confirmedAt: number | null;
    };

/** Fields of the request's one log line: ids, codes, counts; never a body, a secret or a whole phone number. */
type RequestLog = Record<string, string | number | boolean | null>;

/** What every handler finds in its context. */
export interface AppEnv {
  Bindings: Env;
  Variables: {
    requestId: string;
    log: RequestLog;
    /** It is one of a flood: it gets no line. */
    isUnlogged: boolean | undefined;
    caller: Caller;
    /** Of a route that has the key checked itself: what it was called with. */
    namedKey: { accountId: string; presented: PresentedKey; scope: KeyScope };
    /** The route may answer that the person has to show once more that it is them. */
    mayAskForStepUp: boolean | undefined;
    /** On the bridges' own routes: whose token it is. */
    bridgeId: string;
    /** What its fleet drew when it let the bridge in; null where the token is of an earlier release. */
    bridgeGeneration: string | null;
    /** Whose fleet it belongs to. */
    bridgeRegion: FleetRegion;
    /** What it was refused with. */
    refusal: Refusal | undefined;
    /** Whose audit logs this request has written to. */
    auditedAccounts: Set<string>;
  };
}
