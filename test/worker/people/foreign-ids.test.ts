import { describe, expect, test } from 'vitest';
import { type Answer, openAccount } from '../front-door.ts';
import { arrangements } from '../openapi/openapi-arrangements.ts';
import { calls } from '../openapi/openapi-document.ts';
import { exampleBodies, examplePath, sendIn } from '../openapi/openapi-requests.ts';
import { inWorld, openWorld, type World } from '../openapi/openapi-world.ts';
import { copyOf, kindsOf, nameOf } from './documented-callers.ts';

/** Well before its owner's token ends. */
const worldLastsMs = 5 * 60_000;

// Whoever tries changes nothing of it, so one is enough for many.
let foreign = { world: await openWorld(), openedAt: Date.now() };

/** The same names, of things that nobody has. */
const nowhere = ({ names, ...rest }: World): World => ({
  ...rest,
  names: new Map(
    [...names].map(([example, actual]) => [
      example,
      isId(actual) ? actual.replace(/[0-9a-f-]{36}$/, crypto.randomUUID()) : actual,
    ]),
  ),
});
const isId = (name: string) => /^(?:[a-z]+_)?[0-9a-f-]{36}$/.test(name);

/** The answer without what differs by itself: ids. */
const withoutIds = ({ status, text }: Answer) => ({
  status,
  text: text.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'an id'),
});

describe("another account's things", () => {
  const naming = calls.flatMap((call) =>
    exampleBodies(call).flatMap(([name, body]) => {
      const text = `${examplePath(call)} ${JSON.stringify(body)}`;
      const isNaming = /[0-9a-f]{8}-[0-9a-f-]{27}/.test(text);
      return isNaming ? [{ title: `${nameOf(call)} (${name})`, call, body }] : [];
    }),
  );

  test.for(naming)('$title: ids of another account are answered as ids of nobody', async ({ call, body }) => {
    if (Date.now() - foreign.openedAt > worldLastsMs) {
      foreign = { world: await openWorld(), openedAt: Date.now() };
    }
    const theirs = copyOf(foreign.world);
    await arrangements[call.operation.operationId]?.(theirs);
    // Nobody is refused for being too fast.
    const someone = await openAccount();
    const credentials = [
      ...(kindsOf(call).includes('apiKey') ? [someone.server] : []),
      ...(kindsOf(call).includes('owner') ? [someone.owner] : []),
    ];
    const named = inWorld(theirs, { path: examplePath(call), body });
    expect(named).not.toEqual(inWorld(nowhere(theirs), { path: examplePath(call), body }));
    for (const credential of credentials) {
      const [known, unknown] = [
        await sendIn(theirs, call, body, credential),
        await sendIn(nowhere(theirs), call, body, credential),
      ];
      expect(withoutIds(known)).toEqual(withoutIds(unknown));
      if (examplePath(call) !== call.path) expect(known.status, known.text).toBe(404);
      else expect(known.body.error, known.text).toBeDefined();
    }
  });
});
