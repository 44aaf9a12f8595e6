import { traced } from './call-traces.ts';
import { meteredBindings } from './metered-bindings.ts';
import type { ObjectClass } from './metered-object.ts';
import { count } from './tally.ts';

type Method = (this: object, ...values: unknown[]) => unknown;

/** The entrypoint class, whose methods objects call as those of a service binding, with each call and its bindings counted. */
export function meteredEntrypoint(name: string, product: ObjectClass): ObjectClass {
  class Metered extends product {
    // biome-ignore lint/suspicious/noExplicitAny: TypeScript's mixins need a constructor of `any[]`.
    constructor(...values: any[]) {
      const [context, env] = values as [unknown, object];
      super(context, meteredBindings(env));
    }
  }
  for (const [method, { value: original }] of Object.entries(
    Object.getOwnPropertyDescriptors(product.prototype as object),
  )) {
    if (method === 'constructor' || typeof original !== 'function') continue;
    Object.defineProperty(Metered.prototype, method, {
      value(this: object, ...values: unknown[]) {
        count('bindingCall', [name, method]);
        return traced(`${name}.${method}`, () => (original as Method).apply(this, values));
      },
      writable: true,
      configurable: true,
    });
  }
  return Metered;
}
