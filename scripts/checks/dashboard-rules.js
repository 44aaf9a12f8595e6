// What no linter knows of the dashboard: every text in every language, and features that do not know each other.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { words as en } from '../../src/dashboard/words/en/words.ts';
import { words as es } from '../../src/dashboard/words/es/words.ts';
import { words as id } from '../../src/dashboard/words/id/words.ts';
import { words as pt } from '../../src/dashboard/words/pt/words.ts';
import { sameInEveryLanguage } from '../../src/dashboard/words/same-words.ts';
import { projectRoot } from '../set-up.js';
import { dashboardPages, wordsOfAllPages } from './dashboard-pages.js';

const folder = path.join(projectRoot, 'src', 'dashboard');
const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
  .map((entry) => path.join(entry.parentPath, entry.name))
  .map((file) => ({ file: path.relative(folder, file), text: readFileSync(file, 'utf8') }));
const problems = [];

/** Every text with the path of its name. */
function* texts(node, names = []) {
  for (const [name, value] of Object.entries(node)) {
    if (typeof value === 'string') yield [[...names, name].join('.'), value];
    else yield* texts(value, [...names, name]);
  }
}
const placeholders = (text) => [...new Set(argumentsOf(text))].sort().join();

/** The names of the arguments of a text in ICU's syntax: in the branches of a plural stand texts again. */
function* argumentsOf(text) {
  for (const inside of braced(text)) {
    const [, name, rest = ''] = /^\s*(\w+)\s*(?:,([\s\S]*))?$/.exec(inside) ?? [];
    yield name;
    if (/^\s*(plural|select|selectordinal)\b/.test(rest)) {
      for (const branch of braced(rest)) yield* argumentsOf(branch);
    }
  }
}

/** What stands in the outermost braces. */
function* braced(text) {
  let depth = 0;
  let start = 0;
  for (const [at, character] of [...text].entries()) {
    if (character === '{') {
      if (depth === 0) start = at + 1;
      depth += 1;
    }
    if (character === '}') {
      depth -= 1;
      if (depth === 0) yield text.slice(start, at);
    }
  }
}

// tsc has made sure that each language has every text; here: that it is one in that language.
for (const [language, words] of Object.entries({ es, id, pt })) {
  const own = new Map(texts(words));
  for (const [name, english] of texts(en)) {
    const text = own.get(name);
    if (placeholders(text) !== placeholders(english))
      problems.push(`${language} ${name}: other placeholders`);
    const isSame = text === english && !sameInEveryLanguage.has(english);
    if (isSame || text.trim() === '') problems.push(`${language} ${name}: not translated: ${english}`);
  }
}

const source = files
  .filter(({ file }) => !file.startsWith('words'))
  .map(({ text }) => text)
  .join('\n');
for (const [name] of texts(en)) {
  const [last, parent] = name.split('.').reverse();
  const isNamed = source.includes(`'${last}'`) || source.includes(`.${last}'`) || source.includes(`${last}:`);
  if (!isNamed && !source.includes(`${parent}.\${`) && !source.includes(`'${parent}'`)) {
    problems.push(`en ${name}: said nowhere`);
  }
}

/** Names pages, and is none. */
const isTable = (file) => file.startsWith(`routes${path.sep}`);
for (const { file, text } of files) {
  // Texts in JSX are the linter's matter; these are the attributes that people read.
  const attribute = /\s(label|title|lead|placeholder|aria-label|alt|description|error)="[^"]*\p{L}{2}/u.exec(
    text,
  );
  if (attribute !== null) problems.push(`${file}: an untranslated text:${attribute[0]}`);
  const [, feature] = /^features[/\\]([^/\\]+)/.exec(file) ?? [];
  for (const [, imported] of text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)) {
    const target = path.join(path.dirname(file), imported);
    const [, other] = /^features[/\\]([^/\\]+)/.exec(target) ?? [];
    if (other !== undefined && other !== feature && !isTable(file))
      problems.push(`${file}: imports ${target}`);
    if (target.startsWith('..') && !/^\.\.[/\\](sdk[/\\]index\.ts|contract[/\\])/.test(target)) {
      problems.push(`${file}: imports ${target}, which is neither contract nor SDK`);
    }
  }
}

// Words come with the page that says them (withWords): whoever says others would show their names instead.
const pages = dashboardPages(projectRoot);
for (const { file, text } of files.filter(({ file }) => isTable(file))) {
  for (const [, page] of text.matchAll(/import\('\.\.\/(features\/[^']+)'\)/g)) {
    if (!pages.some((known) => known.page === page))
      problems.push(`${file}: ${page} comes without its words`);
  }
}
// A part that is loaded later brings words of its own.
// They are there for what it is made of, too: the folder of its own in `parts`.
const broughtBy = new Map();
for (const { file, text } of files) {
  if (isTable(file)) continue;
  for (const [, words, part] of text.matchAll(
    /withWords\(\s*\[([^\]]*)\],\s*\(\) => import\('(\.[^']+)'\)/g,
  )) {
    const names = [...words.matchAll(/'(\w+)'/g)].map(([, name]) => name);
    const place = path.join(path.dirname(file), part);
    broughtBy.set(place, names);
    if (place.startsWith(`parts${path.sep}`)) broughtBy.set(path.dirname(place), names);
  }
}
for (const { file, text } of files) {
  const [, feature] = /^features[/\\]([^/\\]+)/.exec(file) ?? [];
  const ofPages = pages.flatMap((page) => (page.feature === feature ? page.words : []));
  const loaded = [...ofPages, ...(broughtBy.get(file) ?? broughtBy.get(path.dirname(file)) ?? [])];
  const known = new Set([...wordsOfAllPages, ...loaded]);
  for (const [, name = ''] of text.matchAll(/useTranslations\((?:'(\w+)[^']*')?\)/g)) {
    if (!known.has(name)) problems.push(`${file}: says "${name}", which its pages do not load`);
  }
}

for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
