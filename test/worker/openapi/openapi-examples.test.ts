import { expect, test } from 'vitest';
import { exampleRecipient } from '../../../src/worker/openapi/examples/example-values.ts';
import { arrangements } from './openapi-arrangements.ts';
import { calls, expectDocumented } from './openapi-document.ts';
import { exampleBodies, sendExample, worldFor } from './openapi-requests.ts';
import { openWorld } from './openapi-world.ts';

const examples = calls.flatMap((call) =>
  exampleBodies(call).map(([name, body]) => ({
    title: `${call.operation.operationId} (${name})`,
    call,
    body,
  })),
);

test.for(examples)('$title is answered as the document says', async ({ call, body }) => {
  const answer = await sendExample(call, body, await worldFor(call, body));
  expect(answer.status, answer.text).toBeLessThan(call.operation.operationId === 'checkReady' ? 504 : 300);
  expectDocumented(call, answer);
});

test('a dry run is answered as the document says, whether the send would be accepted or not', async () => {
  const call = calls.find(({ operation }) => operation.operationId === 'sendMessage');
  if (call === undefined) throw new Error('sending is not documented');
  const world = await openWorld();
  const dry = { ...call, path: `${call.path}?dryRun=true` };
  const body = { to: exampleRecipient, text: 'hello' };
  const accepted = await sendExample(dry, body, world);
  expect(accepted).toMatchObject({ status: 200, body: { accepted: true, reasons: [] } });
  expectDocumented(call, accepted);
  await arrangements.listOptOuts?.(world);
  const refused = await sendExample(dry, body, world);
  expect(refused).toMatchObject({
    status: 200,
    body: { accepted: false, reasons: [{ code: 'RECIPIENT_FILTERED', details: [{ filter: 'optOut' }] }] },
  });
  expectDocumented(call, refused);
});

const media = calls.flatMap((call) =>
  Object.entries(call.operation.responses).flatMap(([status, { content = {} }]) =>
    Object.keys(content)
      .filter((type) => type !== 'application/json')
      .map((type) => ({ title: `${call.operation.operationId} as ${type}`, call, status, type })),
  ),
);

test.for(media)('$title is answered in that type', async ({ call, status, type }) => {
  const headers = { Accept: type, ...(status === '206' && { Range: 'bytes=0-4' }) };
  const answer = await sendExample(call, undefined, await openWorld(), headers);
  expect(answer.status).toBe(Number(status));
  expect(answer.headers.get('Content-Type')).toContain(type);
});
