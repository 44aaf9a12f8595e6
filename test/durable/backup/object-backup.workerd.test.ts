import { test } from 'vitest';
import { expectCopyOfOneMoment, expectWholeCopy } from './copied-objects.ts';

// What depends on what the platform's SQLite lets an object do; the rest is in `object-backup.test.ts`.

test('An object is copied with its tables, its values and what its numbers have come to', expectWholeCopy);

test('An object that goes on working is copied as it was in one moment', expectCopyOfOneMoment);
