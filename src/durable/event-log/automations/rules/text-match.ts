import { RE2JS } from 're2js';
import { plainText } from '../../../../contract/texts/comparable-text.ts';

/** Characters of a text that a pattern looks at. */
const matchedCharactersMax = 2_048;
/** Steps of a compiled pattern: the time of a match grows with them. */
const programStepsMax = 500;
/** Patterns that are kept compiled; an account has few. */
const compiledMax = 500;

/** RE2 knows of the letters i only those of English. */
const withPlainI = (text: string) => text.replaceAll('\u0130', 'I').replaceAll('\u0131', 'i');

/** Letter by letter: a pattern's signs stay what they are, and no other character becomes one. */
const patternInPlainForm = (source: string) =>
  withPlainI(source.normalize('NFC')).replaceAll(/[^\p{ASCII}]/gu, (character) => {
    const plain = plainText(character);
    return /^['"\p{L}\p{M}\p{N}]*$/u.test(plain) ? plain : character;
  });

const compiled = new Map<string, RE2JS>();

function patternOf(source: string): RE2JS {
  const known = compiled.get(source);
  if (known !== undefined) return known;
  const pattern = RE2JS.compile(patternInPlainForm(source), RE2JS.CASE_INSENSITIVE | RE2JS.DOTALL);
  if (compiled.size >= compiledMax) compiled.clear();
  compiled.set(source, pattern);
  return pattern;
}

/** What is wrong with a pattern, for a person; null where it can be used. */
export function patternProblem(source: string): string | null {
  try {
    if (patternOf(source).programSize() > programStepsMax) return 'The pattern is too large.';
    return null;
  } catch (error) {
    const reason = error instanceof Error ? error.message : '';
    // The flags that it was compiled with are not the writer's.
    const known = reason.replace(/^error parsing regexp: /, '').replace('(?s)(?i)', '');
    return `Not a pattern in RE2 syntax${known === '' ? '' : `: ${known}`}.`;
  }
}

/** Whether a pattern is found in a text, in time that grows with both and no faster. A broken pattern is never found. */
export function isFound(source: string, text: string): boolean {
  if (patternProblem(source) !== null) return false;
  return patternOf(source)
    .matcher(withPlainI(plainText(text)).slice(0, matchedCharactersMax))
    .find();
}
