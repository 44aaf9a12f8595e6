import { beforeAll, expect, test } from 'vitest';
import { textOf } from '../../../src/contract/messages/content.ts';
import { NumberSeal } from '../../../src/session-bridge/vault/seal.ts';
import { VaultKeys } from '../../../src/session-bridge/vault/vault-keys.ts';
import type { FakeNumber } from '../fake-edge.ts';
import { BridgeStage, newPhone, vaultKey } from '../stage.ts';

const stage = BridgeStage.open();
let number: FakeNumber;
let phone: string;

beforeAll(async () => {
  ({ number, phone } = await stage.pairedNumber(stage.bridgeId));
});

async function write(to: string, text: string): Promise<void> {
  const [message] = number.send({ to, text });
  await stage.edge.until('it is sent', () => message && number.outcomeOf(message));
}

async function hearFrom(from: string, text: string): Promise<void> {
  await stage.admin('POST', `phones/${from}/messages`, { to: phone, text });
  await stage.edge.until('it is heard', () =>
    number.inbound().some((message) => textOf(message.content) === text),
  );
}

interface Session {
  _chains: Record<string, unknown>;
}

/** The Signal sessions with one person, as the vault holds them. */
async function sessionsWith(person: string): Promise<{ characters: number; sessions: Session[] }> {
  const { lid } = await stage.admin<{ lid: string }>('GET', `phones/${person}`);
  const ofPerson = ([key]: [string, string]) =>
    key.startsWith('session/') && (key.includes(`:${person}`) || key.includes(`:${lid}`));
  const seal = new NumberSeal(new VaultKeys(vaultKey), number.numberId);
  const records = [...number.vault].filter(ofPerson).map(([key, sealed]) => seal.open(key, sealed));
  return {
    characters: records.join('').length,
    sessions: records.flatMap((json) => Object.values<Session>(JSON.parse(json)._sessions)),
  };
}

test('a conversation of many turns takes no more room in the vault than one of some', async () => {
  const person = newPhone();
  const turns = async (from: number, until: number) => {
    for (let turn = from; turn < until; turn += 1) {
      await write(person, `question ${turn}`);
      await hearFrom(person, `answer ${turn} of ${person}`);
    }
  };
  await turns(0, 15);
  const some = await sessionsWith(person);
  await turns(15, 40);
  const many = await sessionsWith(person);
  expect(Object.keys(some.sessions.at(-1)?._chains ?? {}).length).toBeGreaterThanOrEqual(10);
  expect(many.characters).toBeLessThan(some.characters * 1.1);
  expect((await stage.arrivalsAt(person)).map(({ text }) => text)).toEqual(
    Array.from({ length: 40 }, (_, turn) => `question ${turn}`),
  );
});

test('after a reconnect the session with somebody who has one goes on', async () => {
  const person = newPhone();
  await write(person, 'before');
  await hearFrom(person, `an answer of ${person}`);
  const before = await sessionsWith(person);
  expect(before.sessions).not.toEqual([]);
  const connects = number.factsOf('session.connected').length;
  await stage.admin('POST', `devices/${phone}/drop`);
  await stage.edge.until('it reconnects', () => number.factsOf('session.connected').length > connects);
  await write(person, 'after');
  await hearFrom(person, `another answer of ${person}`);
  expect((await sessionsWith(person)).sessions).toHaveLength(before.sessions.length);
});
