import { expect, test } from 'vitest';
import { leaseTimes } from '../../../src/contract/bridge/bridge-frames.ts';
import { waitUntil } from '../../wait-until.ts';
import { newPhone, Stage } from '../stage.ts';

const stage = Stage.open();

/** Leaves the pings of all bridges without an answer, until their leases have run out. */
async function silence(): Promise<void> {
  stage.edge.answersPings = false;
  const overAt = performance.now() + leaseTimes.validMs;
  await waitUntil('The leases did not run out', async () => (performance.now() > overAt ? true : null));
}

test('nothing leaves for the network while the lease is not certain, and all of it afterwards, once', async () => {
  const { bridgeId } = await stage.startBridge(await stage.newHome());
  const { number, phone } = await stage.pairedNumber(bridgeId);
  const recipient = newPhone();
  await silence();
  const [message] = number.send({ to: recipient, text: 'held back' });
  if (!message) throw new Error('nothing was sent');
  // What the phone of the recipient writes meanwhile is taken, and the network is not told yet.
  await stage.admin('POST', `phones/${recipient}/messages`, { to: phone, text: 'from outside' });
  await stage.edge.until('it came in', () => number.inbound().length > 0);
  expect(await stage.arrivalsAt(recipient)).toEqual([]);
  expect(number.outcomeOf(message)).toBeUndefined();
  stage.edge.answersPings = true;
  await stage.edge.until('the message was sent', () => number.outcomeOf(message));
  expect(await stage.arrivalsAt(recipient)).toMatchObject([{ text: 'held back', count: 1 }]);
  expect(number.inbound()).toHaveLength(1);
});

test('of a lease that has expired nothing more leaves; what never left goes out through the bridge that has it next', async () => {
  const { bridgeId } = await stage.startBridge(await stage.newHome());
  const { number } = await stage.pairedNumber(bridgeId);
  const recipient = newPhone();
  await silence();
  const [message] = number.send({ to: recipient, text: 'never left' });
  if (!message) throw new Error('nothing was sent');
  const { numberId, epoch } = number;
  stage.edge.controlSend(bridgeId, { type: 'lease.expired', numberId, epoch });
  await stage.edge.until('the bridge gives it up', () =>
    stage.edge.controlFrames.some(
      ({ frame }) => frame.type === 'lease.released' && frame.numberId === numberId,
    ),
  );
  stage.edge.answersPings = true;
  const other = await stage.startBridge(await stage.newHome());
  stage.edge.grant(number, other.bridgeId);
  await stage.edge.until('the other bridge sends it', () => number.outcomeOf(message));
  expect(await stage.arrivalsAt(recipient)).toMatchObject([{ text: 'never left', count: 1 }]);
});
