import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { NumberDownFrame, NumberFact } from '../../../../src/contract/bridge/bridge-frames.ts';
import type { Fact } from '../../../../src/durable/event-log/facts.ts';
import { FactIntake } from '../../../../src/durable/phone-number/bridge/fact-intake.ts';
import type { Device } from '../../../../src/durable/phone-number/device/device.ts';
import type { NumberParts } from '../../../../src/durable/phone-number/number-parts.ts';
import { connected, NumberLife, now } from './number-life.ts';

const at = new Date(now).toISOString();
/** The waits before the calls of a log that does not answer. */
let waits: number[];

beforeEach(() => {
  waits = [];
  vi.stubGlobal('scheduler', { wait: async (ms: number) => void waits.push(ms) });
});

afterEach(() => {
  vi.unstubAllGlobals();
});

/** The bridge's end of a link: what it hears, and how it was closed. */
class Link {
  readonly heard: NumberDownFrame[] = [];
  closed: string | null = null;
  readonly readyState = WebSocket.OPEN;
  #identity: object;
  #seq = 0;

  constructor(isReportOnly = false) {
    const bridge = { epoch: 1, leasedTo: 'bridge', bridgeId: 'bridge', version: 11 };
    this.#identity = { ...bridge, readyAt: now, linkId: 'link', isReportOnly, openedAt: now };
  }

  fact(fact: NumberFact, after = this.#seq): string {
    this.#seq += 1;
    return JSON.stringify({ type: 'fact', seq: this.#seq, after, fact });
  }

  send = (json: string) => void this.heard.push(JSON.parse(json));
  close = (_code: number, reason: string) => {
    this.closed = reason;
  };
  serializeAttachment = (identity: object) => {
    this.#identity = identity;
  };
  deserializeAttachment = () => this.#identity;

  /** The numbers of the facts that were acknowledged, and those that were refused with why. */
  get answers(): (number | string)[] {
    return this.heard.flatMap((frame): (number | string)[] => {
      if (frame.type === 'fact.ack') return [frame.seq];
      return frame.type === 'fact.refused' ? [`${frame.seq} ${frame.reason}`] : [];
    });
  }
}

/** A number that takes facts, and a log that takes what the test lets it. */
function taking(start: Partial<Device> = {}) {
  const life = new NumberLife();
  let device: Device = { ...connected, ...start };
  const calls: Fact[][] = [];
  const did: string[] = [];
  const log = {
    take: async (facts: readonly Fact[]): Promise<{ taken: number }> => ({ taken: facts.length }),
    waiting: 0,
    flush: async () => {
      log.waiting = 0;
    },
  };
  const phone = { claim: async () => true };
  const vault = new Map<string, string | null>();
  const reload = () => {};
  const parts = {
    ...{ queue: life.queue, dispatch: life.dispatch, health: life.health, pace: life.pace },
    ...{ returns: life.returns, notes: life.notes },
    device: {
      get known() {
        return device;
      },
      change: (next: Device) => {
        device = next;
      },
      reload,
    },
    outbox: {
      get isEmpty() {
        return log.waiting === 0;
      },
      flush: () => log.flush(),
      add: (facts: Fact[]) => did.push(...facts.map(({ kind }) => kind)),
      reload,
    },
    tellLog: (_accountId: string, facts: readonly Fact[]) => {
      calls.push([...facts]);
      return log.take(facts);
    },
    claimPhone: () => phone.claim(),
    vault: {
      put: (entries: { key: string; sealed: string | null }[]) => {
        for (const { key, sealed } of entries) {
          if (key === 'no room') throw new Error('no room');
          vault.set(key, sealed);
        }
      },
      get: (keys: string[]) => keys.map((key) => ({ key, sealed: vault.get(key) ?? null })),
      clear: () => did.push('vault is empty'),
    },
    groups: {
      isAdminsDeletion: () => false,
      holdDeletion: () => {},
      noteMissed: () => did.push('groups are asked for'),
      notePaired: (isOther: boolean) => did.push(isOther ? 'another phone' : 'the same phone'),
    },
    inboundMedia: {
      hold: () => {},
      settle: (mediaId: string) => did.push(`file ${mediaId}`),
      tellFirst: (ids: Set<string>) => did.push(`first: ${[...ids]}`),
      reload,
    },
    batches: { reload },
    news: { reload },
    housekeeping: { reload },
    queries: { answered: (id: number) => did.push(`answer ${id}`) },
  } as unknown as NumberParts;
  const intake = new FactIntake(parts, {
    storage: life.storage,
    instruct: async () => void did.push('bridge is told'),
    onTaken: () => {},
    onSessionOver: () => did.push('lease goes back'),
  });
  const receive = (link: Link, ...frames: string[]) =>
    Promise.all(frames.map((frame) => intake.receive(link as unknown as WebSocket, frame)));
  const tell = (link: Link, ...facts: NumberFact[]) => receive(link, ...facts.map((fact) => link.fact(fact)));
  return { life, calls, did, log, phone, vault, receive, tell, device: () => device };
}

const callsOf = (count: number): NumberFact => ({
  type: 'calls',
  items: Array.from({ length: count }, (_, index) => ({
    ...{ callId: `C${index}`, at, from: '628555555555', isVideo: false, isGroup: false },
  })),
});
const wrote = (providerMessageId: string, more: object = {}): NumberFact => ({
  type: 'inbound',
  items: [
    {
      ...{ providerMessageId, at, chatType: 'personal', from: '628555555555', pushName: '' },
      content: { type: 'text', text: 'hello' },
      ...more,
    },
  ],
});
const keys = (key = 'creds'): NumberFact => ({
  type: 'vault.put',
  entries: [{ key, sealed: btoa('sealed') }],
});
const linked: NumberFact = { type: 'session.connected', phoneNumber: '628123456789', at };

test('facts about messages go to the log together, a hundred in a call at most, and the last one is acknowledged', async () => {
  const { calls, tell } = taking();
  const link = new Link();
  await tell(link, callsOf(1), callsOf(60), callsOf(40), callsOf(1), callsOf(1));
  expect(calls.map(({ length }) => length)).toEqual([1, 100, 2]);
  expect(link.answers).toEqual([1, 3, 5]);
});

test('facts of two links are told in calls of their own, each acknowledged over its link', async () => {
  const { calls, tell } = taking();
  const [link, earlier] = [new Link(), new Link(true)];
  await Promise.all([tell(link, callsOf(1), callsOf(1)), tell(earlier, callsOf(1))]);
  expect([calls.map(({ length }) => length), link.answers, earlier.answers]).toEqual([
    [1, 1, 1],
    [1, 2],
    [1],
  ]);
});

test('a fact about keys is stored behind the messages that were told before it, and before those behind it', async () => {
  const { calls, log, vault, tell } = taking();
  const link = new Link();
  const known: boolean[] = [];
  log.take = async (facts) => {
    known.push(vault.has('creds'));
    return { taken: facts.length };
  };
  await tell(link, callsOf(1), keys(), callsOf(1));
  expect([known, calls.length, link.answers]).toEqual([[false, true], 2, [1, 2, 3]]);
});

test('a log that takes a part is told the rest, and one that does not answer is asked again, each time later', async () => {
  const { calls, log, tell } = taking();
  const link = new Link();
  let attempts = 0;
  log.take = async (facts) => {
    attempts += 1;
    if (attempts === 1) return { taken: 2 };
    if (attempts < 4) throw new Error('no answer');
    return { taken: facts.length };
  };
  await tell(link, callsOf(5));
  expect(calls.map(({ length }) => length)).toEqual([5, 3, 5, 5]);
  expect([waits, link.answers]).toEqual([[500, 1_000], [1]]);
});

test('a log that never answers, or takes nothing, ends the link, and what waits on it is said again over the next', async () => {
  for (const take of [async () => ({ taken: 0 }), () => Promise.reject(new Error('no answer'))]) {
    waits = [];
    const { calls, log, tell } = taking();
    const link = new Link();
    log.take = take;
    await tell(link, callsOf(1), callsOf(1));
    expect([calls.length, waits]).toEqual([8, [500, 1_000, 2_000, 4_000, 5_000, 5_000, 5_000]]);
    expect([link.closed, link.answers]).toEqual(['the log did not answer', []]);
    log.take = async (facts: readonly Fact[] = []) => ({ taken: facts.length });
    const next = new Link();
    await tell(next, callsOf(1));
    expect([next.closed, next.answers]).toEqual([null, [1]]);
  }
});

test('what the number itself has to tell goes to the log before what the network says', async () => {
  const { calls, log, tell } = taking();
  const link = new Link();
  log.waiting = 1;
  let flushes = 0;
  log.flush = async () => {
    flushes += 1;
    if (flushes > 1) log.waiting = 0;
  };
  await tell(link, callsOf(1));
  expect([flushes, calls.length, waits, link.answers]).toEqual([2, 1, [500], [1]]);
});

test('what is done to a message that waits for its file is told behind it, in another call', async () => {
  const { calls, did, tell } = taking();
  const media = { mediaId: crypto.randomUUID(), mimetype: 'image/jpeg', bytes: 5, sha256: 'ab'.repeat(32) };
  const source = { directPath: '/v/x', mediaKey: btoa('k'.repeat(32)), encSha256: btoa('e'.repeat(32)) };
  const picture = wrote('IN1', {
    content: { type: 'image', media: { ...media, status: 'pending', source } },
  });
  const target = { providerMessageId: 'IN1', isOwn: false };
  const change = {
    change: 'deleted',
    at,
    chat: '628555555555',
    chatType: 'personal',
    from: '628555555555',
  };
  const changes = { type: 'changes', items: [{ ...change, target }] } as unknown as NumberFact;
  const link = new Link();
  await tell(link, callsOf(1), picture, changes);
  expect(link.answers.filter((answer) => typeof answer === 'string')).toEqual([]);
  expect([calls.map(([fact]) => fact?.kind), did]).toEqual([
    ['call.received', 'message.changed'],
    ['first: IN1'],
  ]);
});

test('facts that cannot be stored go back to the bridge, and hold up nothing', async () => {
  const { vault, tell } = taking();
  const link = new Link();
  await tell(link, keys('no room'), keys());
  expect([link.answers, vault.size]).toEqual([['1 not_stored', 2], 1]);
});

test('of facts that were told together only the one that cannot be stored goes back', async () => {
  const { life, tell } = taking();
  const link = new Link();
  const add = life.notes.add.bind(life.notes);
  vi.spyOn(life.notes, 'add').mockImplementation((note) => {
    if (note.kind === 'inbound' && note.from === '628666666666') throw new Error('no room');
    add(note);
  });
  await tell(link, callsOf(1), wrote('IN1'), wrote('IN2', { from: '628666666666' }), wrote('IN3'));
  expect(link.answers).toEqual([1, 2, '3 not_stored', 4]);
  expect(life.notes.first(10)).toHaveLength(2);
});

test('a bridge of an earlier lease tells of messages, and nothing of the session, its keys or its groups', async () => {
  const { calls, did, vault, tell, device } = taking();
  const link = new Link(true);
  const participants = [{ phoneNumber: '628111222333' }];
  const notice: NumberFact = {
    ...{ type: 'group.notice', noticeId: 'N1', groupId: '120363000000000042@g.us', at },
    changes: [{ kind: 'participants', action: 'add', participants }],
  };
  const ended: NumberFact = { type: 'session.ended', reason: 'banned', at };
  await tell(link, callsOf(1), keys(), ended, notice);
  expect(link.answers).toEqual([1, '2 report_only', '3 report_only', '4 report_only']);
  expect([calls.length, vault.size, device().state, did]).toEqual([
    1,
    0,
    'connected',
    ['groups are asked for'],
  ]);
});

test('a phone that links the device is claimed, and logged out again where another number has it', async () => {
  const pairing = { state: 'pairing', desired: 'pair' } as const;
  const free = taking(pairing);
  await free.tell(new Link(), linked);
  expect([free.device().state, free.device().desired, free.did]).toEqual([
    'connected',
    'run',
    ['another phone'],
  ]);
  const taken = taking(pairing);
  taken.phone.claim = async () => false;
  const link = new Link();
  await taken.tell(link, linked);
  expect([taken.device().state, taken.device().desired]).toEqual(['unpaired', 'logout']);
  expect([taken.did, link.answers]).toEqual([['bridge is told'], [1]]);
  const unanswered = taking(pairing);
  unanswered.phone.claim = () => Promise.reject(new Error('no answer'));
  const other = new Link();
  await unanswered.tell(other, linked, keys());
  expect([unanswered.device().state, other.closed, other.answers]).toEqual([
    'pairing',
    'the account did not answer',
    [],
  ]);
});

test('a session that has ended gives its lease back, and its keys go unless it is banned', async () => {
  for (const [reason, gone] of [
    ['banned', []],
    ['logged_out_by_phone', ['vault is empty']],
  ] as const) {
    const { did, tell } = taking();
    await tell(new Link(), { type: 'session.ended', reason, at });
    expect(did).toEqual([...gone, 'lease goes back']);
  }
});

test('what is told of files, contacts and restrictions of the network comes where it belongs', async () => {
  const { did, life, tell } = taking();
  const mediaId = crypto.randomUUID();
  await tell(
    new Link(),
    { type: 'media.fetched', mediaId, file: null },
    { type: 'contacts.listed', at, contacts: [{ phoneNumber: '628555555555', name: 'Budi' }] } as NumberFact,
    { type: 'network.restriction', isActive: true, until: null },
  );
  expect(did).toEqual([`file ${mediaId}`, 'contacts.listed']);
  expect(life.health.at(Date.now()).restriction).not.toBeNull();
});

test('a repeat is acknowledged again, and a fact behind one that is missing waits for that', async () => {
  const { calls, receive } = taking();
  const link = new Link();
  const first = link.fact(callsOf(1), 0);
  link.fact(callsOf(1), 1);
  const third = link.fact(callsOf(1), 2);
  await receive(link, first, third, first);
  await receive(link, first);
  expect([calls.length, link.answers]).toEqual([1, [1, 1]]);
});

test('a fact with a wrong content goes back, and what is no frame ends the link', async () => {
  const { receive } = taking();
  const link = new Link();
  await receive(
    link,
    JSON.stringify({ type: 'fact', seq: 1, after: 0, fact: { type: 'calls', items: 'none' } }),
  );
  expect([link.answers, link.closed]).toEqual([['1 invalid'], null]);
  await receive(link, 'no frame');
  expect(link.closed).toBe('a frame is JSON');
});

test('who asks for keys, or answers a question, is behind the facts that were told before', async () => {
  const { did, log, receive, tell } = taking();
  const link = new Link();
  const { promise, resolve } = Promise.withResolvers<{ taken: number }>();
  log.take = () => promise;
  const told = tell(link, callsOf(1), keys());
  const asked = receive(
    link,
    JSON.stringify({ type: 'vault.get', requestId: 1, keys: ['creds'] }),
    JSON.stringify({ type: 'query.result', queryId: 7, answer: {} }),
  );
  await Promise.resolve();
  expect([link.heard, did]).toEqual([[], []]);
  resolve({ taken: 1 });
  await Promise.all([told, asked]);
  expect(link.heard.map(({ type }) => type)).toEqual(['fact.ack', 'fact.ack', 'vault.entries']);
  expect(link.heard.at(-1)).toMatchObject({ entries: [{ key: 'creds', sealed: btoa('sealed') }] });
  expect(did).toEqual(['answer 7']);
});
