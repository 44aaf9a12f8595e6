import { describe, expect, test } from 'vitest';
import { compareResults } from '../../../bench/runner/compare.ts';
import { type ResultFigure, type Results, resultsSchema } from '../../../bench/runner/results.ts';

const rate: ResultFigure = {
  line: 'accepted-sends',
  name: 'accepted',
  unit: '/ s',
  ours: 300,
  counterpart: 1000,
  target: { of: 'ratio', atLeast: 0.3 },
  rounds: { ours: [300], counterpart: [1000] },
};
const cost: ResultFigure = {
  line: 'cost',
  name: 'cost',
  unit: '$ / million',
  ours: 20,
  target: { of: 'ours', atMost: 20 },
  rounds: { ours: [20] },
};

const resultOf = (...figures: ResultFigure[]): Results =>
  resultsSchema.parse({
    at: '2026-01-31T09:30:00.123Z',
    commit: 'abcdef0',
    machine: { cpu: 'one', cores: 2, memoryGiB: 8, load: 0.1, platform: 'linux', node: 'v24.0.0' },
    figures,
    failures: [],
  });

const verdicts = (before: Results, after: Results, tolerance = 0.25) =>
  compareResults(before, after, tolerance).map(({ verdict }) => verdict);

describe('a comparison of two results of the bench', () => {
  test('holds ratios against each other, so that a slower machine is no regression', () => {
    const slower = { ...rate, ours: 30, counterpart: 100 };
    expect(verdicts(resultOf(rate), resultOf(slower))).toEqual(['same']);
  });

  test('holds ratios against each other also where the target is about the figure alone', () => {
    const latency: ResultFigure = { ...rate, ours: 40, counterpart: 1, target: { of: 'ours', atMost: 50 } };
    const slower = { ...latency, ours: 80, counterpart: 2 };
    expect(verdicts(resultOf(latency), resultOf(slower))).toEqual(['same']);
    expect(verdicts(resultOf(latency), resultOf({ ...latency, ours: 80 }))).toEqual(['worse']);
    expect(verdicts(resultOf(latency), resultOf({ ...latency, counterpart: undefined }))).toEqual([
      'not measured',
    ]);
  });

  test('calls a ratio that has fallen past the tolerance worse, and one that has risen past it better', () => {
    expect(verdicts(resultOf(rate), resultOf({ ...rate, ours: 224 }))).toEqual(['worse']);
    expect(verdicts(resultOf(rate), resultOf({ ...rate, ours: 226 }))).toEqual(['same']);
    expect(verdicts(resultOf(rate), resultOf({ ...rate, ours: 376 }))).toEqual(['better']);
  });

  test('takes less as better where the target is an upper bound', () => {
    expect(verdicts(resultOf(cost), resultOf({ ...cost, ours: 26 }))).toEqual(['worse']);
    expect(verdicts(resultOf(cost), resultOf({ ...cost, ours: 14 }))).toEqual(['better']);
    expect(verdicts(resultOf(cost), resultOf({ ...cost, ours: 24 }))).toEqual(['same']);
  });

  test('judges by the targets of the earlier result, and shows by how much a figure has changed', () => {
    const without = { ...cost, ours: 40, target: null };
    expect(compareResults(resultOf(cost), resultOf(without), 0.25)).toEqual([
      { line: 'cost', name: 'cost', before: 20, after: 40, change: 2, verdict: 'worse' },
    ]);
  });

  test('says what was not measured this time, and leaves out what has no target', () => {
    expect(verdicts(resultOf(rate, cost), resultOf(cost))).toEqual(['not measured', 'same']);
    expect(verdicts(resultOf({ ...cost, target: null }), resultOf(cost))).toEqual([]);
  });
});
