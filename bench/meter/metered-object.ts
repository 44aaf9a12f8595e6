import { traced, whenDone } from './call-traces.ts';
import { meteredBindings } from './metered-bindings.ts';
import { meterStorage, type ObjectState } from './metered-storage.ts';
import { count } from './tally.ts';

// biome-ignore lint/suspicious/noExplicitAny: TypeScript's mixins need a constructor of `any[]`.
export type ObjectClass = new (...values: any[]) => object;

type Method = (this: object, ...values: unknown[]) => unknown;

/** The object class with its storage, its bindings, its frames, its alarms and the time it is awake for counted. */
export function meteredObject(name: string, product: ObjectClass): ObjectClass {
  class Metered extends product {
    readonly benchState: ObjectState;

    // biome-ignore lint/suspicious/noExplicitAny: as above.
    constructor(...values: any[]) {
      const [state, env] = values as [ObjectState, object];
      meterStorage(state, name);
      super(state, meteredBindings(env));
      this.benchState = state;
    }

    /** Rows in each table of this object. */
    benchTables(): Record<string, number> {
      const { sql } = this.benchState.storage as unknown as {
        sql: { exec(statement: string): { toArray(): Record<string, unknown>[] } };
      };
      const tables = sql
        .exec(
          "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*'",
        )
        .toArray();
      return Object.fromEntries(
        tables.map(({ name: table }) => [
          String(table),
          Number(sql.exec(`SELECT count(*) AS rows FROM "${table}"`).toArray()[0]?.rows),
        ]),
      );
    }
  }
  const awake = new AwakeTime(name);
  for (const [method, { value: original }] of Object.entries(
    Object.getOwnPropertyDescriptors(product.prototype as object),
  )) {
    if (method === 'constructor' || typeof original !== 'function') continue;
    Object.defineProperty(Metered.prototype, method, {
      value: meteredMethod(name, method, original as Method, awake),
      writable: true,
      configurable: true,
    });
  }
  return Metered;
}

/** Requests are counted where they are made: an object that calls a method of its own makes none. */
function meteredMethod(name: string, method: string, original: Method, awake: AwakeTime): Method {
  return function (this: object, ...values) {
    if (method === 'webSocketMessage') count('frameIn', [name]);
    if (method === 'alarm') count('request', [name, 'alarm']);
    awake.begin(this);
    return whenDone(
      () => traced(`${name}.${method}`, () => original.apply(this, values)),
      () => awake.end(this),
    );
  };
}

/** The time in which an object has at least one event under way: the least that the platform can bill it for. */
class AwakeTime {
  readonly #name: string;
  readonly #underWay = new WeakMap<object, { events: number; since: number }>();

  constructor(name: string) {
    this.#name = name;
  }

  begin(object: object): void {
    const state = this.#underWay.get(object) ?? { events: 0, since: 0 };
    if (state.events === 0) state.since = performance.now();
    state.events += 1;
    this.#underWay.set(object, state);
  }

  end(object: object): void {
    const state = this.#underWay.get(object);
    if (state === undefined) return;
    state.events -= 1;
    if (state.events === 0) count('activeMs', [this.#name], performance.now() - state.since);
  }
}
