import { Hono, type MiddlewareHandler } from 'hono';
import { describe, expect, test } from 'vitest';
import type { AppEnv } from '../../../../src/worker/app-env.ts';
import { administrator, allow, anybody, keyOrPerson, signedIn } from '../../../../src/worker/auth/callers.ts';
import { type Guard, markOf, routeGuards } from '../../../../src/worker/auth/guards.ts';
import { sometimesSteppedUp, steppedUp } from '../../../../src/worker/auth/step-up.ts';

const plain: MiddlewareHandler<AppEnv> = (_, next) => next();
const answer: MiddlewareHandler<AppEnv> = async (c) => c.json({});

const routesOf = (mount: (app: Hono<AppEnv>) => void) => {
  const app = new Hono<AppEnv>();
  mount(app);
  return routeGuards(app.routes);
};

describe('the guard of a route', () => {
  test('is its own, or that of a `use` before it, under the path of which it lies', () => {
    const things = new Hono<AppEnv>().get('/confirm', anybody, answer);
    things.use(administrator);
    things.get('/', answer).get('/:id', plain, answer);
    const found = routesOf((app) => {
      app.use(plain);
      app.route('/v1/things', things);
      app.get('/v1/things-of-others', signedIn, answer);
    });
    expect([...found].map(([name, { guard }]) => [name, guard])).toEqual([
      ['GET /v1/things/confirm', { anybody: true }],
      ['GET /v1/things', { people: ['owner', 'admin'] }],
      ['GET /v1/things/:id', { people: ['owner', 'admin'] }],
      ['GET /v1/things-of-others', { people: ['owner', 'admin', 'agent'] }],
    ]);
  });

  test.for<[string, (app: Hono<AppEnv>) => void, RegExp]>([
    ['none', (app) => app.get('/v1/things', plain, answer), /^GET \/v1\/things has 0 guards/],
    [
      'one that comes too late',
      (app) => app.get('/v1/things', answer).use('/v1/*', signedIn),
      /has 0 guards/,
    ],
    [
      'one for another method',
      (app) => app.post('/v1/things', signedIn, answer).get('/v1/things', answer),
      /^GET .* has 0/,
    ],
    [
      'that of its neighbours',
      (app) => app.use('/v1/thing/*', signedIn).get('/v1/things', answer),
      /has 0 guards/,
    ],
    ['two', (app) => app.use('/v1/*', anybody).get('/v1/things', signedIn, answer), /has 2 guards/],
    [
      'one behind something else',
      (app) => app.get('/v1/things', plain, signedIn, answer),
      /before its guard/,
    ],
  ])('is missed where it is %s', ([, mount, problem]) => {
    expect(() => routesOf(mount)).toThrow(problem);
  });

  test('tells whether a step-up is asked for', () => {
    const found = routesOf((app) => {
      app.delete('/always', administrator, plain, steppedUp, answer);
      app.patch('/sometimes', administrator, sometimesSteppedUp, answer);
      app.get('/never', administrator, answer);
    });
    expect([...found.values()].map(({ stepUp }) => stepUp)).toEqual(['always', 'sometimes', undefined]);
  });
});

test('what is noted on a guard is what it decides by: the same object, which nobody can change', async () => {
  const read = new Set<PropertyKey>();
  const guard = new Proxy<Guard>(
    { anybody: true },
    { get: (target, name) => read.add(name) && Reflect.get(target, name) },
  );
  const middleware = allow(guard);
  expect(markOf(middleware)?.guard).toBe(guard);
  const app = new Hono<AppEnv>().get('/', middleware, answer);
  expect((await app.request('/')).status).toBe(200);
  expect([...read]).toContain('anybody');
  const { guard: known } = markOf(keyOrPerson('contacts')) ?? {};
  expect(() => Object.assign(known ?? {}, { anybody: true })).toThrow(TypeError);
});
