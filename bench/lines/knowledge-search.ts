import type { BenchLine, Figure } from '../runner/line.ts';
import { median, percentile } from '../runner/results.ts';
import { BenchCustomer } from '../stage/customer.ts';
import { withEdge } from '../stage/gateway.ts';

const documents = 8;
const piecesEach = 1_250;
const searchesARound = 100;
const searchMsMax = 20;

export const line: BenchLine = {
  name: 'knowledge-search',
  question: `How long does a search of an assistant's knowledge take over ${documents * piecesEach} pieces?`,
  leftOut:
    'The way to the object: on the platform it may live elsewhere than whoever asks. The same request without a search ' +
    'stands beside it, so that what is the search alone can be seen.',
  async run({ log, rounds }) {
    return withEdge({}, async ({ edge, secrets }) => {
      const customer = await BenchCustomer.join(edge.url, secrets);
      const { assistantId } = await customer.admin<{ assistantId: string }>('POST', '/v1/assistants', {
        name: 'Desk',
        provider: { kind: 'workers_ai', model: 'none' },
        instructions: 'Answer.',
      });
      const path = `/v1/assistants/${assistantId}`;
      for (let index = 0; index < documents; index += 1) {
        const document = { name: `Handbook ${index}`, text: handbook(index), format: 'markdown' };
        await customer.admin('POST', `${path}/documents`, document);
      }
      const { knowledge } = await customer.admin<{ knowledge: { chunks: number } }>('GET', path);
      if (knowledge.chunks < documents * piecesEach) throw new Error(`only ${knowledge.chunks} pieces`);
      log(`${knowledge.chunks} pieces in ${documents} documents`);
      const timed = async (target: string): Promise<number> => {
        const startedAt = performance.now();
        await customer.admin('GET', target);
        return performance.now() - startedAt;
      };
      const search = (words: string) => timed(`${path}/knowledge?q=${encodeURIComponent(words)}`);
      const [alone, medians, ends, plain]: [number[], number[], number[], number[]] = [[], [], [], []];
      for (let round = 0; round < rounds; round += 1) {
        const [searches, others]: [number[], number[]] = [[], []];
        for (let index = 0; index < searchesARound; index += 1) {
          searches.push(await search(questions[index % questions.length] ?? ''));
          others.push(await timed(path));
        }
        alone.push(median(searches.map((ms, index) => ms - (others[index] ?? 0))));
        medians.push(median(searches));
        ends.push(percentile(searches, 0.99));
        plain.push(median(others));
      }
      return [
        figure('beyond the request without it, p50', alone, null, { of: 'ours', atMost: searchMsMax }),
        figure('whole request, p50', medians, plain, null),
        figure('whole request, p99', ends, plain, null),
      ];
    });
  },
};

function figure(name: string, ours: number[], plain: number[] | null, target: Figure['target']): Figure {
  return {
    name,
    unit: 'ms',
    ours: median(ours),
    ...(plain !== null && { counterpart: median(plain) }),
    target,
    rounds: { ours, ...(plain !== null && { counterpart: plain }) },
  };
}

/** Rare words, common ones, both, a sentence as a customer writes it, and what is nowhere. */
const questions = [
  'word17 word4711',
  'delivery',
  'How long does the delivery of a lamp to the islands take, and what does word333 cost?',
  'price lamp delivery returns warranty',
  'nothing at all of that',
  'word12000',
];

const usual = [
  'delivery',
  'lamp',
  'price',
  'returns',
  'warranty',
  'islands',
  'open',
  'and',
  'the',
  'of',
  'to',
  'a',
];

/** A Markdown text of so many sections, of usual words and of words that stand in few places; the same each time. */
function handbook(seed: number): string {
  let state = seed + 1;
  const next = (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
  const word = () => (next(3) === 0 ? `word${next(20_000)}` : (usual[next(usual.length)] ?? ''));
  const words = (count: number) => Array.from({ length: count }, word).join(' ');
  return Array.from({ length: piecesEach }, () => `## ${words(4)}\n\n${words(90)}.`).join('\n\n');
}
