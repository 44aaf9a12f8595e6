/* One line of the bench, in a process of its own: what one line leaves in memory must not weigh on the next. */
import { pathToFileURL } from 'node:url';
import type { BenchLine } from './line.ts';

const [path = '', rounds = '3'] = process.argv.slice(2);
const exported = (await import(pathToFileURL(path).href)) as Record<string, Partial<BenchLine>>;
const line = Object.values(exported).find((it): it is BenchLine => typeof it?.run === 'function');
if (line === undefined) throw new Error(`${path} exports no line.`);
console.log(`  ${line.question}`);
const figures = await line.run({ log: (text) => console.log(`  ${text}`), rounds: Number(rounds) });
process.send?.(figures, () => process.exit(0));
