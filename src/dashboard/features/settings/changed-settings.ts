import type { UpdateSettingsRequest } from '../../../sdk/index.ts';
import { changedFields } from '../../parts/fields/changed-fields.ts';

/** Parts that are kept field by field. */
const parts = ['filters', 'optOut', 'retention', 'support'] as const;

/** What was changed of the account's settings, also within their parts. */
export function changedSettings(
  now: UpdateSettingsRequest,
  before: UpdateSettingsRequest,
): UpdateSettingsRequest {
  const changed: UpdateSettingsRequest = changedFields(now, before);
  for (const part of parts) {
    const fields = changed[part];
    if (fields !== undefined) Object.assign(changed, { [part]: changedFields(fields, before[part]) });
  }
  return changed;
}
