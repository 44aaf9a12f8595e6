// What no linter knows of the dashboard: every text in every language, and features that do not know each other.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectRoot } from '../set-up.js';
import { dashboardPages, loadedWithWords, wordsOfAllPages } from './dashboard-pages.js';

const folder = path.join(projectRoot, 'src', 'dashboard');
const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
  .map((entry) => path.join(entry.parentPath, entry.name))
  .map((file) => ({ file: path.relative(folder, file), text: readFileSync(file, 'utf8') }));
const problems = [];

/** What another language says as English does. */
const sameInEveryLanguage = new Set([
  'API',
  'Admin',
  'Discord',
  'E-mail',
  'Emoji',
  'Normal',
  'Pool',
  'Slack',
  'Sticker',
  'Telegram',
  'Webhook',
  'Webhooks',
  '{count, number} d',
  '{count, number} h',
  '{count, number} min',
  '{count, number} s',
  '{count, number} MiB',
  'WhatsApp',
  '{time} UTC',
  '–',
  '{when} → {what}',
  ' min',
  'no',
  'Audio',
  'ID',
  'Label',
  'Status',
  'URL',
  'Video',
]);

const isWords = (file) => /[/\\]words\.\w\w\.ts$/.test(file);
/** The folders that have words, with what each language says there: `{apiKeys: {title: …}}`. */
const wordsByFolder = new Map(
  await Promise.all(
    files
      .filter(({ file }) => file.endsWith('words.en.ts'))
      .map(async ({ file }) => {
        const said = async (language) => {
          const own = file.replace(/en\.ts$/, `${language}.ts`);
          if (!files.some((known) => known.file === own)) return {};
          return { ...(await import(pathToFileURL(path.join(folder, own)))) };
        };
        const [en, es, id, pt] = await Promise.all(['en', 'es', 'id', 'pt'].map(said));
        return [path.dirname(file), { en, es, id, pt }];
      }),
  ),
);

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

// That each text is there in every language, and is one in that language.
for (const { en, ...others } of wordsByFolder.values()) {
  for (const [language, words] of Object.entries(others)) {
    const own = new Map(texts(words));
    for (const [name, english] of texts(en)) {
      const text = own.get(name) ?? '';
      if (placeholders(text) !== placeholders(english))
        problems.push(`${language} ${name}: other placeholders`);
      const isSame = text === english && !sameInEveryLanguage.has(english);
      if (isSame || text.trim() === '') problems.push(`${language} ${name}: not translated: ${english}`);
    }
  }
}

const source = files
  .filter(({ file }) => !isWords(file))
  .map(({ text }) => text)
  .join('\n');
for (const [name] of [...wordsByFolder.values()].flatMap(({ en }) => [...texts(en)])) {
  const [last, parent] = name.split('.').reverse();
  const isNamed = source.includes(`'${last}'`) || source.includes(`.${last}'`) || source.includes(`${last}:`);
  if (!isNamed && !source.includes(`${parent}.\${`) && !source.includes(`'${parent}'`)) {
    problems.push(`en ${name}: said nowhere`);
  }
}

const isRoutes = (file) => file.startsWith(`routes${path.sep}`);
/** Lists pages, or texts, and is none. */
const isTable = (file) => isRoutes(file) || file === path.join('words', 'texts.ts');
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
for (const { page, words } of pages) {
  for (const folder of words) {
    if (!wordsByFolder.has(folder)) problems.push(`${page}: comes with words of ${folder}, which has none`);
  }
}
for (const { file, text } of files.filter(({ file }) => isRoutes(file))) {
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
  for (const { file: part, words } of loadedWithWords(text)) {
    const place = path.join(path.dirname(file), part);
    broughtBy.set(place, words);
    if (place.startsWith(`parts${path.sep}`)) broughtBy.set(path.dirname(place), words);
  }
}
for (const { file, text } of files) {
  const [, feature] = /^features[/\\]([^/\\]+)/.exec(file) ?? [];
  const ofPages = pages.flatMap((page) => (page.feature === feature ? page.words : []));
  const loaded = [...ofPages, ...(broughtBy.get(file) ?? broughtBy.get(path.dirname(file)) ?? [])];
  const said = [...wordsOfAllPages, ...loaded].flatMap((folder) =>
    Object.keys(wordsByFolder.get(folder)?.en ?? {}),
  );
  const known = new Set(said);
  for (const [, name = ''] of text.matchAll(/useTranslations\((?:'(\w+)[^']*')?\)/g)) {
    if (!known.has(name)) problems.push(`${file}: says "${name}", which its pages do not load`);
  }
}

for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
