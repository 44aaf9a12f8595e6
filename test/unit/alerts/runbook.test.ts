import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { alertKindNames } from '../../../src/contract/alerts/alerts.ts';

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url).pathname, 'utf8');
const runbook = read('docs/operating/runbook.md');
const rules = read('deploy/monitoring/alert-rules.yaml');
const ruleNames = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name);

test('the runbook says of every rule of Prometheus and of every alert of the product what to do', () => {
  expect(ruleNames.length).toBeGreaterThan(0);
  expect(ruleNames.filter((name) => !runbook.includes(`\n### ${name}\n`))).toEqual([]);
  expect(alertKindNames.filter((kind) => !runbook.includes(`\n| \`${kind}\` |`))).toEqual([]);
});

test('every rule of Prometheus names its own part of the runbook', () => {
  const named = [...rules.matchAll(/runbook: docs\/operating\/runbook\.md#(\w+)/g)].map(([, name]) => name);
  expect(named).toEqual(ruleNames.map((name) => name?.toLowerCase()));
});
