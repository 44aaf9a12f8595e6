import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { counted } from '../../../src/durable/counts/counted.ts';

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url).pathname, 'utf8');

/** The variable of the dashboard. */
const chosen = ['$', '{datasource}'].join('');

interface Panel {
  id: number;
  title: string;
  datasource: { uid: string };
  gridPos: { h: number; w: number; x: number; y: number };
  targets: { refId: string; datasource: { uid: string }; expr: string; legendFormat: string }[];
}

const { panels } = JSON.parse(read('deploy/monitoring/grafana-dashboard.json')) as { panels: Panel[] };

/** What the figures of gauges and of bridges are told apart by. */
const source = read('src/worker/metrics/gateway-metrics.ts');
const gaugeLabels = [...source.matchAll(/labels: \{(.*?)\}|byReason\('(\w+)'/gs)].flatMap((found) =>
  `${found[1] ?? ''} ${found[2] ?? ''}`.match(/\w+/g),
);

/** Labels that the figures of a query have. */
function labelsIn(query: string): (string | null)[] {
  const family = Object.values(counted).find(({ name }) => query.includes(name));
  if (family === undefined) return gaugeLabels;
  return family.kind === 'counter' ? [family.label] : ['le'];
}

test('panels of the dashboard group by labels that their figures have, and name lines by what is left of them', () => {
  const wrong = panels.flatMap(({ title, targets }) =>
    targets.flatMap(({ expr, legendFormat }) => {
      const by = /\bby \(([^)]*)\)/.exec(expr)?.[1]?.split(/,\s*/);
      const named = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label);
      const known = labelsIn(expr);
      const isLeft = (label: string) => by === undefined || by.includes(label);
      const isKnown = (label: string) => known.includes(label);
      return [
        ...named.filter((label) => !isLeft(label)),
        ...[...named, ...(by ?? [])].filter((it) => !isKnown(it)),
      ].map((label) => `${title}: ${label}`);
    }),
  );
  expect(wrong).toEqual([]);
});

test('panels of the dashboard ask the data source that was chosen, and none lies on another', () => {
  const sources = panels.flatMap(({ datasource, targets }) => [
    datasource,
    ...targets.map((it) => it.datasource),
  ]);
  expect(new Set(sources.map(({ uid }) => uid))).toEqual(new Set([chosen]));
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)} ${y + Math.floor(cell / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
});
