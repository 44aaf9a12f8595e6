import { traced, whenDone } from './call-traces.ts';
import { meteredBindings } from './metered-bindings.ts';
import { countReadsOf, meterStorage, type ObjectState } from './metered-storage.ts';
import { count } from './tally.ts';

/** What an object keeps. */
export interface ObjectContents {
  /** Rows by table. */
  rows: Record<string, number>;
  bytes: number;
}

interface Sql {
  databaseSize: number;
  exec(statement: string): { toArray(): Record<string, unknown>[] };
}

/** Tables that are the object's own; an index of words has tables of the search engine, which go with it. */
const tablesQuery = `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB 'sqlite_*'
  AND name NOT GLOB '_cf_*' AND name NOT GLOB 'message_terms_*'`;

// biome-ignore lint/suspicious/noExplicitAny: TypeScript's mixins need a constructor of `any[]`.
export type ObjectClass = new (...values: any[]) => object;

type Method = (this: object, ...values: unknown[]) => unknown;

/** The object class with its storage, its bindings, its frames, its alarms and the time it is awake for counted. */
export function meteredObject(name: string, product: ObjectClass): ObjectClass {
  const awake = new AwakeTime(name);
  class Metered extends product {
    readonly benchState: ObjectState;

    // biome-ignore lint/suspicious/noExplicitAny: as above.
    constructor(...values: any[]) {
      const [state, env] = values as [ObjectState, object];
      meterStorage(state, name);
      awakeBehind(state, awake);
      super(state, meteredBindings(env));
      this.benchState = state;
    }

    benchContents(): ObjectContents {
      const { sql } = this.benchState.storage as unknown as { sql: Sql };
      const rowsIn = (table: string) =>
        Number(sql.exec(`SELECT count(*) AS n FROM "${table}"`).toArray()[0]?.n);
      const tables = sql.exec(tablesQuery).toArray();
      return {
        rows: Object.fromEntries(tables.map(({ name: table }) => [String(table), rowsIn(String(table))])),
        bytes: sql.databaseSize,
      };
    }
  }
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
    const { benchState } = this as { benchState: ObjectState };
    awake.begin(benchState);
    return whenDone(
      () => traced(`${name}.${method}`, () => original.apply(this, values)),
      () => {
        awake.end(benchState);
        countReadsOf(benchState);
      },
    );
  };
}

const awakeOf = new WeakMap<object, AwakeTime>();
let isPatched = false;

/** What goes on behind an answer keeps the object awake as well: a receiver that is waited for, for one. */
function awakeBehind(state: ObjectState, awake: AwakeTime): void {
  awakeOf.set(state, awake);
  if (isPatched) return;
  isPatched = true;
  const prototype = Object.getPrototypeOf(state) as ObjectState;
  const native = prototype.waitUntil;
  prototype.waitUntil = function (this: ObjectState, work) {
    const own = awakeOf.get(this);
    own?.begin(this);
    const over = () => own?.end(this);
    work.then(over, over);
    native.call(this, work);
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
