import type {
  Automation,
  AutomationDryRun,
  AutomationRunList,
  CreateAutomationRequest,
  CreatedAutomation,
  DryRunDraftRequest,
  UpdateAutomationRequest,
} from '../generated/api-types.ts';
import type { List } from '../http/list.ts';
import { type ListOptions, Resource, time } from '../http/resource.ts';
import type { CallOptions } from '../http/transport.ts';

/** Rules that answer by themselves. Takes the token of an owner or admin. */
export class Automations extends Resource {
  /** The answer is the only place where `secret`, which signs its callbacks, is ever shown. */
  create(automation: CreateAutomationRequest, options: CallOptions = {}): Promise<CreatedAutomation> {
    return this.ask('POST', [], options, automation);
  }

  /** In the order in which they are asked. */
  list(options: ListOptions = {}): List<Automation> {
    return this.listOf([], options);
  }

  get(id: string, options: CallOptions = {}): Promise<Automation> {
    return this.ask('GET', [id], options);
  }

  update(id: string, changes: UpdateAutomationRequest, options: CallOptions = {}): Promise<Automation> {
    return this.ask('PATCH', [id], options, changes);
  }

  delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.ask('DELETE', [id], options);
  }

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
