import { expect, test } from 'vitest';
import { withTakenParameters } from '../../../../src/worker/features/assistants/thinking/taken-parameters.ts';

const refusal = (message: string) => Response.json({ error: { message } }, { status: 400 });

/** A provider that answers so to each body, asked by a model of its own. */
async function asking(body: object, answer: (body: Record<string, unknown>) => Response) {
  const asked: Record<string, unknown>[] = [];
  const ask = withTakenParameters(async (_, init) => {
    asked.push(JSON.parse(String(init?.body)));
    return answer(asked.at(-1) ?? {});
  });
  const model = crypto.randomUUID();
  const response = await ask('https://models.example.com/v1', {
    body: JSON.stringify({ model, ...body }),
  });
  return { asked: asked.map(({ model: _, ...more }) => more), response };
}

test('another refusal of a request is the provider’s answer, word by word', async () => {
  const answer = () => refusal('max_tokens is too large: 1000. This model supports at most 512.');
  const { asked, response } = await asking({ max_tokens: 1_000 }, answer);
  expect(asked).toHaveLength(1);
  expect([response.status, await response.json()]).toEqual([
    ...[400, { error: { message: 'max_tokens is too large: 1000. This model supports at most 512.' } }],
  ]);
});

test('a provider that takes a parameter under neither name is not asked for ever', async () => {
  const { asked, response } = await asking({ max_tokens: 5 }, () =>
    refusal("'max_tokens' is not supported with this model."),
  );
  expect(asked).toEqual([{ max_tokens: 5 }, { max_completion_tokens: 5 }]);
  expect(response.status).toBe(400);
});

test('what a provider answers that is busy or broken is no word about parameters', async () => {
  const { asked, response } = await asking(
    { max_tokens: 5 },
    () => new Response("'max_tokens' is not supported", { status: 500 }),
  );
  expect([asked.length, response.status]).toEqual([1, 500]);
});

test('what one model refuses is sent to another one of the same provider', async () => {
  const refuses = await asking({ max_tokens: 5 }, ({ max_tokens }) =>
    max_tokens === undefined ? new Response('{}') : refusal("Unsupported parameter: 'max_tokens'."),
  );
  expect(refuses.asked).toHaveLength(2);
  expect((await asking({ max_tokens: 5 }, () => new Response('{}'))).asked).toEqual([{ max_tokens: 5 }]);
});
