import type { Wrangler } from './platform/wrangler.ts';
import type { Ask } from './questions.ts';

/** What a run has around it. */
export interface Surroundings {
  projectRoot: string;
  environment: NodeJS.ProcessEnv;
  wrangler: Wrangler;
  terminal: Terminal;
  /** Null where no person is there. */
  ask: Ask;
  /** How the deployed gateway is asked. */
  fetch: typeof fetch;
  /** Whether a host name has DNS records. */
  resolves: (host: string) => Promise<boolean>;
  wait: (ms: number) => Promise<void>;
  now: () => number;
}
export interface Terminal {
  /** Whether a person reads it: secrets are shown to nobody else. */
  isRead: boolean;
  title(text: string): void;
  heading(text: string): void;
  row(name: string, value: string): void;
  text(text: string): void;
  ok(name: string, value: string): void;
  warn(text: string): void;
}
