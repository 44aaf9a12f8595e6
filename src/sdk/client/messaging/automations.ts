import type {
  Automation,
  AutomationDryRun,
  AutomationRunList,
  CreateAutomationRequest,
  CreatedAutomation,
  DryRunDraftRequest,
  UpdateAutomationRequest,
} from '../generated/api-types.ts';
import { Collection } from '../http/collection.ts';
import type { List } from '../http/list.ts';
import { type ListOptions, time } from '../http/resource.ts';
import type { CallOptions } from '../http/transport.ts';

/**
 * Rules that answer by themselves, listed in the order in which they are asked. The answer of `create` is the only place where
 * `secret`, which signs its callbacks, is ever shown. Takes the token of an owner or admin.
 */
export class Automations extends Collection<
  Automation,
  CreateAutomationRequest,
  UpdateAutomationRequest,
  CreatedAutomation
> {
  /** A new secret for its callbacks, shown this once; both sign for 24 hours. */
  rotateSecret(id: string, options: CallOptions = {}): Promise<CreatedAutomation> {
    return this.ask('POST', [id, 'rotate-secret'], options);
  }

  /** What it has done, newest first; `ran`: only runs, or only the times when it did not run. */
  runs(
    id: string,
    { ran }: { ran?: boolean } = {},
    options: ListOptions = {},
  ): List<AutomationRunList['data'][number]> {
    return this.listOf([id, 'runs'], options, { ran: ran?.toString() });
  }

  /** What it would have done since then. Nothing is. */
  dryRun(id: string, since: Date | string, options: CallOptions = {}): Promise<AutomationDryRun> {
    return this.ask('POST', [id, 'dry-run'], options, { since: time(since) });
  }

  /** The same for one that is not saved. */
  dryRunDraft(draft: DryRunDraftRequest, options: CallOptions = {}): Promise<AutomationDryRun> {
    return this.ask('POST', ['dry-run'], options, draft);
  }
}
