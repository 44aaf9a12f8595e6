/** The part of the runtime that the bare Worker needs; the types of the whole would clash with those of Node. */
declare module 'cloudflare:workers' {
  export class DurableObject<Env> {
    constructor(ctx: DurableObjectState, env: Env);
    protected ctx: DurableObjectState;
    protected env: Env;
  }
  interface DurableObjectState {
    storage: { sql: { exec(statement: string, ...values: unknown[]): unknown } };
  }
}
