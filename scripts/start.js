// `npm start`: everything on one machine, with nothing else installed.
import { ensureInstalled, isForRunningOnly, runNode } from './set-up.js';

ensureInstalled({ production: isForRunningOnly() });
process.exitCode = await runNode(['--disable-warning=ExperimentalWarning', 'src/local/main.ts']);
