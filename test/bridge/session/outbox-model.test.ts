import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { OutboundMessage } from '../../../src/contract/bridge/bridge-frames.ts';
import {
  HandOverError,
  type NetworkConnection,
} from '../../../src/session-bridge/network/connection/connection.ts';
import {
  connection,
  crash,
  graceMs,
  makeMessage,
  openOutbox,
  reports,
  settle,
  stage,
  useOutbox,
} from './outbox-stage.ts';

useOutbox();

interface Deed {
  do: 'accept' | 'open' | 'lose' | 'crash' | 'receipts' | 'wait' | 'answer';
  ms: number;
  which: number;
  code: string | null;
}

const deeds = fc.array(
  fc.record<Deed>({
    do: fc.constantFrom('accept', 'accept', 'open', 'lose', 'crash', 'receipts', 'wait', 'answer', 'answer'),
    ms: fc.constantFrom(0, 20, graceMs, 20_000),
    which: fc.nat(5),
    code: fc.constantFrom(null, null, '463', '500'),
  }),
  { maxLength: 30 },
);
const fates = fc.infiniteStream(
  fc.constantFrom(
    'arrives',
    'arrives',
    'arrives',
    'vanishes',
    'breaks off',
    'unprepared',
    'unconnected',
    'limited',
  ),
);

/** A network that knows what it has, an edge that hands everything over again after each loss, and chance between them. */
test('whatever happens in whatever order, nothing that the network has is given back, and everything ends', async () => {
  await fc.assert(
    fc.asyncProperty(deeds, fates, fc.boolean(), async (sequence, fate, mayGoOn) => {
      const accepted: OutboundMessage[] = [];
      const atNetwork = new Set<string>();
      const before = reports().length;
      const settledIds = () =>
        new Map(
          reports()
            .slice(before)
            .map((outcome) => [outcome.messageId, outcome]),
        );
      let fatesHold = true;
      stage.chance = mayGoOn ? Promise.resolve(true) : null;
      const fickle: NetworkConnection = {
        ...connection,
        send: async ({ providerMessageId }) => {
          await Promise.resolve();
          const next = fatesHold ? fate.next().value : 'arrives';
          if (next === 'arrives') atNetwork.add(providerMessageId);
          else if (next === 'breaks off') {
            if (providerMessageId.length % 2) atNetwork.add(providerMessageId);
            throw new HandOverError(new Error(next), 'uncertain');
          } else if (next !== 'vanishes')
            throw new HandOverError(new Error(next), next as HandOverError['kind']);
        },
      };
      const handOpen = () => {
        const settled = settledIds();
        stage.outbox.accept(
          accepted
            .filter(
              ({ messageId }) =>
                settled.get(messageId)?.outcome !== 'sent' && settled.get(messageId)?.outcome !== 'failed',
            )
            .map((message) => {
              const end = settled.get(message.messageId);
              const wasReturned = end?.outcome === 'returned' && end.handOver === message.handOver;
              message.handOver += 1;
              message.handedTo = wasReturned ? null : 'you';
              return { ...message };
            }),
        );
      };
      const open = () => {
        stage.outbox.expectConnection();
        stage.outbox.opened(fickle);
        handOpen();
      };
      for (const deed of sequence) {
        if (deed.do === 'accept') {
          const message = makeMessage();
          accepted.push(message);
          stage.outbox.accept([{ ...message }]);
        } else if (deed.do === 'open') open();
        else if (deed.do === 'lose') stage.outbox.lost();
        else if (deed.do === 'crash') crash();
        else if (deed.do === 'receipts') stage.outbox.caughtUp();
        else if (deed.do === 'wait') await settle(deed.ms);
        else {
          const asked = accepted[deed.which];
          // The network refuses what it has not taken, and acknowledges what it has.
          if (asked && (deed.code === null) === atNetwork.has(asked.providerMessageId)) {
            if (deed.code !== null) atNetwork.delete(asked.providerMessageId);
            stage.outbox.acknowledged(asked.providerMessageId, deed.code);
          }
        }
        await settle();
        for (const { messageId, providerMessageId, handOver } of accepted) {
          const end = settledIds().get(messageId);
          const isBack = end?.outcome === 'returned' && end.handOver === handOver;
          if (isBack) expect(atNetwork.has(providerMessageId)).toBe(false);
        }
      }
      fatesHold = false;
      for (let login = 0; login < 8; login += 1) {
        stage.outbox.lost();
        open();
        stage.outbox.caughtUp();
        await settle(60 * 60_000);
        for (const id of atNetwork) stage.outbox.acknowledged(id, null);
        await settle();
      }
      const ends = settledIds();
      for (const { messageId, providerMessageId } of accepted) {
        const end = ends.get(messageId);
        expect(end?.outcome).toMatch(/^(sent|failed)$/);
        if (end?.outcome === 'sent') expect(atNetwork.has(providerMessageId)).toBe(true);
        if (end?.outcome === 'failed' && end.code === null)
          expect(atNetwork.has(providerMessageId)).toBe(false);
      }
      stage.outbox.dispose();
      stage.db.close();
      openOutbox();
    }),
    { numRuns: 60 },
  );
});
