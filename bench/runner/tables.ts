import type { Comparison } from './compare.ts';
import { isHeld, type ResultFigure, ratioOf } from './results.ts';

/** A number as a person reads it: three significant figures, more only before the point. */
export function shown(value: number | null | undefined): string {
  if (value === null || value === undefined || Number.isNaN(value)) return '–';
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en');
  return Number(value.toPrecision(3)).toString();
}

function targetText({ target, unit }: ResultFigure): string {
  if (target === null) return '';
  const what = target.of === 'ratio' ? 'ratio' : unit;
  const bounds = [
    target.atLeast === undefined ? [] : `≥ ${shown(target.atLeast)}`,
    target.atMost === undefined ? [] : `≤ ${shown(target.atMost)}`,
  ].flat();
  return `${what} ${bounds.join(', ')}`;
}

const heldText = { true: 'held', false: 'missed', null: '' };

/** The figures, one a row. */
export function figuresTable(figures: readonly ResultFigure[]): string {
  return table(
    ['line', 'figure', 'ours', 'counterpart', 'unit', 'ratio', 'target', ''],
    figures.map((figure) => [
      figure.line,
      figure.name,
      shown(figure.ours),
      shown(figure.counterpart),
      figure.unit,
      shown(ratioOf(figure)),
      targetText(figure),
      heldText[`${isHeld(figure)}`],
    ]),
  );
}

/** A comparison with an earlier result, one judged figure a row. */
export function comparisonTable(comparisons: readonly Comparison[]): string {
  return table(
    ['line', 'figure', 'before', 'after', 'change', ''],
    comparisons.map(({ line, name, before, after, change, verdict }) => [
      line,
      name,
      shown(before),
      shown(after),
      change === null ? '–' : `× ${shown(change)}`,
      verdict,
    ]),
  );
}

/** Columns of text, as wide as their widest cell. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((cell, column) =>
    Math.max(cell.length, ...rows.map((row) => (row[column] ?? '').length)),
  );
  const lineOf = (row: readonly string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return [lineOf(head), widths.map((width) => '─'.repeat(width)).join('  '), ...rows.map(lineOf)].join('\n');
}
