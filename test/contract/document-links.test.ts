import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import GithubSlugger from 'github-slugger';
import { Marked, type Token } from 'marked';
import { expect, test } from 'vitest';

const projectRoot = fileURLToPath(new URL('../..', import.meta.url));

/** Every document of the project, by its path from the root. */
const documents = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], {
  cwd: projectRoot,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => path !== '' && existsSync(join(projectRoot, path)));

interface Read {
  /** The anchors of its headings, as they are made where people read it. */
  anchors: Set<string>;
  targets: string[];
}

const read = new Map(documents.map((path) => [path, readDocument(path)]));

function readDocument(path: string): Read {
  const anchors = new Set<string>();
  const targets: string[] = [];
  const slugger = new GithubSlugger();
  const marked = new Marked({
    walkTokens(token: Token) {
      if (token.type === 'heading') anchors.add(slugger.slug(token.text));
      if (token.type === 'link' || token.type === 'image') targets.push(token.href);
    },
  });
  marked.parse(readFileSync(join(projectRoot, path), 'utf8'));
  return { anchors, targets };
}

/** What is wrong with a link; null where it leads somewhere, or out of the project. */
function brokenLink(from: string, href: string): string | null {
  // Links between pages of the guide are looked at where they are served.
  if (/^([a-z]+:|\/docs(\/|$))/.test(href)) return null;
  const [target = '', anchor] = href.split('#');
  const to = target === '' ? from : join(dirname(from), target);
  if (!existsSync(join(projectRoot, to))) return `${from}: ${href} leads nowhere`;
  if (anchor === undefined || read.get(to)?.anchors.has(anchor)) return null;
  return `${from}: ${href} leads to no heading`;
}

test('every link in the documents leads to a file or a heading that is there', () => {
  const broken = [...read].flatMap(([path, { targets }]) =>
    targets.flatMap((href) => brokenLink(path, href) ?? []),
  );
  expect(documents).toContain('README.md');
  expect(broken).toEqual([]);
});
