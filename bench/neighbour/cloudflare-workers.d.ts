/** The part of the runtime that the bench's own Workers need; the types of the whole would clash with those of Node. */
declare module 'cloudflare:workers' {
  export class DurableObject<Env> {
    constructor(ctx: DurableObjectState, env: Env);
    protected ctx: DurableObjectState;
    protected env: Env;
  }
  export class WorkerEntrypoint {}
  interface DurableObjectState {
    storage: { sql: { exec(statement: string, ...values: unknown[]): unknown } };
  }
}
