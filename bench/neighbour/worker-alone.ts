/** What the account answers to a send, as the Worker sees it. */
const taken = {
  ok: true,
  limits: ['key', 'account'].map((name) => ({
    name,
    remaining: 59,
    resetSeconds: 1,
    quota: 60,
    windowSeconds: 1,
  })),
  answer: {
    messageId: 'msg_01a1fdeb-30b9-7082-b737-6a5d381b1b7b',
    status: 'queued',
    numberId: '01a1fdea-8a6a-71f8-bd50-f97b0fa8eb9e',
    to: '628123456789',
    chatType: 'personal',
    messageType: 'text',
    queuedAt: '2026-01-31T09:30:00.123Z',
  },
  sender: {
    keyId: '01a1fdea-8a6a-71f8-bd50-f97b0fa8eb9f',
    numberId: '01a1fdea-8a6a-71f8-bd50-f97b0fa8eb9e',
    source: 'pinned',
  },
  replayed: false,
};

interface Handler {
  fetch(request: Request, env: object, context: unknown): Promise<Response> | Response;
}

/**
 * The built Worker without its objects: every send is taken on the spot. What is left of a send is what the Worker does
 * for it before and behind the call of the account: routing, key, body, validation, answer, headers, log line.
 */
export function workerAlone(product: { default: Handler }): Handler {
  const account = { send: async () => taken };
  const objects = { ACCOUNT: { getByName: () => account } };
  // One for all requests, as the runtime's: the Worker keeps what it has read of its settings by it.
  let own: object | null = null;
  return {
    fetch: (request, env, context) => {
      own ??= { ...env, ...objects };
      return product.default.fetch(request, own, context);
    },
  };
}
