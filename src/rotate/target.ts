import type { ReplacedSecret } from './replaced-secrets.ts';

/** The secrets of one gateway and its bridges, by the names that a deployment has for them. */
export type Secrets = Record<string, string>;

/** Where the secrets of one gateway are kept, and how they come into force. */
export interface Target {
  /** Throws `DeployProblem` where there is none, or what is kept is damaged. */
  read(): Secrets;
  /** Keeps all of them, and forgets those that are not named. */
  write(secrets: Secrets): void;
  /** Puts these into force, and takes away those that are null. */
  apply(secret: ReplacedSecret, values: Record<string, string | null>): Promise<void>;
  /** Asks the gateway as its operator; null where it does not run, or does not know this operator. */
  ask(path: string): Promise<unknown>;
  /** Whether what is put into force is known everywhere only a while later. */
  isSpreadOut: boolean;
  /** What whoever has replaced this secret has to do now. */
  afterwards(secret: ReplacedSecret): string[];
  /** How the command was called, but for the flags. */
  command(name: string): string;
}
