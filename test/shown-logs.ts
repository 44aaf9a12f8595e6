import { afterEach, beforeEach } from 'vitest';

/*
 * A set-up file: what is logged is shown when the test fails. Vitest would send each line to its main process; in workerd from
 * within the object that logs it, and wait for ever for one whose object is evicted meanwhile.
 */
const say = console.info;
const logged: string[] = [];
for (const method of ['log', 'warn', 'error'] as const) {
  console[method] = (...values: unknown[]) => void logged.push(values.join(' '));
}
beforeEach(() => {
  logged.length = 0;
});
afterEach(({ task }) => {
  if (task.result?.state === 'fail') say(`Logged by "${task.name}":\n${logged.join('\n')}`);
});
