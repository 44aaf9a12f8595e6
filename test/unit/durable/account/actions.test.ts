import { expect, test } from 'vitest';
import { Actions } from '../../../../src/durable/account/admission/actions.ts';
import type { ConfigurationSource } from '../../../../src/durable/account/configuration/configuration-source.ts';
import type { Backlog } from '../../../../src/durable/account/outbox/backlog.ts';
import type { Placement } from '../../../../src/durable/account/outbox/placement.ts';
import type { AcceptedMessage } from '../../../../src/durable/hand-over/message-batch.ts';

const hourMs = 3_600_000;

test('what is done to a message waits as long as the network takes it, and no longer than a message would', async () => {
  const put: AcceptedMessage[] = [];
  const actions = new Actions({
    configuration: {
      current: async () => ({ senders: new Map([['number', {}]]) }),
    } as unknown as ConfigurationSource,
    placement: {
      putAction: (message: AcceptedMessage) => put.push(message),
      finish: () => {},
    } as unknown as Placement,
    backlog: { hasDeletionOf: () => false } as unknown as Backlog,
    numberOf: () => ({ hasDeletionOf: async () => false }),
    isDeleted: async () => false,
    change: (work) => work(),
    messageLifetimeMs: 24 * hourMs,
  });
  const accept = async (waitsMs: number | null) => {
    const before = Date.now();
    const until = waitsMs === null ? null : before + waitsMs;
    const target = { providerMessageId: '3EB0AA', isOwn: true };
    const action = { type: 'reaction' as const, targetId: 'msg_1', emoji: '👍', target };
    const asked = { numberId: 'number', to: '628111222333', chatType: 'personal' as const, action, until };
    const accepted = await actions.accept(asked);
    if (!accepted.ok) throw new Error(accepted.message);
    return { before, acceptedAt: accepted.acceptedAt, expiresAt: put.at(-1)?.expiresAt };
  };
  const soon = await accept(hourMs);
  expect(soon.expiresAt).toBe(soon.before + hourMs);
  for (const waitsMs of [60 * hourMs, null]) {
    const { acceptedAt, expiresAt } = await accept(waitsMs);
    expect(expiresAt).toBe(acceptedAt + 24 * hourMs);
  }
});

/** Actions over a backlog, a number and a log as a test has them. */
function actionsOver({
  backlog,
  hasDeletionOf,
  isDeleted = async () => false,
}: {
  backlog: Pick<Backlog, 'hasDeletionOf' | 'deletionsCome'>;
  hasDeletionOf: () => Promise<boolean>;
  isDeleted?: () => Promise<boolean>;
}) {
  const actions = new Actions({
    configuration: {
      current: async () => ({ senders: new Map([['number', {}]]) }),
    } as unknown as ConfigurationSource,
    placement: { putAction: () => {}, finish: () => {} } as unknown as Placement,
    backlog: backlog as Backlog,
    numberOf: () => ({ hasDeletionOf }),
    isDeleted,
    change: (work) => work(),
    messageLifetimeMs: 24 * hourMs,
  });
  return () =>
    actions.accept({
      ...{ numberId: 'number', to: '628111222333', chatType: 'personal', until: null },
      action: {
        ...{ type: 'edit', targetId: 'msg_1', text: 'better' },
        target: { providerMessageId: '3EB0AA', isOwn: true },
      },
    });
}

const taken = { ok: false, code: 'CONFLICT', message: 'The message is being deleted.' };

test('nothing follows a deletion that its number gives back just when it is asked for it', async () => {
  const backlog = { deletionsCome: 0, isHere: false, hasDeletionOf: () => backlog.isHere };
  const edit = actionsOver({
    backlog,
    hasDeletionOf: async () => {
      backlog.isHere = true;
      backlog.deletionsCome += 1;
      return false;
    },
  });
  expect(await edit()).toEqual(taken);
});

test('nothing follows a deletion that comes, and is handed on, while the log is asked about an earlier one', async () => {
  const backlog = { deletionsCome: 0, hasDeletionOf: () => false };
  let isAtNumber = false;
  const edit = actionsOver({
    backlog,
    hasDeletionOf: async () => isAtNumber,
    isDeleted: async () => {
      if (!isAtNumber) backlog.deletionsCome += 1;
      isAtNumber = true;
      return false;
    },
  });
  expect(await edit()).toEqual(taken);
});

test('a deletion of another message that comes meanwhile keeps nobody from a change', async () => {
  const backlog = { deletionsCome: 0, hasDeletionOf: () => false };
  let asked = 0;
  const edit = actionsOver({
    backlog,
    hasDeletionOf: async () => {
      asked += 1;
      if (asked === 1) backlog.deletionsCome += 1;
      return false;
    },
  });
  expect(await edit()).toMatchObject({ ok: true });
  expect(asked).toBe(2);
});

test('a number that does not answer keeps nobody from a change of a message that is there', async () => {
  const actions = new Actions({
    configuration: {
      current: async () => ({ senders: new Map([['number', {}]]) }),
    } as unknown as ConfigurationSource,
    placement: { putAction: () => {}, finish: () => {} } as unknown as Placement,
    backlog: { hasDeletionOf: () => false } as unknown as Backlog,
    numberOf: () => ({ hasDeletionOf: () => Promise.reject(new Error('it does not answer')) }),
    isDeleted: async (messageId) => messageId === 'msg_2',
    change: (work) => work(),
    messageLifetimeMs: 24 * hourMs,
  });
  const reactTo = (targetId: string, isOwn = true) =>
    actions.accept({
      ...{ numberId: 'number', to: '628111222333', chatType: 'personal', until: null },
      action: {
        ...{ type: 'reaction', targetId, emoji: '👍' },
        target: { providerMessageId: '3EB0AA', isOwn },
      },
    });
  expect(await reactTo('msg_1')).toMatchObject({ ok: true });
  expect(await reactTo('msg_2')).toMatchObject({ ok: false, code: 'CONFLICT' });
  // Only its author can take back a message of somebody else: nobody is asked for that.
  expect(await reactTo('msg_2', false)).toMatchObject({ ok: true });
});
