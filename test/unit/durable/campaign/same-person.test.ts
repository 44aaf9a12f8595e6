import { describe, expect, test } from 'vitest';
import { previewOf } from '../../../../src/durable/campaign/preview.ts';
import { CampaignStage } from './campaign-stage.ts';

describe('somebody who is a recipient under two forms of their phone number', () => {
  const withNine = '5511987654321';
  const without = '551187654321';
  /** Two recipients with these digits, and a third who is somebody else. */
  const stageOf = (first: string, second: string) => {
    const stage = new CampaignStage(3);
    const digits = [first, second, '628123456789'];
    for (const [index, member] of stage.gateway.members.entries()) {
      Object.assign(member, { phoneNumber: digits[index], lid: null });
    }
    stage.controls.start(stage.now);
    return stage;
  };
  const skippedOf = (stage: CampaignStage) =>
    stage.run.rows
      .page({ status: 'skipped' }, 10, null)
      .recipients.map(({ id, reason }) => [`${id}`, reason]);

  test.each([
    ['the network tells that only once it is asked', '5411987654321', '54119876543210'],
    ['nobody could ask the network: Brazil', withNine, without],
    ['nobody could ask the network: Mexico', '5215512345678', '525512345678'],
    ['nobody could ask the network: Benin', '22997123456', '2290197123456'],
  ])('gets the message once, where %s', async (how, first, second) => {
    const stage = stageOf(first, second);
    if (how.startsWith('the network')) stage.gateway.network.set(first, second);
    await stage.runToEnd();
    expect(stage.gateway.messages).toHaveLength(2);
    expect(stage.counts).toMatchObject({ recipients: 3, sent: 2, skipped: 1 });
    expect(skippedOf(stage)).toEqual([[expect.toBeOneOf([first, second]), 'same_person']]);
    expect(stage.store.known.progress.tally).toEqual(stage.recounted);
  });

  test('has answered, and got it, whichever form is told of', async () => {
    const stage = stageOf(withNine, without);
    stage.gateway.network.set(withNine, without);
    await stage.tickUntil(() => stage.gateway.messages.length === 2);
    for (const _ of ['sent', 'delivered']) {
      stage.gateway.advance(() => 'go');
      await stage.tick(900_000);
    }
    expect(stage.counts).toMatchObject({ delivered: 2, skipped: 1 });
    const to = [withNine, without].find((digits) => stage.gateway.sentTo(digits).length > 0) ?? '';
    const other = to === withNine ? without : withNine;
    stage.gateway.write(other, 'Yes', stage.gateway.sentTo(to)[0]?.numberId ?? '');
    await stage.tick(900_000);
    expect(stage.counts).toMatchObject({ replied: 1 });
  });

  test('gets it under the other form where the network does not have the first', async () => {
    const stage = stageOf(withNine, without);
    stage.gateway.missing.add(without);
    await stage.runToEnd();
    expect(stage.gateway.sentTo(withNine)).toHaveLength(1);
    expect(skippedOf(stage)).toEqual([[without, 'not_on_network']]);
  });

  test('gets it under the other form where the first has certainly failed, and no second one when that is tried again', async () => {
    const stage = stageOf(withNine, without);
    Object.assign(stage.gateway.numbers[0] ?? {}, { perMinute: 30 });
    stage.gateway.numbers.splice(1);
    await stage.tickUntil(() => stage.gateway.messages.length === 1);
    stage.gateway.failFor('network_500', stage.gateway.messages[0]);
    await stage.runToEnd();
    expect(stage.counts).toMatchObject({ sent: 2, failed: 1, skipped: 0 });
    stage.controls.retryFailed(stage.now);
    await stage.runToEnd();
    expect(stage.counts).toMatchObject({ sent: 2, failed: 0, skipped: 1 });
    expect(stage.gateway.messages).toHaveLength(3);
  });

  test('is named in the preview', async () => {
    const { gateway, store, now } = stageOf(withNine, without);
    const preview = await previewOf(store.known.definition, gateway.ports, now);
    expect(preview).toMatchObject({ recipients: 3, willGet: 2, skipped: { same_person: 1 } });
  });
});
