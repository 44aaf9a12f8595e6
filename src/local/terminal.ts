import { styleText } from 'node:util';

const nameColumn = 12;

/** Who reads the terminal may have closed it; the gateway runs on. */
process.stdout.on('error', () => {});
process.stderr.on('error', () => {});

let isQuiet = false;

function show(text: string): void {
  if (!isQuiet) process.stdout.write(text);
}

const style = (format: Parameters<typeof styleText>[0], text: string) =>
  styleText(format, text, { stream: process.stdout });

/** What a person sees in the one terminal of `npm start`. */
export const terminal = {
  /** Whether a person reads it: what is written to a pipe or a file is kept by who knows whom. */
  get isRead(): boolean {
    return process.stdout.isTTY === true && !isQuiet;
  },
  /** From now on the output is for machines: nothing is shown but why the gateway does not run. */
  quieten(): void {
    isQuiet = true;
  },
  title(text: string): void {
    show(`\n  ${style('bold', text)}\n\n`);
  },
  heading(text: string): void {
    show(`\n  ${style('bold', text)}\n`);
  },
  row(name: string, value: string): void {
    show(`  ${style('dim', name.padEnd(nameColumn))}${value}\n`);
  },
  text(text: string): void {
    show(`  ${text}\n`);
  },
  block(text: string): void {
    show(`\n${text}\n`);
  },
  ok(name: string, value: string): void {
    show(`  ${style('green', '✓')} ${style('dim', name.padEnd(nameColumn - 2))}${value}\n`);
  },
  warn(text: string): void {
    show(`  ${style('yellow', '!')} ${text}\n`);
  },
  /** Something went wrong and the gateway runs on. */
  trouble(text: string): void {
    show(`  ${style('red', '✗')} ${text}\n`);
  },
  /** Why the gateway does not run. */
  fail(text: string): void {
    process.stderr.write(
      `\n  ${styleText('red', '✗', { stream: process.stderr })} ${text.replaceAll('\n', '\n    ')}\n\n`,
    );
  },
};
