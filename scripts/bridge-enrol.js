// `npm run bridge:enrol -- --url https://… --home …`: lets this machine's session bridge in at a gateway.
import { ensureInstalled, runNode } from './set-up.js';

ensureInstalled({ production: true });
const entry = 'src/session-bridge/enrol-main.ts';
process.exitCode = await runNode(['--disable-warning=ExperimentalWarning', entry, ...process.argv.slice(2)]);
