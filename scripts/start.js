// `npm start`: everything on one machine, with nothing else installed.
import { ensureInstalled, runNode } from './set-up.js';

ensureInstalled();
process.exitCode = await runNode(['--disable-warning=ExperimentalWarning', 'src/local/main.ts']);
