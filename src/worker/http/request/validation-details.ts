import type { z } from 'zod';
import { type Refusal, refuse } from '../../../contract/errors.ts';

/** What is wrong is told of so many fields at most, and so much of a field's name: a person needs no more. */
const detailsMax = 20;
const pathCharactersMax = 200;

interface FieldProblem {
  path: string;
  message: string;
}

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
function problems(issue: z.core.$ZodIssue): FieldProblem[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      path: dotted([...issue.path, key]),
      message: 'Unknown field.',
    }));
  }
  if (issue.code === 'invalid_type' && issue.message.endsWith('received undefined')) {
    return [{ path: dotted(issue.path), message: 'This field is required.' }];
  }
  return [{ path: dotted(issue.path), message: sentenceOf(issue) }];
}

/** No pattern is ever shown: where a schema has no sentence of its own, zod would show its regular expression. */
function sentenceOf(issue: z.core.$ZodIssue): string {
  const isPattern = issue.code === 'invalid_format' && issue.message.includes(String(issue.pattern ?? '\0'));
  return isPattern ? 'Not of the form that this field has.' : issue.message;
}

/** `VALIDATION_ERROR` with the path of every field that does not fit; the values themselves are not repeated. */
export function validationRefusal(error: z.core.$ZodError): Refusal {
  return invalidFields(error.issues.flatMap(problems));
}

/** `VALIDATION_ERROR` for what only the route can judge. */
export function invalidField(path: string, message: string): Refusal {
  return invalidFields([{ path, message }]);
}

function invalidFields(details: FieldProblem[]): Refusal {
  const more = details.length - detailsMax;
  const rest =
    more > 0 ? [{ path: 'body', message: `And ${more} more ${more === 1 ? 'mistake' : 'mistakes'}.` }] : [];
  return refuse('VALIDATION_ERROR', 'The request does not fit: see details.', {
    details: [...details.slice(0, detailsMax), ...rest],
  });
}
