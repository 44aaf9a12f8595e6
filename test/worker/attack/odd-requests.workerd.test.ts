import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { type ErrorCode, errorStatus } from '../../../src/contract/errors.ts';
import { example } from '../../../src/worker/openapi/examples/example-values.ts';
import { type Answer, ask } from '../front-door.ts';
import { expectDocumented } from '../openapi/openapi-document.ts';
import { credentialFor, inWorld, openWorld, type World } from '../openapi/openapi-world.ts';
import { callNamed, type OddRequest, oddRequest } from './odd-requests.ts';

/** `FUZZ_SECONDS=120 FUZZ_SEED=7 npm test -- test/worker/attack` looks further, and elsewhere. */
const { FUZZ_SECONDS, FUZZ_SEED } = env as typeof env & Record<'FUZZ_SECONDS' | 'FUZZ_SEED', string>;
const seed = Number(FUZZ_SEED || 16);
/** By default so many requests as take some seconds, on a slow machine too. */
const seconds = FUZZ_SECONDS === '' ? null : Math.min(120, Number(FUZZ_SECONDS));
const requests = seconds === null ? 300 : 300 * seconds;

const errorBytesMax = 16 * 1024;
const answersWithinMs = 15_000;

/** Nothing of how it is made. Other than by case: `D1_ERROR`, `SQLITE_…`, names of bindings, places in the code. */
const innerWords =
  /D1_|SQLITE|sqlite|drizzle|ZodError|(?:Type|Range|Syntax)Error|\bat \S+ \(|\.[jt]s:\d+|node_modules|DurableObject|BRIDGE_ENROLMENT_TOKEN|BOOTSTRAP_TOKEN|JWT_PRIVATE|SEALING_KEY|KEY_CHECKSUM|EVENT_LOG|PHONE_NUMBER|BRIDGE_FLEET|\b(?:SELECT|INSERT|UPDATE) |insert into|Cannot read|is not a function|\[object Object\]/;

/** A world lasts so long: by then something has been revoked, deleted or used up. */
const requestsAWorld = 100;
let world: World | null = null;
let asked = 0;

async function currentWorld(): Promise<World> {
  if (world === null || asked % requestsAWorld === 0) {
    world = await openWorld();
    // Nothing leaves this machine, whatever URL is tried.
    vi.restoreAllMocks();
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
      if (new Request(input, init).url === example.receiver) return new Response('ok');
      throw new TypeError('there is nobody');
    });
  }
  asked += 1;
  return world;
}

const fill = (within: World, text: string): string => inWorld(within, text);

async function send(within: World, request: OddRequest): Promise<Answer> {
  const { operationId, method, path, headers, body, credential } = request;
  const credentials = {
    right: () => credentialFor(callNamed(operationId), within.account),
    none: () => ({}),
    'made up': () => ({ 'X-API-Key': `sk_live_${'1'.repeat(60)}`, Authorization: 'Bearer a.b.c' }),
  };
  const late = new AbortController();
  const answer = await Promise.race([
    ask(method, fill(within, path), {
      headers: { ...headers, ...credentials[credential](), 'CF-Connecting-IP': anyAddress() },
      ...(body === null ? {} : { raw: typeof body === 'string' ? fill(within, body) : body }),
    }),
    scheduler.wait(answersWithinMs, { signal: late.signal }).then(
      () => null,
      () => null,
    ),
  ]);
  late.abort();
  if (answer === null) throw new Error(`no answer within ${answersWithinMs} ms`);
  return answer;
}

/** What is counted by address is another matter. */
const anyAddress = () => `10.${[0, 0, 0].map(() => Math.floor(Math.random() * 256)).join('.')}`;

function expectContract(request: OddRequest, answer: Answer): void {
  const what = `${answer.status} ${answer.text.slice(0, 1000)}`;
  const isExpected503 = /"(?:SENDER_UNAVAILABLE|NO_HEALTHY_SENDER)"|not ready/.test(answer.text);
  if (answer.status >= 500) expect(isExpected503, what).toBe(true);
  // What is stored comes back as it was sent.
  const isWhole = answer.status < 300 && !answer.text.includes('"error"');
  if (isWhole) expect(answer.text, what).not.toContain('\ufffd');
  // Which of the two would count?
  const isRead =
    request.isRouted && callNamed(request.operationId).operation.parameters.some((it) => it.in === 'query');
  if (isRead && request.isRepeated) expect(answer.status, what).toBeGreaterThanOrEqual(400);
  if (request.isRouted) expectDocumented(callNamed(request.operationId), answer);
  if (answer.status < 400 || !('error' in answer.body)) return;
  expect(answer.text.length, what).toBeLessThanOrEqual(errorBytesMax);
  const { code } = answer.body.error as { code: ErrorCode };
  expect(answer.body, what).toEqual({
    error: {
      code: expect.stringMatching(/^[A-Z_]+$/),
      message: expect.stringMatching(/^.{5,300}$/su),
      requestId: answer.headers.get('X-Request-Id'),
      ...(answer.text.includes('"details":') && { details: expect.any(Array) }),
    },
  });
  expect(errorStatus[code], what).toBe(answer.status);
  expect(answer.text).not.toMatch(innerWords);
}

const shortened = (value: unknown) =>
  typeof value === 'string' && value.length > 2000 ? `${value.slice(0, 2000)}… (${value.length})` : value;

test('whatever is sent to any operation, the answer is one that its description names, and nothing breaks', {
  timeout: ((seconds ?? 0) + 240) * 1000,
}, async () => {
  const property = fc.asyncProperty(oddRequest, async (request) => {
    expectContract(request, await send(await currentWorld(), request));
  });
  const run = {
    seed,
    numRuns: requests,
    ...(seconds !== null && { interruptAfterTimeLimit: seconds * 1000 }),
  };
  const { failed, counterexample, counterexamplePath, errorInstance } = await fc.check(property, run);
  if (failed) {
    const shown = JSON.stringify(counterexample?.[0], (_, value) => shortened(value), 1);
    throw new Error(
      `FUZZ_SEED=${seed} (${counterexamplePath}), ${asked} requests:\n${shown}\n${errorInstance}`,
    );
  }
  expect(asked).toBeGreaterThan(100);
});
