import { expect, test } from 'vitest';
import { mentionsIn } from '../../../src/worker/features/conversations/people.ts';

const people = [
  { userId: 'lovelace', name: 'Ada Lovelace' },
  { userId: 'byron', name: 'Ada Byron' },
  { userId: 'bob', name: 'Bob' },
  { userId: 'rene', name: 'René Núñez' },
];

test.each<[string, string[]]>([
  ['Ask @Bob', ['bob']],
  ['@bob, @BOB and @Bob', ['bob']],
  ['@Ada Lovelace, and then @Bob', ['lovelace', 'bob']],
  ['@Bob and then @Ada Byron', ['bob', 'byron']],
  ['@René knows', ['rene']],
])('%j names %j', (text, named) => {
  expect(mentionsIn(text, people)).toEqual(named);
});

test.each(['Ask @Ada', '@Bobby', 'bob@Bob.example', 'me@Bob', '@ Bob', 'Bob', '@', ''])(
  '%j names nobody, or nobody for certain',
  (text) => {
    expect(mentionsIn(text, people)).toEqual([]);
  },
);
