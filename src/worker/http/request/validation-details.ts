import type { z } from 'zod';
import { type ErrorDetail, invalidFields, type Refusal } from '../../../contract/errors.ts';
import { speakPlainly } from './validation-sentences.ts';

speakPlainly();

/** What is wrong is told of so many fields at most, and so much of a field's name: a person needs no more. */
const detailsMax = 20;
const pathCharactersMax = 200;

/** A dotted path (`numberIds.0`); the body as a whole is `body`. */
function dotted(path: readonly PropertyKey[]): string {
  return path.length === 0 ? 'body' : shortPath(path.map(String).join('.'));
}

/** What a caller has called a field, as far as an answer repeats it. */
export function shortPath(path: string): string {
  const whole = path.toWellFormed();
  return whole.length <= pathCharactersMax ? whole : `${whole.slice(0, pathCharactersMax).toWellFormed()}…`;
}

/** One entry a field: an unknown field is named by its own path, not by that of the object around it. */
function problems(issue: z.core.$ZodIssue): ErrorDetail[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      path: dotted([...issue.path, key]),
      message: 'Unknown field.',
    }));
  }
  return [{ path: dotted(issue.path), message: issue.message }];
}

/** What is of the wrong type, or in no format at all, also breaks rules behind that, and of those nobody needs to know. */
function told(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue[] {
  const broken = new Set<string>();
  return issues.filter(({ code, path }) => {
    const field = dotted(path);
    if (broken.has(field)) return false;
    if (code === 'invalid_type' || code === 'invalid_format') broken.add(field);
    return true;
  });
}

/** `VALIDATION_ERROR` with the path of every field that is invalid, as far as a person needs them. */
export function validationRefusal(error: z.core.$ZodError): Refusal {
  const details = told(error.issues).flatMap(problems);
  const more = details.length - detailsMax;
  const rest =
    more > 0 ? [{ path: 'body', message: `And ${more} more ${more === 1 ? 'mistake' : 'mistakes'}.` }] : [];
  return invalidFields([...details.slice(0, detailsMax), ...rest]);
}
