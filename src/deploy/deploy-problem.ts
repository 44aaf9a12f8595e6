/** What whoever deploys can mend: its message is the whole explanation. */
export class DeployProblem extends Error {
  override readonly name = 'DeployProblem';
}

const page = 'docs/operating/cloudflare.md';

/** By the platform's code of an error. */
const knownProblems: Record<number, string> = {
  100328:
    'The account is on the Workers Free plan, which ends a request after 10 ms of computing: not even a password can be checked. ' +
    'Take Workers Paid (dash.cloudflare.com, Workers & Pages, Plans) and run this again.',
  10042:
    'R2 is not enabled in this account: enable it once (dash.cloudflare.com, R2 object storage) and run this again.',
  10063:
    'The account has no workers.dev subdomain yet: open Workers & Pages in dash.cloudflare.com once, or give --domain.',
  11004:
    'A queue of this name has another Worker as its consumer already: choose another name with --name, or remove that consumer.',
  100117:
    'The domain has DNS records already: remove them, or give another --domain. Nothing of them was changed.',
};
const mayNot = [10000, 9106, 9109, 10001, 10405];

/** What the platform's refusal means; `text` is what it, or wrangler, has said. */
export function problemOf(code: number | null, text: string): DeployProblem {
  const known = code === null ? undefined : knownProblems[code];
  if (known !== undefined) return new DeployProblem(known);
  if (code !== null && mayNot.includes(code))
    return new DeployProblem(
      `Cloudflare refuses the credential here: it is not valid, or may not do this (${text}). ${page} lists the permissions ` +
        'that a token needs; with wrangler login there is nothing to choose.',
    );
  return new DeployProblem(text);
}

/** The same of what wrangler printed: its errors without colours, and without what it says about itself. */
export function problemOfWrangler(command: string, output: string): DeployProblem {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the codes of a terminal's colours.
  const plain = output.replaceAll(/\u001b\[[\d;]*m/g, '');
  const code = /\[code: (\d+)\]/.exec(plain)?.[1];
  const [, ...errors] = plain.split(/^.*\[ERROR\]/m);
  const lines = (errors.at(0) ?? plain)
    .split('\n')
    .map((line) => line.trim())
    .filter(
      (line) => line !== '' && !/think this is a bug|newer version of Wrangler|Logs were written/.test(line),
    );
  const text = lines.slice(0, 8).join(' ') || 'it ended without a word';
  const known = problemOf(code === undefined ? null : Number(code), text);
  return known.message === text ? new DeployProblem(`wrangler ${command} failed: ${text}`) : known;
}
