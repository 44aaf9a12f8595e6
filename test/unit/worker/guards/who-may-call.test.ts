import { expect, test } from 'vitest';
import { keyScopes } from '../../../../src/contract/key-scopes.ts';
import { app } from '../../../../src/worker/app.ts';
import { type Guard, type RouteGuard, routeGuards } from '../../../../src/worker/auth/guards.ts';
import { rules, stepUps } from './rules-of-access.ts';

const routes = routeGuards(app.routes);

const asked: Record<NonNullable<Guard['asks']>, string> = {
  refreshCookie: 'the refresh cookie',
  refreshCookieIfAny: 'the refresh cookie if any',
  enrolmentToken: 'an enrolment token',
};

/** All of the guard, in the words of the rules. */
function wordsOf({ key, keyIsCheckedByRoute: _, people = [], asks, ...rest }: Guard): string {
  const { operator, operatingPeople, newcomers, bridges, signedUrl, anybody, ...unknown } = rest;
  expect(unknown, 'a way in that the rules have no word for').toEqual({});
  return [
    ...(anybody ? [asks === undefined ? 'anybody' : `anybody with ${asked[asks]}`] : []),
    ...(key === undefined ? [] : [`key ${key}`]),
    ...people,
    ...(operator ? ['operator'] : []),
    ...(operatingPeople ? ['people who run the gateway'] : []),
    ...(newcomers ? ['newcomers'] : []),
    ...(bridges ? ['bridges'] : []),
    ...(signedUrl ? ['signed URL'] : []),
  ].join(', ');
}

/** Whether `GET|POST /v1/teams/**` names the route. */
function names(pattern: string, { method, path }: RouteGuard): boolean {
  const [methods = '', where = ''] = pattern.split(' ');
  if (!methods.split('|').includes(method)) return false;
  return where.endsWith('/**') ? `${path}/`.startsWith(where.slice(0, -2)) : path === where;
}

const ruleOf = (route: RouteGuard) =>
  rules.find((rule) => rule.routes.some((pattern) => names(pattern, route)));

test.for(rules)('$sentence', (rule) => {
  const own = [...routes].filter(([, route]) => ruleOf(route) === rule);
  expect(own.map(([name, { guard }]) => [name, wordsOf(guard)])).toEqual(
    own.map(([name]) => [name, rule.who]),
  );
});

test('every route has a rule, and every line of a rule has a route', () => {
  expect([...routes.values()].filter((route) => ruleOf(route) === undefined)).toEqual([]);
  const unused = rules.flatMap((rule) =>
    rule.routes.filter((pattern) =>
      [...routes.values()].every((route) => ruleOf(route) !== rule || !names(pattern, route)),
    ),
  );
  expect(unused).toEqual([]);
});

test('a person shows that it is them before these, and before no others', () => {
  const asking = (stepUp: string) =>
    [...routes].filter(([, route]) => route.stepUp === stepUp).map(([name]) => name);
  expect({ always: asking('always').sort(), sometimes: asking('sometimes').sort() }).toEqual({
    always: stepUps.always.toSorted(),
    sometimes: stepUps.sometimes.toSorted(),
  });
});

test('every scope is good for something', () => {
  const wanted = new Set([...routes.values()].map(({ guard }) => guard.key));
  expect(keyScopes.filter((scope) => !wanted.has(scope))).toEqual([]);
});
