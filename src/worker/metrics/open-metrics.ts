/** One figure of a family, and what it is about. */
export interface Sample {
  labels?: Record<string, string | number>;
  value: number;
}

/** A figure that goes up and down, by name. `unit`: the name ends in it. */
export interface Gauge {
  name: string;
  unit?: 'bytes' | 'seconds';
  help: string;
  samples: Sample[];
}

export const openMetricsType = 'application/openmetrics-text; version=1.0.0; charset=utf-8';

/** The text of the OpenMetrics 1.0 format. A gauge without samples is left out. */
export function openMetricsText(gauges: readonly Gauge[]): string {
  const families = gauges.filter(({ samples }) => samples.length > 0).map(familyText);
  return `${families.join('')}# EOF\n`;
}

function familyText({ name, unit, help, samples }: Gauge): string {
  const lines = [
    `# TYPE ${name} gauge`,
    ...(unit === undefined ? [] : [`# UNIT ${name} ${unit}`]),
    `# HELP ${name} ${escaped(help)}`,
    ...samples.map(({ labels = {}, value }) => `${name}${labelsText(labels)} ${value}`),
  ];
  return `${lines.join('\n')}\n`;
}

function labelsText(labels: Record<string, string | number>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(String(value))}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

const escaped = (text: string) =>
  text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
