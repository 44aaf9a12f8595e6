import { z } from 'zod';
import { disconnectReasons, logoutReasons } from '../numbers/reasons.ts';

/** Why a connection to the network ended, or did not come about. */
const connectionEndSchema = z.enum([
  ...(Object.keys(disconnectReasons) as (keyof typeof disconnectReasons)[]),
  ...(Object.keys(logoutReasons) as (keyof typeof logoutReasons)[]),
]);
export type ConnectionEndReason = z.infer<typeof connectionEndSchema>;

const loginResultSchema = z.enum(['opened', ...connectionEndSchema.options]);
export type LoginResult = z.infer<typeof loginResultSchema>;

const countSchema = z.int().nonnegative();

/** What a bridge's process has counted since it began, over all of its numbers. */
export const bridgeCountsSchema = z.strictObject({
  /** Sessions that are open now. */
  openSessions: countSchema,
  /** Logins of numbers that are paired, by what came of them. */
  logins: z.partialRecord(loginResultSchema, countSchema),
  /** Sessions that were open and are not any more, by why. */
  losses: z.partialRecord(connectionEndSchema, countSchema),
  /** Messages that were handed to the network once more, since it had not acknowledged them. */
  repeatedSends: countSchema,
});
export type BridgeCounts = z.infer<typeof bridgeCountsSchema>;
