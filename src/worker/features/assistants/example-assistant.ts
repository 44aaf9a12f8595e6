import { example } from '../../openapi/examples/example-values.ts';

export const exampleInstructions =
  'You are the assistant of Blue Lamp, a shop for reading lamps. Be friendly and short. Hand over whenever somebody is ' +
  'unhappy, or wants to change an order.';

export const exampleAssistant = {
  assistantId: example.assistantId,
  name: 'Front desk',
  enabled: true,
  numberIds: 'all',
  provider: {
    kind: 'openai_compatible',
    baseUrl: 'https://api.example.com/v1',
    model: 'small-1',
    hasApiKey: true,
    prices: { inputPerMillion: 0.15, outputPerMillion: 0.6 },
    seesPictures: false,
    embeddingModel: null,
  },
  instructions: exampleInstructions,
  introduction: 'You are talking with our automatic assistant.',
  knowledge: { documents: 3, chunks: 41, meaning: null },
  tools: { lookUpContact: true, labels: ['delivery'], http: [] },
  handOff: { labels: ['needs a person'], teamId: null, message: 'One moment, a person takes over.' },
  hours: 'always',
  dailyTokenBudget: 1_000_000,
  conversationTokenBudget: 100_000,
  debounceSeconds: 4,
  createdAt: '2026-01-31T09:00:00.000Z',
  updatedAt: '2026-01-31T09:00:00.000Z',
};

export const exampleDocument = {
  documentId: example.documentId,
  assistantId: example.assistantId,
  kind: 'text',
  name: 'Returns',
  url: null,
  state: 'ready',
  error: null,
  characters: 84,
  chunks: 1,
  pages: 1,
  rereadHours: null,
  createdAt: '2026-01-31T09:05:00.000Z',
  readAt: '2026-01-31T09:05:00.000Z',
  nextReadAt: null,
};

const exampleSource = {
  documentId: example.documentId,
  name: 'Returns',
  url: null,
  excerpt: 'A lamp can be sent back within 30 days.',
};

export const exampleThought = {
  model: 'small-1',
  sources: [exampleSource],
  toolCalls: [
    {
      name: 'search_knowledge',
      input: '{"query":"return lamp"}',
      ok: true,
      output: 'Returns\nA lamp can be sent back within 30 days.',
    },
  ],
  error: null,
  tokens: { input: 912, output: 34 },
  cost: 0.0001572,
  durationMs: 1240,
};
