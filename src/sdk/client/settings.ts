import type { Settings, UpdateSettingsRequest } from './generated/api-types.ts';
import { Resource } from './http/resource.ts';
import type { CallOptions } from './http/transport.ts';

/** What holds for every number of the account. Reads take an API key or a token; changes a token. */
export class AccountSettings extends Resource {
  get(options: CallOptions = {}): Promise<Settings> {
    return this.ask('GET', [], options);
  }

  /** Changes the fields that are given, also within `filters` and `optOut`; a list replaces the one before. */
  update(changes: UpdateSettingsRequest, options: CallOptions = {}): Promise<Settings> {
    return this.ask('PATCH', [], options, changes);
  }
}
