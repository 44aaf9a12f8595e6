import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface ChatMessage {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content: string | Part[] | null;
}

interface Part {
  type: string;
  text?: string;
  image_url?: { url: string };
}

/** The words of a message, whatever else is in it. */
const wordsOf = ({ content }: ChatMessage): string =>
  typeof content === 'string' ? content : (content ?? []).map(({ text }) => text ?? '').join('');

/** What a gateway has asked of a model. */
interface ChatRequest {
  model: string;
  messages: ChatMessage[];
  tools?: { function: { name: string } }[];
  tool_choice?: unknown;
  max_tokens?: number;
  max_completion_tokens?: number;
  temperature?: number;
  authorization: string | null;
}

export interface ModelServer {
  /** What an assistant's provider has as its `baseUrl`. */
  url: string;
  requests: ChatRequest[];
  stop: () => Promise<void>;
}

const tokens = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 };

const completion = (model: string, message: object, finish = 'stop') => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_700_000_000,
  model,
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finish }],
  usage: tokens,
});

/** How OpenAI's models that think answer to what they do not take. */
const unsupported = {
  max_tokens: {
    error: {
      message:
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      ...{ type: 'invalid_request_error', param: 'max_tokens', code: 'unsupported_parameter' },
    },
  },
  temperature: {
    error: {
      message:
        "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.",
      ...{ type: 'invalid_request_error', param: 'temperature', code: 'unsupported_value' },
    },
  },
};

const calling = (model: string, name: string, input: string) => {
  const call = { id: 'call_1', type: 'function', function: { name, arguments: input } };
  return completion(model, { content: null, tool_calls: [call] }, 'tool_calls');
};

/** What the customer wrote last, out of the marks that the gateway puts around it. */
function lastCustomerText({ messages }: Pick<ChatRequest, 'messages'>): string {
  const last = messages.filter(({ role }) => role === 'user').at(-1);
  const said = last === undefined ? '' : wordsOf(last);
  const texts = [...said.matchAll(/<customer_message>\n([\s\S]*?)\n<\/customer_message>/g)].map(
    ([, text]) => text,
  );
  return texts.join(' / ');
}

/**
 * A stand-in for the server of a model, that speaks the protocol of OpenAI over HTTP. The name of the model says how it
 * behaves; what is behind a `#` in it tells one test from another.
 */
export async function startModelServer(): Promise<ModelServer> {
  const requests: ChatRequest[] = [];
  const failed = new Set<string>();
  const held = new Map<string, () => void>();
  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy());
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    if (url.pathname === '/requests') {
      const of = requests.filter(({ model }) => model === url.searchParams.get('model'));
      return json(response, 200, of);
    }
    if (url.pathname === '/release') {
      held.get(url.searchParams.get('model') ?? '')?.();
      return json(response, 200, {});
    }
    if (url.pathname === '/tool') {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body = Buffer.concat(chunks).toString();
      const key = request.headers['x-key'] ?? null;
      return json(response, 200, {
        query: Object.fromEntries(url.searchParams),
        method: request.method,
        body,
        key,
      });
    }
    if (url.pathname === '/page/held') await new Promise<void>((resolve) => held.set('page', resolve));
    if (url.pathname.startsWith('/page')) return page(url, response);
    if (url.pathname === '/v1/embeddings') return embed(request, response, failed);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const asked = JSON.parse(Buffer.concat(chunks).toString()) as ChatRequest;
    requests.push({ ...asked, authorization: request.headers.authorization ?? null });
    await say(asked, response);
  }

  async function say(asked: ChatRequest, response: ServerResponse): Promise<void> {
    const { model, messages } = asked;
    const [behaviour = '', argument = ''] = (model.split('#')[0] ?? '').split('=');
    const last = messages.at(-1);
    const output = last?.role === 'tool' ? wordsOf(last) : null;
    const echo = () =>
      json(response, 200, completion(model, { content: `You said: ${lastCustomerText(asked)}` }));
    switch (behaviour) {
      case 'echo':
        return echo();
      case 'uncounted': {
        const { usage: _, ...answer } = completion(model, {
          content: `You said: ${lastCustomerText(asked)}`,
        });
        return json(response, 200, answer);
      }
      case 'remember': {
        const task = messages.find(({ role }) => role === 'system');
        if (task === undefined || !wordsOf(task).startsWith('Summarise')) return echo();
        const lines = [
          ...messages
            .map(wordsOf)
            .join('\n')
            .matchAll(/^Customer: (.*)$/gm),
        ];
        const content = `SUMMARY of ${lines.length}: ${lines.map(([, said]) => said).join(', ')}`;
        return json(response, 200, completion(model, { content }));
      }
      case 'say':
        return json(response, 200, completion(model, { content: decodeURIComponent(argument) }));
      case 'paragraphs': {
        const part = (index: number) => `**Part ${index + 1}.** ${'word '.repeat(300).trim()}.`;
        const content = Array.from({ length: Number(argument) }, (_, index) => part(index)).join('\n\n');
        return json(response, 200, completion(model, { content }));
      }
      case 'see': {
        const parts = messages.flatMap(({ content }) => (Array.isArray(content) ? content : []));
        const shown = parts.flatMap(({ image_url }) => image_url?.url.slice(0, 32) ?? []);
        return json(
          response,
          200,
          completion(model, { content: `I was shown: ${shown.join(', ') || 'nothing'}` }),
        );
      }
      case 'late':
        await new Promise((resolve) => setTimeout(resolve, Number(argument)));
        return echo();
      case 'held':
        await new Promise<void>((resolve) => held.set(model, resolve));
        return echo();
      case 'silent':
        return; // The connection stays open, and nothing comes.
      case 'dribble':
        response.writeHead(200, { 'Content-Type': 'application/json' });
        response.write('{"choices":[');
        return;
      case 'status':
        return json(response, Number(argument), {
          error: { message: `no ${requests.at(-1)?.authorization}` },
        });
      case 'newer':
        if (asked.max_tokens !== undefined) return json(response, 400, unsupported.max_tokens);
        if (asked.temperature !== undefined) return json(response, 400, unsupported.temperature);
        return echo();
      case 'busy':
        response.setHeader('Retry-After', argument);
        return json(response, 429, { error: { message: 'slow down' } });
      case 'fail-once':
        if (failed.has(model)) return echo();
        failed.add(model);
        return json(response, 500, { error: { message: 'try again' } });
      case 'bad-json':
        response.writeHead(200, { 'Content-Type': 'application/json' });
        response.end('{"choices": [{"message": {"content": "half');
        return;
      case 'other-json':
        return json(response, 200, { hello: 'world' });
      case 'refuse':
        return json(response, 200, completion(model, { content: '' }, 'content_filter'));
      case 'empty':
        return json(response, 200, completion(model, { content: '  ' }));
      case 'huge':
        return json(response, 200, completion(model, { content: 'word '.repeat(600_000) }));
      case 'long':
        return json(response, 200, completion(model, { content: 'A whole sentence. '.repeat(400) }));
      case 'stream':
        response.writeHead(200, { 'Content-Type': 'text/event-stream' });
        response.end('data: {"choices":[{"delta":{"content":"Hello"}}]}\n\ndata: [DONE]\n\n');
        return;
      case 'redirect':
        response.writeHead(302, { Location: 'http://127.0.0.1:1/' });
        response.end();
        return;
      case 'hand-off':
        return json(response, 200, calling(model, 'hand_off', '{"reason":"The customer wants a person."}'));
      case 'unknown-tool':
        return json(
          response,
          200,
          output ? completion(model, { content: 'Sorry.' }) : calling(model, 'rm_rf', '{}'),
        );
      case 'bad-input':
        return json(
          response,
          200,
          output
            ? completion(model, { content: 'Sorry.' })
            : calling(model, 'hand_off', '{"nonsense": true}'),
        );
      case 'loop':
        return json(response, 200, calling(model, 'look_up_contact', '{}'));
      case 'search':
        if (output) return json(response, 200, completion(model, { content: `I found: ${output}` }));
        return json(
          response,
          200,
          calling(model, 'search_knowledge', JSON.stringify({ query: lastCustomerText(asked) })),
        );
      case 'call': {
        // `call=<tool>:<input>`
        const [name = '', ...input] = argument.split(':');
        if (output) return json(response, 200, completion(model, { content: `It said: ${output}` }));
        return json(response, 200, calling(model, name, decodeURIComponent(input.join(':')) || '{}'));
      }
      case 'promise':
        return json(response, 200, completion(model, { content: 'I have cancelled your order.' }));
      case 'promise-once': {
        const isTold = messages.some((message) => wordsOf(message).includes('this was not sent'));
        const content = isTold ? 'I cannot cancel it myself.' : 'I have cancelled your order.';
        return json(response, 200, completion(model, { content }));
      }
      default:
        return json(response, 404, { error: { message: 'no such model' } });
    }
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1`, requests, stop: () => closed(server) };
}

/** What words mean, as far as this server knows: words of a line are the same to it. */
const meanings = [
  ['refund', 'money', 'reimburse', 'paid'],
  ['deliver', 'ship', 'parcel', 'arrive'],
  ['open', 'hours', 'saturday', 'closed'],
  ['warranty', 'broken', 'repair', 'guarantee'],
];

/** Vectors of texts: a number for each meaning, and a small one for all else. The name of the model says how it behaves. */
async function embed(request: IncomingMessage, response: ServerResponse, failed: Set<string>): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { model, input } = JSON.parse(Buffer.concat(chunks).toString()) as { model: string; input: string[] };
  const [behaviour = '', argument = ''] = (model.split('#')[0] ?? '').split('=');
  if (behaviour === 'status') return json(response, Number(argument), { error: { message: 'no' } });
  if (behaviour === 'silent') return;
  if (behaviour === 'fail-once' && !failed.has(model)) {
    failed.add(model);
    return json(response, 500, { error: { message: 'try again' } });
  }
  const length = behaviour === 'dimensions' ? Number(argument) : meanings.length + 1;
  const vectorOf = (text: string) => {
    const vector: number[] = meanings.map((words) =>
      words.some((word) => text.toLowerCase().includes(word)) ? 1 : 0,
    );
    return [...vector, 0.1, ...new Array(Math.max(0, length - meanings.length - 1)).fill(0)].slice(0, length);
  };
  const data = input.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text) }));
  json(response, 200, { object: 'list', data, model, usage: { prompt_tokens: 1, total_tokens: 1 } });
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify(body));
}

/** Pages that assistants read. */
function page(url: URL, response: ServerResponse): void {
  const { origin } = url;
  const host = response.req.headers.host ?? '';
  if (url.pathname === '/page/sitemap.xml') {
    response.writeHead(200, { 'Content-Type': 'application/xml' });
    const pages = ['delivery', 'returns', 'gone'].map(
      (name) => `<url><loc>http://${host}/page/${name}</loc></url>`,
    );
    response.end(
      `<?xml version="1.0"?><urlset>${pages.join('')}<url><loc>http://other.example/x</loc></url></urlset>`,
    );
    return;
  }
  const pages: Record<string, string> = {
    '/page/delivery': `<html><head><title>Delivery &amp; shipping</title><style>p{}</style></head><body><nav>Home Shop</nav>
      <h1>Delivery</h1><p>Lamps arrive within <b>three</b> working days.</p><h2>Islands</h2><p>To islands it takes a week.</p>
      <script>alert('x')</script><ul><li>Tracking is included</li></ul><footer>Imprint</footer></body></html>`,
    '/page/held': '<title>Held</title><p>It took a while.</p>',
    '/page/returns': '<title>Returns</title><p>Send a lamp back within 30 days.</p>',
  };
  const html = pages[url.pathname];
  if (html === undefined) {
    response.writeHead(404);
    response.end(origin);
    return;
  }
  response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' });
  response.end(html);
}

const closed = (server: Server) =>
  new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
