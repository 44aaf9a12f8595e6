import { flushCompileCache } from 'node:module';
import { afterAll } from 'vitest';
// Registers them once, however many files a worker runs.
import './imports.js';

// A worker is ended without a word, and would not keep what it has made of the sources.
afterAll(() => flushCompileCache());
