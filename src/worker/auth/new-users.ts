import { settingsOf } from '../../settings/worker-settings.ts';

/** Whether an invitation makes a user of somebody who is none yet: where `SIGNUP` is `closed`, the operator does. */
export const isOpenToNewUsers = (env: Env): boolean => settingsOf(env).SIGNUP !== 'closed';
