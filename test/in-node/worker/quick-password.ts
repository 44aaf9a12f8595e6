// Stands in for `src/worker/auth/password.ts`: a hash is slow by intent, and each test makes its own account.
import { quickCost } from '../../../src/worker/auth/password.ts';

export * from '../../../src/worker/auth/password.ts';
export const hashCost = () => quickCost;
