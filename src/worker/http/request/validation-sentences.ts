import { z } from 'zod';

const types: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

const formats: Record<string, string> = {
  email: 'an email address',
  url: 'a URL',
  uuid: 'a UUID',
  datetime: 'a time such as 2026-01-31T09:30:00Z',
  date: 'a day such as 2026-01-31',
};

/** Of a text with a form of its own, where its schema does not say which. */
export const unknownFormat = 'Not in the format of this field.';

const units: Record<string, [one: string, many: string]> = {
  string: ['character', 'characters'],
  array: ['entry', 'entries'],
};

const digits = new Intl.NumberFormat('en', { maximumFractionDigits: 20 });

/** So many characters, or entries; of a number itself. */
function amount(of: string, bound: number | bigint): string {
  const unit = units[of];
  const number = digits.format(bound);
  return unit === undefined ? number : `${number} ${bound === 1 ? unit[0] : unit[1]}`;
}

/** What a value is that breaks a rule without a sentence of its own; null where nothing better than "invalid" is known. */
function sentenceOf(issue: z.core.$ZodRawIssue): string | null {
  switch (issue.code) {
    case 'invalid_type':
      return `Must be ${types[issue.expected] ?? issue.expected}.`;
    case 'invalid_value':
      return issue.values.length === 1
        ? `Must be ${JSON.stringify(issue.values[0])}.`
        : `Must be one of: ${issue.values.map(String).join(', ')}.`;
    case 'too_small': {
      const least = amount(issue.origin, issue.minimum);
      if (issue.exact) return `Must be ${least}.`;
      return issue.inclusive === false ? `More than ${least}.` : `At least ${least}.`;
    }
    case 'too_big': {
      const most = amount(issue.origin, issue.maximum);
      if (issue.exact) return `Must be ${most}.`;
      return issue.inclusive === false ? `Less than ${most}.` : `At most ${most}.`;
    }
    case 'invalid_format':
      return issue.format in formats ? `Must be ${formats[issue.format]}.` : unknownFormat;
    case 'not_multiple_of':
      return `Must be a multiple of ${digits.format(issue.divisor)}.`;
    case 'invalid_union':
      return Array.isArray(issue.options) ? `Must be one of: ${issue.options.join(', ')}.` : null;
    default:
      return null;
  }
}

const isMissing = ({ code, input }: z.core.$ZodRawIssue) =>
  input === undefined && (code === 'invalid_type' || code === 'invalid_value' || code === 'invalid_union');

/**
 * Gives every rule of every schema that has no sentence of its own one in the words of the product. The library's own name types
 * of a program, and show patterns.
 */
export function speakPlainly(): void {
  z.config({
    customError: (issue) =>
      isMissing(issue)
        ? 'This field is required.'
        : (sentenceOf(issue) ?? 'Not in a form that this field takes.'),
  });
}
