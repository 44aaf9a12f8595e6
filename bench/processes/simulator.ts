/* The network simulator, with a note of when each acknowledgement leaves; and it can POST to a receiver itself. */
import { subscribe } from 'node:diagnostics_channel';
import { setTimeout as delay } from 'node:timers/promises';
import { type Simulator, startSimulator } from '../../src/network-simulator/start-simulator.ts';
import { wallClockMs } from '../stage/wall-clock.ts';
import { answerQuestions } from './asking.ts';
import type { SimulatorAnswer, SimulatorQuestion } from './simulator-questions.ts';

let simulator: Simulator | null = null;
let moments: SimulatorAnswer['moments'] = [];

subscribe('simulator.acknowledged', (message) => {
  moments.push({ id: (message as { id: string }).id, at: wallClockMs() });
});

answerQuestions(
  async (question: SimulatorQuestion): Promise<SimulatorAnswer> => {
    if (question.kind === 'start') {
      const { port, home } = question;
      simulator = await startSimulator({ port, tlsPort: port + 1, home });
      return { moments: [] };
    }
    if (question.kind === 'post') return { moments: await postAll(question) };
    const taken = moments;
    moments = [];
    return { moments: taken };
  },
  async () => simulator?.close(),
);

async function postAll({ url, perSecond, bodies }: Extract<SimulatorQuestion, { kind: 'post' }>) {
  const begun: SimulatorAnswer['moments'] = [];
  const startedAt = performance.now();
  const posts = [];
  for (const [index, body] of bodies.entries()) {
    await delay(Math.max(0, startedAt + (index * 1000) / perSecond - performance.now()));
    begun.push({ id: JSON.parse(body).id, at: wallClockMs() });
    posts.push(fetch(url, { method: 'POST', body }).then((response) => response.arrayBuffer()));
  }
  await Promise.all(posts);
  return begun;
}
