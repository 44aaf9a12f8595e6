import { expect, test } from 'vitest';
import { chosenScopes, newKeyFields, scopesOf } from '../../../src/dashboard/features/api-keys/key-form.ts';

test('what a key for one number cannot have stays chosen while other scopes are, for when it is for the pool again', () => {
  const narrow = { ...newKeyFields, sender: 'a number', onPinFailure: 'strict' as const };
  const shown = scopesOf(narrow).filter((scope) => scope !== 'groups');
  const scopes = chosenScopes(narrow, shown);
  expect(scopesOf({ ...narrow, scopes })).toEqual(shown);
  const pooled = scopesOf({ ...newKeyFields, scopes });
  expect(pooled).toContain('contacts');
  expect(pooled).not.toContain('groups');
  expect(chosenScopes(newKeyFields, ['media'])).toEqual(['media']);
});
