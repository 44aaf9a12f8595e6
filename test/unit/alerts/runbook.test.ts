import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { alertKindNames } from '../../../src/contract/alerts/alerts.ts';
import { counted } from '../../../src/durable/counts/counted.ts';

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

/** Every figure of `/metrics`, as queries name it. */
function figureNames(): Set<string> {
  const families = [
    ...read('src/worker/metrics/gateway-metrics.ts').matchAll(/\b(gauge|counter)\(\s*'(\w+)'/g),
  ];
  const all = [
    ...families.map(([, kind, name]) => ({ kind, name })),
    ...Object.values(counted).map(({ kind, name }) => ({ kind, name })),
  ];
  const suffixes: Record<string, string[]> = {
    gauge: [''],
    counter: ['_total'],
    histogram: ['_bucket', '_count', '_sum'],
  };
  return new Set(
    all.flatMap(({ kind = '', name }) => (suffixes[kind] ?? []).map((suffix) => `${name}${suffix}`)),
  );
}

test('rules and dashboard ask for figures that there are, and each that is counted is in the docs', () => {
  const names = figureNames();
  expect(names.size).toBeGreaterThan(30);
  const dashboard = read('deploy/monitoring/grafana-dashboard.json');
  const asked = [...`${rules}${dashboard}`.matchAll(/heliograph_\w+/g)].map(([name]) => name);
  expect(asked.filter((name) => !names.has(name))).toEqual([]);
  const docs = read('docs/operating/self-hosting.md');
  const isTold = ({ name }: { name: string }) =>
    docs.includes(name) || docs.includes(name.replace('heliograph', '…'));
  expect(Object.values(counted).filter((family) => !isTold(family))).toEqual([]);
});
