import { styleText } from 'node:util';

const nameColumn = 12;

/** Who reads the terminal may have closed it; the gateway runs on. */
process.stdout.on('error', () => {});
process.stderr.on('error', () => {});

const style = (format: Parameters<typeof styleText>[0], text: string) =>
  styleText(format, text, { stream: process.stdout });

/** What a person sees in the one terminal of `npm start`. */
export const terminal = {
  /** Whether a person reads it: what is written to a pipe or a file is kept by who knows whom. */
  isRead: process.stdout.isTTY === true,
  title(text: string): void {
    process.stdout.write(`\n  ${style('bold', text)}\n\n`);
  },
  heading(text: string): void {
    process.stdout.write(`\n  ${style('bold', text)}\n`);
  },
  row(name: string, value: string): void {
    process.stdout.write(`  ${style('dim', name.padEnd(nameColumn))}${value}\n`);
  },
  text(text: string): void {
    process.stdout.write(`  ${text}\n`);
  },
  block(text: string): void {
    process.stdout.write(`\n${text}\n`);
  },
  ok(name: string, value: string): void {
    process.stdout.write(`  ${style('green', '✓')} ${style('dim', name.padEnd(nameColumn - 2))}${value}\n`);
  },
  warn(text: string): void {
    process.stdout.write(`  ${style('yellow', '!')} ${text}\n`);
  },
  /** Something went wrong and the gateway runs on. */
  trouble(text: string): void {
    process.stdout.write(`  ${style('red', '✗')} ${text}\n`);
  },
  /** Why the gateway does not run. */
  fail(text: string): void {
    process.stderr.write(
      `\n  ${styleText('red', '✗', { stream: process.stderr })} ${text.replaceAll('\n', '\n    ')}\n\n`,
    );
  },
};
