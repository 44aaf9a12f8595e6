import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { release } from '../../../src/contract/release.ts';
import { waitUntil } from '../../wait-until.ts';
import { FleetJourney } from './fleet-journey.ts';
import { OwnBridge } from './own-bridge.ts';

const bridges = 3;
const numbers = 6;
const messagesEach = 30;
const run = promisify(execFile);

let journey: FleetJourney;

beforeAll(async () => {
  journey = await FleetJourney.start({ BRIDGES: String(bridges) });
});

afterEach(() => journey?.leave());
afterAll(() => journey?.gateway.discard());

describe('with three bridges', () => {
  test('local.json names each with its process, and its numbers are spread over them', async () => {
    await journey.joinWithNumbers(numbers);
    const named = journey.gateway.local.bridges;
    expect(named).toHaveLength(bridges);
    expect(new Set(named.map(({ pid }) => pid)).size).toBe(bridges);
    const known = await journey.bridges();
    expect(known.map(({ bridgeId }) => bridgeId).toSorted()).toEqual(
      named.map(({ bridgeId }) => bridgeId).toSorted(),
    );
    for (const bridge of known) expect(bridge).toMatchObject({ state: 'linked', numbers: 2 });
  });

  test('a bridge that is killed loses no message, whoever has its numbers afterwards', async () => {
    const phones = await journey.joinWithNumbers(numbers);
    const killed = journey.gateway.local.bridges[2];
    if (!killed) throw new Error('there is no third bridge');
    const replies: string[] = [];
    const messages = await journey.customer.sendMany(messagesEach, {
      accepted: messagesEach / 3,
      run: async () => {
        process.kill(killed.pid, 'SIGKILL');
        replies.push(...(await journey.replyToAll(phones)));
      },
    });
    replies.push(...(await journey.replyToAll(phones)));
    await journey.expectPromisesKept(messages, replies);
    await waitUntil('local.json does not name the new process', async () =>
      journey.gateway.local.bridges[2]?.pid === killed.pid ? null : true,
    );
    expect(journey.gateway.local.bridges[2]?.bridgeId).toBe(killed.bridgeId);
  });

  test('a bridge that the operator drains hands its numbers on without a message lost or late', async () => {
    const phones = await journey.joinWithNumbers(numbers);
    const [drained] = await journey.bridges();
    if (!drained) throw new Error('there is no bridge');
    const replies: string[] = [];
    const messages = await journey.customer.sendMany(messagesEach, {
      accepted: messagesEach / 3,
      run: async () => {
        await journey.asOperator('POST', `/${drained.bridgeId}/drain`);
        replies.push(...(await journey.replyToAll(phones)));
        await journey.whenEmpty(drained.bridgeId);
      },
    });
    replies.push(...(await journey.replyToAll(phones)));
    await journey.expectPromisesKept(messages, replies);
    await journey.asOperator('POST', `/${drained.bridgeId}/resume`);
  });

  test('a bridge that the operator has enrolled by command starts without any token, under the name that it was given', async () => {
    const { gateway } = journey;
    const home = join(gateway.home, 'rack');
    const gatewayUrl = `http://127.0.0.1:${gateway.environment.PORT}`;
    const wishes = ['--url', gatewayUrl, '--home', home, '--name', 'rack 9'];
    const enrol = (operatorToken: string, ...more: string[]) =>
      run(process.execPath, ['src/session-bridge/enrol-main.ts', ...wishes, ...more], {
        env: { PATH: process.env.PATH, BOOTSTRAP_TOKEN: operatorToken },
      });
    await expect(enrol('of somebody else')).rejects.toThrow("BOOTSTRAP_TOKEN is not this gateway's.");
    await expect(enrol(gateway.secrets.bootstrapToken, '--region', 'weur')).rejects.toThrow(
      `${gatewayUrl} has no fleet in weur`,
    );
    const { stdout } = await enrol(gateway.secrets.bootstrapToken);
    expect(stdout).toContain(home);
    expect(stdout).not.toContain(gateway.secrets.bootstrapToken);
    const [gatewayPort, networkPort] = [gateway.environment.PORT, gateway.environment.SIMULATOR_PORT].map(
      Number,
    );
    const bridge = new OwnBridge(gateway, {
      gatewayPort: gatewayPort ?? 0,
      networkPort: networkPort ?? 0,
      home,
    });
    try {
      await bridge.start();
      const shown = await journey.bridgeOf(bridge.bridgeId);
      expect(shown).toMatchObject({ name: 'rack 9', release, state: 'linked' });
      await journey.asOperator('POST', `/${bridge.bridgeId}/drain`);
    } finally {
      await bridge.discard();
    }
  });
});
