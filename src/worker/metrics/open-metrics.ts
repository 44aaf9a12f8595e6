/** One figure of a family, and what it is about. */
export interface Sample {
  labels?: Record<string, string | number>;
  value: number;
}

/** A figure by name. `unit`: the name ends in it. A counter's samples end in `_total` in the text. */
interface Simple {
  kind: 'gauge' | 'counter';
  name: string;
  unit?: 'bytes' | 'seconds';
  help: string;
  samples: Sample[];
}

/** One whose samples have their names, labels included, as the text has them; in order. */
interface Written {
  kind: 'counter' | 'histogram';
  name: string;
  unit?: 'seconds';
  help: string;
  written: { key: string; value: number }[];
}

export type Family = Simple | Written;

type Figures = [name: string, help: string, samples: Sample[], unit?: 'bytes' | 'seconds'];

const simple =
  (kind: Simple['kind']) =>
  (...[name, help, samples, unit]: Figures): Family => ({ kind, name, help, samples, ...(unit && { unit }) });

export const gauge = simple('gauge');
export const counter = simple('counter');

export const openMetricsType = 'application/openmetrics-text; version=1.0.0; charset=utf-8';

/** The text of the OpenMetrics 1.0 format. A family without samples is left out. */
export function openMetricsText(families: readonly Family[]): string {
  return `${families.map(familyText).join('')}# EOF\n`;
}

function familyText(family: Family): string {
  const { kind, name, unit, help } = family;
  const samples = samplesOf(family);
  if (samples.length === 0) return '';
  const lines = [
    `# TYPE ${name} ${kind}`,
    ...(unit === undefined ? [] : [`# UNIT ${name} ${unit}`]),
    `# HELP ${name} ${escaped(help)}`,
    ...samples,
  ];
  return `${lines.join('\n')}\n`;
}

function samplesOf(family: Family): string[] {
  if ('written' in family) return family.written.map(({ key, value }) => `${key} ${value}`);
  const name = family.kind === 'counter' ? `${family.name}_total` : family.name;
  return family.samples.map(({ labels = {}, value }) => `${name}${labelsText(labels)} ${value}`);
}

function labelsText(labels: Record<string, string | number>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(String(value))}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

const escaped = (text: string) =>
  text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
