/* `npm run bench`: runs the lines, one after the other, and shows what came of them. See bench/README.md. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, platform, release, totalmem } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BenchArguments, readArguments } from './runner/arguments.ts';
import { compareResults } from './runner/compare.ts';
import { runLineProcess } from './runner/line-process.ts';
import { isHeld, type Results, resultsSchema } from './runner/results.ts';
import { comparisonTable, figuresTable } from './runner/tables.ts';

const benchFolder = fileURLToPath(new URL('.', import.meta.url));
const resultsPath = join(benchFolder, 'results.json');

/** In this order. */
const lines = [
  new URL('./lines/accepted-sends.ts', import.meta.url),
  new URL('./lines/accepted-batches.ts', import.meta.url),
  new URL('./lines/bridge/one-number.ts', import.meta.url),
  new URL('./lines/bridge/twenty-numbers.ts', import.meta.url),
  new URL('./lines/webhook-latency.ts', import.meta.url),
  new URL('./lines/webhook-deliveries.ts', import.meta.url),
  new URL('./lines/bridge/bridge-memory.ts', import.meta.url),
  new URL('./lines/bridge/media.ts', import.meta.url),
  new URL('./lines/cost.ts', import.meta.url),
  new URL('./lines/round-trips.ts', import.meta.url),
  new URL('./lines/scale/scale-numbers.ts', import.meta.url),
  new URL('./lines/scale/scale-kept.ts', import.meta.url),
  new URL('./lines/scale/scale-accounts.ts', import.meta.url),
  new URL('./lines/made-up-keys.ts', import.meta.url),
  new URL('./lines/fleet-takeover.ts', import.meta.url),
  new URL('./lines/fleet-restart.ts', import.meta.url),
  new URL('./lines/knowledge-search.ts', import.meta.url),
  new URL('./lines/word-index.ts', import.meta.url),
  new URL('./lines/address-book.ts', import.meta.url),
  new URL('./lines/inbox-search.ts', import.meta.url),
]
  .map((url) => fileURLToPath(url))
  .filter((path) => existsSync(path));
const pathOf = new Map(lines.map((path) => [basename(path, '.ts'), path]));

try {
  process.exitCode = await main(readArguments(process.argv.slice(2)));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 2;
}

async function main(options: BenchArguments): Promise<number> {
  const unknown = options.names.find((name) => !pathOf.has(name));
  if (unknown !== undefined) {
    throw new Error(`There is no line ${unknown}. There are ${[...pathOf.keys()].join(', ')}.`);
  }
  const earlier = options.compare === null ? null : readResults(options.compare);
  const results = options.with === null ? await measure(options) : readResults(options.with);
  if (options.with === null) {
    // A run of some lines alone must not take the place of a whole one.
    const out = options.out ?? (options.names.length === 0 ? resultsPath : null);
    if (out !== null) writeResults(out, results);
    console.log(`\n${figuresTable(results.figures)}\n`);
    for (const { line, reason } of results.failures) console.log(`${line} could not measure: ${reason}`);
  }
  const isMissed = options.strict && results.figures.some((figure) => isHeld(figure) === false);
  const isWorse = earlier !== null && showComparison(earlier, results, options.tolerance);
  return results.failures.length > 0 || isMissed || isWorse ? 1 : 0;
}

async function measure({ names: wanted, rounds }: BenchArguments): Promise<Results> {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  const results: Results = {
    at: new Date().toISOString(),
    commit: commit(),
    machine: machine(),
    figures: [],
    failures: [],
  };
  for (const [line, path] of pathOf) {
    if (wanted.length > 0 && !wanted.includes(line)) continue;
    const startedAt = performance.now();
    console.log(`\n${line}`);
    try {
      const figures = await runLineProcess(path, rounds, stop.signal);
      results.figures.push(...figures.map((figure) => ({ line, ...figure })));
    } catch (error) {
      if (stop.signal.aborted) throw new Error('Stopped.');
      results.failures.push({ line, reason: (error as Error).message });
    }
    console.log(`  (${Math.round((performance.now() - startedAt) / 1000)} s)`);
  }
  return results;
}

/** Shows the comparison; whether something is worse. */
function showComparison(earlier: Results, results: Results, tolerance: number): boolean {
  const comparisons = compareResults(earlier, results, tolerance);
  console.log(`Against ${earlier.at} (${earlier.commit}), tolerance ${tolerance}:\n`);
  console.log(`${comparisonTable(comparisons)}\n`);
  return comparisons.some(({ verdict }) => verdict === 'worse');
}

function readResults(path: string): Results {
  if (!existsSync(path)) throw new Error(`There is no file ${path}.`);
  const parsed = resultsSchema.safeParse(JSON.parse(readFileSync(path, 'utf8')));
  if (!parsed.success) throw new Error(`${path} is no result of the bench: ${parsed.error.message}`);
  return parsed.data;
}

function writeResults(path: string, results: Results): void {
  // In the shape that `npm run check` wants of every file.
  const biome = join(benchFolder, '..', 'node_modules', '.bin', 'biome');
  const input = JSON.stringify(results);
  writeFileSync(path, execFileSync(biome, ['format', '--stdin-file-path=results.json'], { input }));
  console.log(`\nWritten to ${path}`);
}

function commit(): string {
  try {
    const git = (...args: string[]) =>
      execFileSync('git', args, { cwd: benchFolder, encoding: 'utf8' }).trim();
    return `${git('rev-parse', '--short', 'HEAD')}${git('status', '--porcelain', '--', '..', ':!results.json') === '' ? '' : '+'}`;
  } catch {
    return 'unknown';
  }
}

function machine(): Results['machine'] {
  return {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    load: loadavg()[0] ?? 0,
    platform: `${platform()} ${release()}`,
    node: process.version,
  };
}
