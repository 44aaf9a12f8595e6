import { test as plain } from 'vitest';
import { GatewayProcess } from './gateway-process.ts';

const environment = {
  // Nobody waits long for a repetition.
  WEBHOOK_RETRY_SECONDS: '1,1,1,1',
  // What a queue lost with its process, and what a crash has cut off, is taken up soon.
  QUEUE_GRACE_SECONDS: '2',
  ASSISTANT_ANSWER_SECONDS: '3',
  KEY_RATE_PER_SECOND: '1000',
  KEY_RATE_BURST: '1000',
  FREE_PLAN_MESSAGES: '5000',
};

/**
 * Tests with one gateway for all files that a worker of vitest runs, one after the other. A file may kill any part of it, and
 * leaves it whole, with the simulated network as it was; its customers are its own.
 */
// biome-ignore lint/correctness/noEmptyPattern: vitest reads from it what else is needed.
export const test = plain.extend('gateway', { scope: 'worker' }, async ({}, { onCleanup }) => {
  const gateway = await GatewayProcess.start(environment);
  onCleanup(() => gateway.discard());
  return gateway;
});
